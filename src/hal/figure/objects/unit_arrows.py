"""Arrows: directions from one point, on an arc, with the angle between the first two in text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from hal.figure.charts import Arrays
from hal.figure.marks import colour
from hal.figure.objects.base import Scene
from lib.errors import require


@dataclass(frozen=True, kw_only=True)
class Arrows(Scene):
    """Arrows of length one from one point; angles in degrees, from the right, against the clock.

    Args:
        angles: key of the directions (n,).
        names: what each arrow is, written at its head.
        ideas: colours, keys of `hal.palette.IDEAS`, one an arrow; fewer begin anew.
        expected: key of directions (k,), drawn as dashed grey lines.
        expected_is: what they are, written at the first.
        span: where the arc begins and ends; 360 degrees are a circle.
        idea: colour of the angle, a key of `hal.palette.IDEAS`.
        alt, title, height, wide, frames: as for every scene; `angles` move.
    """

    kind: ClassVar[str] = "arrows"
    roles: ClassVar[tuple[str, ...]] = ("angles", "expected")

    angles: str
    names: Sequence[str]
    ideas: Sequence[str] = ("first", "second")
    expected: str | None = None
    expected_is: str = ""
    span: tuple[float, float] = (0.0, 90.0)
    idea: str = "attention"

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self.names, "names", "a name for each arrow", self.names)
        low, high = self.span
        require(0 < high - low <= 360, "span", "an arc (from, to) of at most 360 degrees", self.span)

    def spec(self) -> dict[str, Any]:
        """The JSON the page reads."""
        hues = [colour(self.ideas[j % len(self.ideas)], j) for j in range(len(self.names))]
        lists = {"names": list(self.names), "span": list(self.span)}
        return {**super().spec(), **lists, "colours": hues}

    def check_sizes(self, arrays: Arrays) -> None:
        """Raise `InputError` where the sizes of the arrays disagree."""
        self.whole(arrays, "angles", len(self.names))


arrows = Arrows  # as an author calls it
