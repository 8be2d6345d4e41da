"""A tour of a figure: steps that each set it, say one sentence, and point at one thing at most.

`js/telling.js` is the page's side. A step's sentence may hold the same numbers as the figure's reading (`Say`), so that
it is true of what is drawn while runs come in.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hal.figure.sentences import Say
from lib.errors import InputError, require, whole

FEWEST, MOST = 4, 7  # steps: fewer tell no story, more are not walked to the end


class Step:
    """One step of a tour.

    Args:
        say: the sentence; several are alternatives, the first whose numbers are known is said, and the last needs none.
        time: where the time cursor goes, in units of the training time; None: where the figure starts.
        point: title of a panel or name of a slider that gets a ring; None: nothing.
        seed: of the first run.
        settings: values of sliders; those left out stand at their default.

    Example:
        >>> step = Step(Say("At step {tau} the signal is 0.1."), "The signal never is 0.1.", time=100, point="T", T=64)
        >>> step.settings, step.point
        ({'T': 64}, 'T')
    """

    def __init__(
        self, *say: Say | str, time: float | None = None, point: str | None = None, seed: int = 0, **settings: Any
    ) -> None:
        require(say, "say", "at least one sentence", "none")
        self.say = tuple(Say(way) if isinstance(way, str) else way for way in say)
        require(not self.say[-1].names, "say", "a last sentence without numbers", repr(self.say[-1].text))
        known = time is None or (math.isfinite(time) and time >= 0)
        require(known, "time", "a finite number of at least 0", time)
        self.time, self.point, self.seed, self.settings = time, point, whole("seed", seed), settings

    def spec(self, panels: Sequence[str]) -> dict[str, Any]:
        """The JSON the page reads; a panel that is pointed at goes by its number among `panels`, the titles."""
        point = panels.index(self.point) if self.point in panels else self.point
        say = [way.spec() for way in self.say]
        return {"say": say, "settings": self.settings, "seed": self.seed, "time": self.time, "point": point}


def check_tour(
    steps: Sequence[Step],
    check: Callable[[Mapping[str, Any]], dict[str, Any]],
    sliders: Sequence[str],
    panels: Sequence[str],
) -> tuple[Step, ...]:
    """The steps, each with settings in range (`check` raises where one is not) and a slider or panel to point at."""
    require(not steps or FEWEST <= len(steps) <= MOST, "tour", f"from {FEWEST} to {MOST} steps, or none", len(steps))
    for number, step in enumerate(steps, 1):
        where = f"step {number} of the tour"
        unknown = sorted(set(step.settings) - set(sliders))
        require(not unknown, where, f"sliders among {list(sliders)}", unknown)
        try:
            check(step.settings)
        except InputError as error:
            raise InputError(f"{where}, {error}") from None
        things = [*sliders, *panels].count(step.point) if step.point is not None else 1
        expected = f"one of the sliders {list(sliders)} or of the panels {list(panels)} to point at"
        require(things == 1, where, expected, repr(step.point))
    return tuple(steps)
