"""Area: a rectangle whose corner moves along a curve, and beside it its area over a setting, as a hill."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from hal.explorer.charts import Arrays
from hal.explorer.marks import Mark, colour
from hal.explorer.objects.base import GREY, Scene, bare
from lib.errors import require

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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

    def still(self, axes: Axes, arrays: Arrays) -> None:
        """Draw the rectangle on the left and the hill on the right, each in a box of its own."""
        x, y, (wide, high) = arrays["x"], arrays["y"], arrays["here"]
        hue, areas = colour(self.idea, 0), x * y
        most = max(float(x.max()), 1e-300), self.highest or max(float(y.max()), 1e-300), max(float(areas.max()), 1e-300)
        log = np.log(arrays["track"])
        place = 1.15 + 0.75 * (log - log[0]) / max(log[-1] - log[0], 1e-300)
        axes.plot(x / most[0], y / most[1], color=GREY, linestyle="--")
        axes.fill([0, wide / most[0], wide / most[0], 0], [0, 0, high / most[1], high / most[1]], color=hue, alpha=0.35)
        axes.plot([wide / most[0]], [high / most[1]], "o", color=hue)
        axes.plot([0, 1], [0, 0], color=GREY, linewidth=0.8)
        axes.plot([0, 0], [0, 1], color=GREY, linewidth=0.8)
        axes.fill_between(place, 0, areas / most[2], color=hue, alpha=0.35)
        axes.axhline(0, 0, 1, color=GREY, linewidth=0.5)
        for words, spot, side in ((f"↑ {self.ylabel}", (0, 1.06), "left"), (f"{self.xlabel} →", (1, -0.1), "right")):
            axes.text(*spot, words, ha=side, fontsize=9)
        axes.text(1.15, 1.06, f"↑ {self.area_is}; {self.track_is} →", fontsize=9)
        told = f"{self.area_is}\n= {wide:.3g} × {high:.3g} = {wide * high:.3g}"
        axes.text(wide / most[0] + 0.03, high / most[1] + 0.03, told)
        bare(axes, (-0.05, 1.95), (-0.15, 1.15))


area = Area  # as an author calls it
