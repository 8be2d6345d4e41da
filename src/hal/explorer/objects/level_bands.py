"""A landscape: a function of two numbers by level lines in one ordered ramp, runs in it, a start to drag."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from hal.explorer.charts import Arrays
from hal.explorer.marks import Path, check_axis, colour, shown
from hal.explorer.objects.base import GREY, Scene
from lib.errors import require

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, kw_only=True)
class Landscape(Scene):
    """Bands of a function between its grid's points, light where it is low; over them paths, a watershed, names.

    Args:
        x, y: keys of the places of the grid (G,) and (H,), increasing.
        z: key of the numbers on it, row after row of y (H x G).
        levels: how many bands.
        xlabel, ylabel: axis titles with the unit in brackets at the end.
        xlog, ylog: logarithmic axes, whose grid then lies evenly on the logarithm.
        paths: runs; the first is the marble's own. One run a row where there are several.
        watershed: a path that parts the valleys.
        places: points with a name each, written beside it.
        start: settings (x, y), moved by dragging the marble or with the arrow keys.
        alt, title, height, wide: as for every scene.

    Raises:
        InputError: if a label has no unit.
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
    xlog: bool = False
    ylog: bool = False
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

    def still(self, axes: Axes, arrays: Arrays) -> None:
        """Draw bands, paths and names."""
        x, y = arrays["x"], arrays["y"]
        z = arrays["z"].reshape(y.size, x.size)
        if np.isfinite(z).any() and np.nanmax(z) > np.nanmin(z):
            levels = np.linspace(np.nanmin(z), np.nanmax(z), self.levels + 1)
            axes.contourf(x, y, z, levels=levels, cmap="Greys", alpha=0.55)
            axes.contour(x, y, z, levels=levels, colors=GREY, linewidths=0.4, linestyles="solid")
        for j, (role, p) in enumerate(self.marks):
            mx, my, hue = arrays[f"x{j}"], arrays[f"y{j}"], self.spec()["marks"][j]["colour"]
            if role == "place":
                axes.plot(mx[-1:], my[-1:], "o", color="#111111", markersize=3)
                axes.annotate(p.label, (mx[-1], my[-1]), (5, 5), textcoords="offset points", fontsize=9)
                continue
            line = (0, (4, 2)) if p.theory or role == "watershed" else "solid"
            axes.plot(mx, my, color=hue, linestyle=line, linewidth=1.8 if role == "path" else 1.2, label=p.label)
            if role == "path":
                axes.plot(mx[:1], my[:1], "o", color=hue, markersize=5)
        axes.set_xlim(x[0], x[-1])
        axes.set_ylim(y[0], y[-1])
        axes.set_xscale("log" if self.xlog else "linear")
        axes.set_yscale("log" if self.ylog else "linear")
        axes.set_xlabel(self.spec()["xlabel"])
        axes.set_ylabel(self.spec()["ylabel"])


landscape = Landscape  # as an author calls it
