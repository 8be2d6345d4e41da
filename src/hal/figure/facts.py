"""What a figure has at some settings: theory and runs, the single numbers that follow from them, and what is drawn."""

import base64
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lib.errors import require

Readings = Mapping[str, Sequence[float]]


class Result(NamedTuple):
    """Theory and finished runs at some settings.

    Attributes:
        theory: name -> numbers, as in "flow.alpha".
        runs: readings of each run.
        facts: single numbers, for sentences.
        shown: the run that is drawn where one run alone is.
    """

    theory: dict[str, list[float]]
    runs: list[dict[str, list[float]]]
    facts: dict[str, float]
    shown: int = 0


class Drawn(NamedTuple):
    """What is drawn at one point.

    Attributes:
        items: the arrays, by panel and role: "0.x", "0.y1.low".
        reading: one sentence or several.
        notice: what went wrong; empty if nothing did.
    """

    items: dict[str, NDArray[np.float64]]
    reading: str
    notice: str


def packed(runs: Sequence[Mapping[str, Sequence[float]]]) -> list[dict[str, str]]:
    """Readings of runs on their way to the browser, with every bit: each array as the base64 text of its doubles."""
    return [
        {key: base64.b64encode(np.asarray(values, "<f8").tobytes()).decode() for key, values in run.items()}
        for run in runs
    ]


class Numbers:
    """The numbers of a result by name, a run's those of the run that is shown; panels ask it whether they fit.

    What is refused is refused with `InputError`, which names the array and the panel.
    """

    def __init__(self, result: Result, panel: str) -> None:
        self.theory, self.panel = result.theory, panel
        self.shown = result.runs[result.shown] if result.runs else {}

    def of(self, name: str) -> NDArray[np.float64]:
        """The array of this name, in which "{law.watch}" is that number of the theory."""
        name = re.sub(r"\{(.+?)\}", lambda found: f"{self.theory[found[1]][0]:g}", name)
        values = self.theory.get(name, self.shown.get(name))
        known = sorted({*self.theory, *self.shown})
        require(values is not None, "run", f"numbers {name!r} for panel {self.panel!r}", f"only {known}")
        return np.asarray(values, dtype=float)

    def size(self, size: int | str | None, argument: str) -> int:
        """A number of rows or columns, given as a number or as the name of one."""
        require(size is not None, argument, f"a number or the name of one, in panel {self.panel!r}", size)
        if not isinstance(size, str):
            return int(size or 0)
        value = self.theory.get(size, [])
        single = len(value) == 1 and value[0] == int(value[0]) and value[0] >= 1
        require(single, argument, f"the name of a whole number of the theory in panel {self.panel!r}", repr(size))
        return int(value[0])

    def parts(self, name: str, size: int, what: str) -> int:
        """How many parts of so many numbers an array has; it must have some, and no rest."""
        found = self.of(name).size
        whole = size > 0 and found % size == 0 and found > 0
        require(whole, "run", f"{name!r} of whole {what} of {size} numbers", found)
        return found // size

    def agree(self, name: str, size: int, other: str) -> None:
        """Raise unless an array has so many numbers, as another one."""
        found = self.of(name).size
        require(found == size, "run", f"{name!r} of {size} numbers, as {other}, in panel {self.panel!r}", found)
