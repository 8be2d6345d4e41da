"""Area: a rectangle whose corner moves along a curve, and beside it its area over a setting, as a hill."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from hal.figure.charts import Arrays
from hal.figure.marks import Mark, colour
from hal.figure.objects.base import Scene
from lib.errors import require


@dataclass(frozen=True, kw_only=True)
class Area(Scene):
    """The product of two numbers as a rectangle from the origin, and how large it is along the curve of its corners.

    Args:
        x, y: keys of the corners (R,), x increasing, both at least 0.
        track: key of the values (R,) of the setting `corner` at these corners, increasing and positive; drawn on their
            logarithm.
        here: key of today's corner (2,).
        corner: the setting that the corner and the handle on the hill move.
        marks: single numbers beside `track`, dotted lines over the hill.
        highest: top of the rectangle's axis; None takes the highest corner.
        xlabel, ylabel: words at the axes of the rectangle.
        track_is: what the setting is.
        area_is: what the product is, beside the corner and over the hill.
        now_is: words before the value of the setting.
        idea: a key of `hal.palette.IDEAS`, the colour of the area.
        alt, title, height, wide: as for every scene.
    """

    kind: ClassVar[str] = "area"
    roles: ClassVar[tuple[str, ...]] = ("x", "y", "track", "here")
    moved: ClassVar[tuple[str, ...]] = ("corner",)

    x: str
    y: str
    track: str
    here: str
    corner: str
    marks: Sequence[Mark] = ()
    highest: float | None = None
    xlabel: str = ""
    ylabel: str = ""
    track_is: str = ""
    area_is: str = "area"
    now_is: str = "now:"
    idea: str = "attention"
    height: int = 290

    def spec(self) -> dict[str, Any]:
        """The JSON the page reads."""
        return {**super().spec(), "marks": [mark.label for mark in self.marks], "colour": colour(self.idea, 0)}

    def sources(self) -> dict[str, str]:
        """The name behind every role, the marks m0, m1 and so on among them."""
        return {**super().sources(), **{f"m{j}": mark.name for j, mark in enumerate(self.marks)}}

    def check_sizes(self, arrays: Arrays) -> None:
        """Raise `InputError` where the sizes of the arrays disagree."""
        for role in ("y", "track"):
            self.agree(arrays, role, arrays["x"].size, f"{self.x!r}")
        require(arrays["here"].size == 2, "area", f"{self.here!r} of 2 numbers, a corner", arrays["here"].size)


area = Area  # as an author calls it
