"""A landscape: a function of two numbers by level lines in one ordered ramp, runs in it, a start to drag."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from hal.figure.charts import Arrays
from hal.figure.marks import Path, check_axis, colour, shown
from hal.figure.objects.base import Scene
from lib.errors import require


@dataclass(frozen=True, kw_only=True)
class Landscape(Scene):
    """Bands of a function between its grid's points, light where it is low; over them paths, a watershed, names.

    Args:
        x, y: keys of the places of the grid (G,) and (H,), increasing.
        z: key of the numbers on it, row after row of y (H x G).
        levels: how many bands.
        xlabel, ylabel: axis titles with the unit in brackets at the end.
        paths: runs; the first is the marble's own. One run a row where there are several.
        watershed: a path that parts the valleys.
        places: points with a name each, written beside it.
        start: settings (x, y), moved by dragging the marble or with the arrow keys.
        alt, title, height, wide: as for every scene.
    """

    kind: ClassVar[str] = "landscape"
    roles: ClassVar[tuple[str, ...]] = ("x", "y", "z", "paths", "watershed", "places")
    moved: ClassVar[tuple[str, ...]] = ("start",)

    x: str
    y: str
    z: str
    levels: int = 12
    xlabel: str
    ylabel: str
    paths: Sequence[Path] = ()
    watershed: Path | None = None
    places: Sequence[Path] = ()
    start: tuple[str, str] | None = None
    height: int = 300

    def __post_init__(self) -> None:
        super().__post_init__()
        check_axis(self.xlabel, "xlabel", self.title)
        check_axis(self.ylabel, "ylabel", self.title)

    @property
    def marks(self) -> list[tuple[str, Path]]:
        """(role, path) of all that lies over the bands, in the order of the roles."""
        parted = [("watershed", self.watershed)] if self.watershed else []
        return [*(("path", p) for p in self.paths), *parted, *(("place", p) for p in self.places)]

    def spec(self) -> dict[str, Any]:
        """The JSON the page reads."""
        marks = [
            {"role": role, "label": p.label, "theory": p.theory, "colour": colour(p.idea, i, p.theory)}
            for i, (role, p) in enumerate(self.marks)
        ]
        return {**super().spec(), "xlabel": shown(self.xlabel), "ylabel": shown(self.ylabel), "marks": marks}

    def sources(self) -> dict[str, str]:
        """The name behind every role: x, y, z, and x0, y0 and so on of the marks."""
        marks = {f"{side}{j}": getattr(p, side) for j, (_, p) in enumerate(self.marks) for side in "xy"}
        return {"x": self.x, "y": self.y, "z": self.z, **marks}

    def check_sizes(self, arrays: Arrays) -> None:
        """Raise `InputError` where the sizes of the arrays disagree."""
        self.agree(arrays, "z", arrays["x"].size * arrays["y"].size, f"{self.x!r} times {self.y!r}")
        for j, (_, p) in enumerate(self.marks):
            sizes = arrays[f"x{j}"].size, arrays[f"y{j}"].size
            require(sizes[0] == sizes[1], "landscape", f"{p.x!r} and {p.y!r} of one size", sizes[1])


landscape = Landscape  # as an author calls it
