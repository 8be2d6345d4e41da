"""Points: labelled points of a plane, lines through them, a query to drag."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from hal.figure.charts import Arrays
from hal.figure.marks import Path, colour
from hal.figure.objects.base import Scene
from lib.errors import require


@dataclass(frozen=True, kw_only=True)
class Points(Scene):
    """Points with a sign each, and lines with their names.

    Args:
        x, y: keys of the places (n,); y moves.
        kinds: key of the kinds of the points (n,) from 0: colour and sign.
        ideas: colours of the kinds, keys of `hal.palette.IDEAS`.
        signs: a letter each, in the points; none draws plain dots.
        kind_names: what the kinds are, for the table and the read-out.
        at_x, at_y: keys of the query's place (1,).
        query: settings (x, y), moved by dragging the query or with the arrow keys.
        query_is: what it is, in a word.
        lines: curves, each with its name at its end; x or y moves.
        xlim, ylim: (low, high) of the picture.
        xlabel, ylabel: words at the ends of the axes.
        equal: one unit is as long on both axes.
        xticks: (place, name) along the bottom, in place of the limits of x.
        ends: write the limits at the ends of the axes; False where they are places and no numbers.
        alt, title, height, wide, frames: as for every scene; `y` and the lines move.
    """

    kind: ClassVar[str] = "points"
    roles: ClassVar[tuple[str, ...]] = ("x", "y", "kinds", "at_x", "at_y", "lines")
    moved: ClassVar[tuple[str, ...]] = ("query",)

    x: str
    y: str
    xlim: tuple[float, float]
    ylim: tuple[float, float]
    kinds: str | None = None
    ideas: Sequence[str] = ("data",)
    signs: Sequence[str] = ()
    kind_names: Sequence[str] = ()
    at_x: str | None = None
    at_y: str | None = None
    query: tuple[str, str] | None = None
    query_is: str = "query"
    lines: Sequence[Path] = ()
    xlabel: str = ""
    ylabel: str = ""
    equal: bool = False
    xticks: Sequence[tuple[float, str]] = ()
    ends: bool = True
    height: int = 280

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, (low, high) in (("xlim", self.xlim), ("ylim", self.ylim)):
            require(low < high, name, "(low, high) with low below high", (low, high))
        placed = (self.at_x is None) == (self.at_y is None) and (self.query is None or self.at_x is not None)
        require(placed, "at_x, at_y", "the keys of the query's place", (self.at_x, self.at_y))

    def spec(self) -> dict[str, Any]:
        """The JSON the page reads."""
        look = ((p.label, p.theory, colour(p.idea, i, p.theory)) for i, p in enumerate(self.lines))
        marks = [{"label": label, "theory": theory, "colour": hue} for label, theory, hue in look]
        hues = [colour(idea, j) for j, idea in enumerate(self.ideas)]
        names = {k: list(getattr(self, k)) for k in ("signs", "kind_names", "xlim", "ylim")}
        return {**super().spec(), **names, "colours": hues, "marks": marks}

    def sources(self) -> dict[str, str]:
        """The name behind every role; x0, y0 and so on of the lines."""
        return super().sources() | {f"{side}{j}": getattr(p, side) for j, p in enumerate(self.lines) for side in "xy"}

    def check_sizes(self, arrays: Arrays) -> None:
        """Raise `InputError` where the sizes of the arrays disagree, or a kind has no colour."""
        n = arrays["x"].size
        for role in ("kinds",) if self.frames else ("y", "kinds"):
            self.agree(arrays, role, n, f"{self.x!r}")
        self.whole(arrays, "y", n)
        for j, p in enumerate(self.lines):
            size, found = arrays[f"x{j}"].size, arrays[f"y{j}"].size
            fits = found == size or (self.frames and max(found, size) % min(found, size) == 0)
            require(fits, "points", f"{p.x!r} and {p.y!r} of one size", found)
        kinds = arrays.get("kinds", np.zeros(1))
        known = ((kinds >= 0) & (kinds < len(self.ideas))).all()
        require(known, "points", f"kinds from 0 to {len(self.ideas) - 1}", f"{kinds.min():g} to {kinds.max():g}")


points = Points  # as an author calls it
