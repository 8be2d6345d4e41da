"""A grid: a matrix as ink in cells, signed, with frames around cells, and a cell that can be picked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from hal.explorer.charts import Arrays
from hal.explorer.objects.base import GREY, Scene, last
from hal.palette import IDEAS
from lib.errors import require

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, kw_only=True)
class Grid(Scene):
    """Cells with ink: as strong as the root of a number beside the largest, purple where it is negative.

    Args:
        cells: key of the numbers, row after row.
        rows, columns: how many, or the key of a single number.
        row_names, column_names: a letter or a word each; none counts from 1.
        rows_are, columns_are: what rows and columns are, "token found".
        outline: key of marks, row after row: cells where it is not zero have a frame.
        largest: the number that has full ink; None takes the largest of what is shown.
        root: ink by the square root, so that small numbers are seen; False: in proportion.
        digits: decimals of the numbers in the cells; None writes none.
        pick: settings (row, column) that take the cell, from 1, that is clicked or reached with the arrow keys.
        idea: colour, a key of `hal.palette.IDEAS`.
        alt, title, height, wide, frames: as for every scene; `cells` moves.
    """

    kind: ClassVar[str] = "grid"
    roles: ClassVar[tuple[str, ...]] = ("cells", "outline", "rows", "columns")
    moved: ClassVar[tuple[str, ...]] = ("pick",)

    cells: str
    rows: int | str
    columns: int | str
    row_names: Sequence[str] = ()
    column_names: Sequence[str] = ()
    rows_are: str = ""
    columns_are: str = ""
    outline: str | None = None
    largest: float | None = None
    root: bool = True
    digits: int | None = None
    pick: tuple[str, str] | None = None
    idea: str = "output"

    def spec(self) -> dict[str, Any]:
        """The JSON the page reads; sizes that are numbers among it."""
        sizes = {k: v for k in ("rows", "columns") if not isinstance(v := getattr(self, k), str)}
        names = {"row_names": list(self.row_names), "column_names": list(self.column_names)}
        return {**super().spec(), **sizes, **names}

    def shape(self, arrays: Arrays) -> tuple[int, int]:
        """Rows and columns."""
        rows, columns = (int(arrays[k][0]) if k in arrays else int(getattr(self, k)) for k in ("rows", "columns"))
        return rows, columns

    def check_sizes(self, arrays: Arrays) -> None:
        """Raise `InputError` where the sizes of the arrays disagree."""
        rows, columns = self.shape(arrays)
        self.agree(arrays, "outline", rows * columns, "the cells")
        size = arrays["cells"].size
        whole = size % (rows * columns) == 0 and (self.frames or size == rows * columns)
        require(whole, "grid", f"{self.cells!r} of whole parts of {rows} x {columns} numbers", size)
        for names, count in ((self.row_names, rows), (self.column_names, columns)):
            require(not names or len(names) >= count, "grid", f"names of {count} rows or columns", list(names))

    def still(self, axes: Axes, arrays: Arrays) -> None:
        """Draw the last frame."""
        rows, columns = self.shape(arrays)
        z: NDArray[Any] = last(arrays["cells"], rows * columns).reshape(rows, columns)
        most = self.largest or max(float(np.nanmax(np.abs(z))), 1e-12)
        spec = self.spec()
        for (i, j), value in np.ndenumerate(z):
            share = min(1.0, abs(value) / most) if np.isfinite(value) else 0.0
            hue = spec["idea"] if value >= 0 else IDEAS["mirror"]
            axes.fill_between(
                [j + 0.04, j + 0.96], i + 0.04, i + 0.96, color=hue, alpha=share**0.5 if self.root else share, lw=0
            )
            framed = "outline" in arrays and arrays["outline"].reshape(rows, columns)[i, j] != 0
            edge = ([j, j + 1, j + 1, j, j], [i, i, i + 1, i + 1, i])
            axes.plot(
                *edge, color="#111111" if framed else GREY, linewidth=1.4 if framed else 0.3, zorder=3 if framed else 1
            )
            if self.digits is not None:
                axes.text(j + 0.5, i + 0.5, f"{value:.{self.digits}f}", ha="center", va="center", fontsize=9)
        axes.set_xlim(-0.5, columns + 0.5)
        axes.set_ylim(rows + 0.5, -0.5)
        axes.set_aspect("equal" if max(rows, columns) < 3 * min(rows, columns) else "auto")
        axes.set_frame_on(False)
        axes.tick_params(length=0)
        for side, names, count in (("x", self.column_names, columns), ("y", self.row_names, rows)):
            few = range(0, count, max(1, count // 24))
            getattr(axes, f"set_{side}ticks")([i + 0.5 for i in few], [names[i] if names else str(i + 1) for i in few])
        axes.set_xlabel(self.columns_are)
        axes.set_ylabel(self.rows_are)


grid = Grid  # as an author calls it
