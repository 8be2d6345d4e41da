"""Arrows: directions from one point, on an arc, with the angle between the first two in text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from hal.explorer.charts import Arrays
from hal.explorer.marks import colour
from hal.explorer.objects.base import GREY, Scene, bare, last
from lib.errors import require

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, kw_only=True)
class Arrows(Scene):
    """Arrows of length one from one point; angles in degrees, from the right, against the clock.

    Args:
        angles: key of the directions (n,).
        names: what each arrow is, written at its head.
        ideas: colours, keys of `hal.palette.IDEAS`, one an arrow; fewer begin anew.
        lengths: key of the lengths (n,) beside the arc's radius; None makes them 1.
        expected: key of directions (k,), drawn as dashed grey lines.
        expected_is: what they are, written at the first.
        span: where the arc begins and ends; 360 degrees are a circle.
        between: write the angle between the first two arrows.
        turn: settings in degrees, one for each of the first arrows, moved by dragging its head or with arrow keys.
        idea: colour of the angle, a key of `hal.palette.IDEAS`.
        alt, title, height, wide, frames: as for every scene; `angles` and `lengths` move.

    Raises:
        InputError: if there is no name, the arc has no extent or more than a circle's, or more arrows turn than are.
    """

    kind: ClassVar[str] = "arrows"
    roles: ClassVar[tuple[str, ...]] = ("angles", "lengths", "expected")
    moved: ClassVar[tuple[str, ...]] = ("turn",)

    angles: str
    names: Sequence[str]
    ideas: Sequence[str] = ("first", "second")
    lengths: str | None = None
    expected: str | None = None
    expected_is: str = ""
    span: tuple[float, float] = (0.0, 90.0)
    between: bool = True
    turn: Sequence[str] = ()
    idea: str = "attention"

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self.names, "names", "a name for each arrow", self.names)
        low, high = self.span
        require(0 < high - low <= 360, "span", "an arc (from, to) of at most 360 degrees", self.span)
        require(len(self.turn) <= len(self.names), "turn", f"at most {len(self.names)} settings", self.turn)

    def spec(self) -> dict[str, Any]:
        """The JSON the page reads."""
        hues = [colour(self.ideas[j % len(self.ideas)], j) for j in range(len(self.names))]
        lists = {"names": list(self.names), "turn": list(self.turn), "span": list(self.span)}
        return {**super().spec(), **lists, "colours": hues}

    def check_sizes(self, arrays: Arrays) -> None:
        """Raise `InputError` where the sizes of the arrays disagree."""
        for role in ("angles", "lengths"):
            self.whole(arrays, role, len(self.names))

    def still(self, axes: Axes, arrays: Arrays) -> None:
        """Draw the last frame."""
        n, (low, high) = len(self.names), np.radians(self.span)
        turns, long = np.radians(last(arrays["angles"], n)), last(arrays.get("lengths", np.ones(n)), n)
        arc = np.linspace(low, high, 90)
        axes.plot(np.cos(arc), np.sin(arc), color=GREY, linewidth=0.8)
        for k, turned in enumerate(np.radians(arrays.get("expected", np.empty(0)))):
            axes.plot([0, np.cos(turned)], [0, np.sin(turned)], color=GREY, linestyle=(0, (4, 2)), linewidth=1.2)
            if k == 0 and self.expected_is:
                axes.text(1.03 * np.cos(turned), 1.03 * np.sin(turned), self.expected_is, fontsize=9, color=GREY)
        hues = self.spec()["colours"]
        for j in range(n):
            head = long[j] * np.cos(turns[j]), long[j] * np.sin(turns[j])
            if not np.isfinite(head).all():
                continue
            look = {"arrowstyle": "-|>", "color": hues[j], "linewidth": 2.2, "shrinkA": 0, "shrinkB": 0}
            axes.annotate("", head, (0, 0), arrowprops=look)
            side = "left" if head[0] >= 0 else "right"
            axes.text(1.06 * head[0], 1.06 * head[1], self.names[j], color=hues[j], fontsize=10, ha=side)
        if self.between and n > 1 and np.isfinite(turns[:2]).all():
            part = np.linspace(turns[0], turns[1], 40)
            axes.plot(0.32 * np.cos(part), 0.32 * np.sin(part), color=self.spec()["idea"], linewidth=1.6)
            middle, said = part.mean(), f"{abs(np.degrees(turns[1] - turns[0])):.0f}°"
            axes.text(0.42 * np.cos(middle), 0.42 * np.sin(middle), said, ha="center", va="center", fontsize=11)
        x, y = np.append(np.cos(arc), 0), np.append(np.sin(arc), 0)
        bare(axes, (x.min() - 0.2, x.max() + 0.5), (y.min() - 0.12, y.max() + 0.15))
        axes.set_aspect("equal")


arrows = Arrows  # as an author calls it
