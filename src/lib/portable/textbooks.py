"""The one loop over a portable run, in Python; the page's stands in `hal/explorer/js/trainer.js`.

A textbook is a portable module: a run in plain Python, as a chapter prints it. Whoever computes in slices calls `step`
as often as there is time; `finish` and `run` go to the end.
"""

from typing import Any, Protocol, get_type_hints

from lib.errors import require
from lib.portable.primitives import Matrix, Readings, Vector
from lib.portable.python import settings_from

__all__ = ["PROTOCOL", "Optimised", "Textbook", "check_protocol", "finish", "run"]

#: What every textbook has.
PROTOCOL = ("start", "step", "done", "read", "steps_of")


class Textbook(Protocol):
    """What a page, a kernel or a reader asks of a run; a module has these as functions."""

    def start(self, settings: Any, seed: int) -> Any:
        """The state before the first step, with what it is at its start on record.

        Args:
            settings: a NamedTuple with a default for every field.
            seed: of all that is drawn, a whole number of at least 0.

        Raises:
            InputError: if a setting is refused; the message names it.
        """

    def step(self, state: Any) -> None:
        """Go on by one step, and keep a record where one is due; a flow goes on to its next record."""

    def done(self, state: Any) -> bool:
        """Whether the run has come to its end, or diverged."""

    def read(self, state: Any) -> Readings:
        """What is on record so far, by name; `diverged_at` (1,) is the step where it diverged, or NaN."""

    def steps_of(self, settings: Any) -> Vector:
        """(K,) the steps, or times, at which a whole run makes its records: known before it runs."""


class Optimised(Textbook, Protocol):
    """A textbook in which an optimiser trains; `step` applies one update, and another may take its place::

    for x, g in zip(parameters(state), gradient(state)): ...  # any update of x, in place
    count_step(state)
    """

    def parameters(self, state: Any) -> Matrix:
        """The arrays of the state that are trained, as rows: what is written into them is the model's."""

    def gradient(self, state: Any) -> Matrix:
        """The gradient of the loss there, of a fresh batch where the run draws one; rows as those of `parameters`."""

    def count_step(self, state: Any) -> None:
        """Count a step as made, and keep a record where one is due."""


def check_protocol(argument: str, run: Any) -> None:
    """Raise `InputError` unless a run has every function of a textbook."""
    lacking = [name for name in PROTOCOL if not callable(getattr(run, name, None))]
    require(not lacking, argument, f"a textbook with {', '.join(PROTOCOL)}", f"no {', '.join(lacking)}")


def finish(textbook: Textbook, settings: Any, seed: int = 0) -> Readings:
    """A whole run of a textbook at its settings; `seed` is of all that is drawn.

    Raises:
        InputError: if a setting is refused.
    """
    state = textbook.start(settings, seed)
    while not textbook.done(state):
        textbook.step(state)
    return textbook.read(state)


def run(textbook: Textbook, seed: int = 0, **settings: Any) -> Readings:
    """What a whole run reads at its end, some of its settings by name; those left out keep their defaults.

    Raises:
        InputError: if a name is unknown, or a setting is refused.

    Example:
        >>> from lib.models.scb import textbook
        >>> run(textbook, T=16, stage1=10, seed=3)["steps"][-1]
        10.0
    """
    check_protocol("textbook", textbook)
    kind = get_type_hints(textbook.start)["settings"]
    return finish(textbook, settings_from(kind, settings), seed)
