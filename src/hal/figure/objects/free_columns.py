"""Columns: bars with widths of their own, over a line that can be dragged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from hal.figure.charts import Arrays, Limits
from hal.figure.marks import colour
from hal.figure.objects.base import Scene
from lib.errors import require


@dataclass(frozen=True, kw_only=True)
class Columns(Scene):
    """A few wide bars, with a line across them.

    Args:
        heights: key of the heights (n,).
        widths: key of the widths (n,), in proportion; None makes them equal.
        kinds: key of numbers (n,) from 0: the colour of each bar among `ideas`.
        ideas: keys of `hal.palette.IDEAS`.
        names: under the bars; none counts from 1.
        ylabel: word at the top of the axis.
        ylim: (low, high); None for an end that follows the data.
        level: key of the height of the line (1,).
        line: the setting that is the height of the line, dragged at its right end; it needs `ylim`.
        rise, track: keys of heights (R,), increasing, and of the values (R,) of the setting at which the line is so
            high, where the setting is something else than the height, such as time.
        parted: fill only what lies between a bar's top and the line.
        line_is: what the line is, written on it.
        pick: the setting that takes the place, from 1, of a bar that is clicked or reached with the arrow keys.
        alt, title, height, wide, frames: as for every scene; `heights` and `level` move.

    Bars that are higher than `ylim` are cut, which is seen.
    """

    kind: ClassVar[str] = "columns"
    roles: ClassVar[tuple[str, ...]] = ("heights", "widths", "kinds", "level", "rise", "track")
    moved: ClassVar[tuple[str, ...]] = ("line", "pick")

    heights: str
    widths: str | None = None
    kinds: str | None = None
    ideas: Sequence[str] = ("output",)
    names: Sequence[str] = ()
    ylabel: str = ""
    ylim: Limits = None
    level: str | None = None
    line: str | None = None
    rise: str | None = None
    track: str | None = None
    parted: bool = False
    line_is: str = ""
    pick: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        fixed = self.ylim is not None and None not in self.ylim
        known = fixed and self.level
        require(self.line is None or known, "line", "both ends in ylim, and its height in level", self.ylim)

    def spec(self) -> dict[str, Any]:
        """The JSON the page reads."""
        return {**super().spec(), "colours": [colour(idea, j) for j, idea in enumerate(self.ideas)]}

    def size(self, arrays: Arrays) -> int:
        """How many bars there are."""
        still = [arrays[role].size for role in ("widths", "kinds") if role in arrays]
        return int(still[0]) if still else len(self.names) or arrays["heights"].size

    def check_sizes(self, arrays: Arrays) -> None:
        """Raise `InputError` where the sizes of the arrays disagree."""
        n = self.size(arrays)
        for role in ("widths", "kinds"):
            self.agree(arrays, role, n, "the bars")
        if "rise" in arrays:
            self.agree(arrays, "track", arrays["rise"].size, f"{self.rise!r}")
        whole = arrays["heights"].size % n == 0 and (self.frames or arrays["heights"].size == n)
        require(whole, "columns", f"{self.heights!r} of whole parts of {n} numbers", arrays["heights"].size)


columns = Columns  # as an author calls it
