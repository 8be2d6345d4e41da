"""The one loop over a portable run and its one recorder, in Python; the page's stand in `hal/figure/js/trainer.js`.

A textbook is a portable module: a run in plain Python, as a chapter prints it. It trains and knows nothing of records:
`recorded` steps it and calls a probe at its records, a portable function of its state that returns readings. Whoever
computes in slices calls `step` as often as there is time; `finish` and `run` go to the end. A setting that is refused,
by its value or its name, is named (`InputError`); a seed is of all that is drawn, a whole number of at least 0.
"""

import inspect
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol, TypeVar, get_type_hints

from lib.errors import InputError, is_whole, require
from lib.portable.primitives import Matrix, Readings, Vector, nan

__all__ = [
    "PROTOCOL", "Optimised", "Probe", "Recorded", "Textbook", "check_protocol", "finish", "recorded", "run",
    "settings_from",
]  # fmt: skip

#: What every textbook has.
PROTOCOL = ("start", "step", "done", "steps_of")
#: A portable function of a run's state.
Probe = Callable[[Any], Readings]
Settings = TypeVar("Settings", bound=tuple[Any, ...])


class Textbook(Protocol):
    """What a page, a kernel or a reader asks of a run; a module has these as functions.

    Its state has `step`, the steps that are made (a flow has `time` instead), and `diverged_at`, the step where it
    diverged, -1 while it has not. A module may have a probe of its own, `measure(state)`, and `at_end(state)`: what
    `recorded` looks at where nobody brings other functions.
    """

    def start(self, settings: Any, seed: int) -> Any:
        """The state before the first step; settings are a NamedTuple with a default for every field."""

    def step(self, state: Any) -> None:
        """Go on by one step; a flow goes on to its next record."""

    def done(self, state: Any) -> bool:
        """Whether the run has come to its end, or diverged."""

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
        """Count a step as made."""


def check_protocol(argument: str, run: Any) -> None:
    """Raise `InputError` unless a run has every function of a textbook."""
    lacking = [name for name in PROTOCOL if not callable(getattr(run, name, None))]
    require(not lacking, argument, f"a textbook with {', '.join(PROTOCOL)}", f"no {', '.join(lacking)}")


class Recording(NamedTuple):
    """A run under way and what it has on record."""

    state: Any  # of the textbook
    due: Vector  # (K,) the steps, or times, of its records
    at: Vector  # those that are made
    kept: dict[str, Vector]  # what the probe returned at each of them, one after the other


class Recorded:
    """A textbook whose runs are recorded; it is used like one, and `read` has what is on record.

    Args:
        textbook: what trains.
        measure: its probe, called at every record; arrays of it keep their length through a run.
        at_end: called when the run is read, with the state and with the readings that its other parameters name: what
            belongs to no record, such as the task, or follows from all of them.
    """

    def __init__(self, textbook: Any, measure: Probe, at_end: Callable[..., Readings] | None = None) -> None:
        self.textbook, self.measure, self.at_end = textbook, measure, at_end
        self.asked = list(inspect.signature(at_end).parameters)[1:] if at_end else []
        self.steps_of = textbook.steps_of

    def start(self, settings: Any, seed: int) -> Recording:
        """A run at its start, which is on record."""
        state = self.textbook.start(settings, seed)
        run = Recording(state, list(self.textbook.steps_of(settings)), [], {})
        self._look(run)
        return run

    def step(self, run: Recording) -> None:
        """One step of the textbook, and the records that are due after it."""
        self.textbook.step(run.state)
        self._look(run)

    def done(self, run: Recording) -> bool:
        """Whether the run has come to its end, or diverged."""
        return bool(self.textbook.done(run.state))

    def read(self, run: Recording) -> Readings:
        """What is on record so far, by name: `steps` (or `time`, of a flow), what the probe and `at_end` return, and
        `diverged_at` (1,), the step where the run diverged, or NaN.
        """
        state, clock = run.state, "time" if hasattr(run.state, "time") else "steps"
        lost = [float(state.diverged_at) if state.diverged_at >= 0 else nan]
        kept = {clock: list(run.at), **{name: list(values) for name, values in run.kept.items()}}
        asked = [kept[name] if run.at else [] for name in self.asked]
        ends = self.at_end(state, *asked) if self.at_end else {}
        return {**kept, "diverged_at": lost, **ends}

    def _look(self, run: Recording) -> None:
        state = run.state
        now = state.time if hasattr(state, "time") else state.step
        while len(run.at) < len(run.due) and now >= run.due[len(run.at)] and state.diverged_at < 0:
            for name, values in self.measure(state).items():
                run.kept.setdefault(name, []).extend(values)
            run.at.append(run.due[len(run.at)])


def recorded(textbook: Any, measure: Probe | None = None, at_end: Callable[..., Readings] | None = None) -> Recorded:
    """A textbook whose runs are recorded, by these functions or by its own; without a probe it is refused."""
    if measure is None:
        require(hasattr(textbook, "measure"), "measure", "a probe, here or as `measure` of the textbook", "none")
        measure, at_end = textbook.measure, getattr(textbook, "at_end", None)
    return Recorded(textbook, measure, at_end)


def settings_from(kind: type[Settings], values: Mapping[str, Any]) -> Settings:
    """A NamedTuple of settings (int, float, Vector) from some values, name -> number; the others keep their defaults.

    A whole number for a float becomes one, as it is in the page.
    """
    hints = get_type_hints(kind)
    given: dict[str, Any] = {}
    for name, value in values.items():
        require(name in hints, "settings", f"some of {', '.join(hints)}", name)
        if hints[name] is int:
            require(is_whole(value), name, "a whole number", value)
            given[name] = int(value)
        elif hints[name] == list[float]:
            given[name] = [float(v) for v in value]
        else:
            try:
                given[name] = float(value)
            except (TypeError, ValueError):
                raise InputError(f"{name}: expected a number, got {value!r}") from None
    return kind(**given)


def finish(
    textbook: Textbook,
    settings: Any,
    seed: int = 0,
    measure: Probe | None = None,
    at_end: Callable[..., Readings] | None = None,
) -> Readings:
    """What a whole run of a textbook reads at its end, by these functions or by its own."""
    made = recorded(textbook, measure, at_end)
    state = made.start(settings, seed)
    while not made.done(state):
        made.step(state)
    return made.read(state)


def run(
    textbook: Textbook,
    seed: int = 0,
    measure: Probe | None = None,
    at_end: Callable[..., Readings] | None = None,
    **settings: Any,
) -> Readings:
    """The same, some of its settings by name; those left out keep their defaults.

    Example:
        >>> from lib.models.scb import textbook
        >>> run(textbook, T=16, stage1=10, seed=3)["steps"][-1]
        10.0
    """
    check_protocol("textbook", textbook)
    kind = get_type_hints(textbook.start).get("settings") or getattr(textbook, "Settings")  # noqa: B009
    return finish(textbook, settings_from(kind, settings), seed, measure, at_end)
