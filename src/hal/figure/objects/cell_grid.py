"""A grid: a matrix as ink in cells, signed, with frames around cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from hal.figure.charts import Arrays
from hal.figure.objects.base import Scene
from lib.errors import require


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
        square: cells are squares where the shape of the matrix allows it; False: as wide as there is room.
        idea: colour, a key of `hal.palette.IDEAS`.
        alt, title, height, wide, frames: as for every scene; `cells` moves.
    """

    kind: ClassVar[str] = "grid"
    roles: ClassVar[tuple[str, ...]] = ("cells", "outline", "rows", "columns")

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
    square: bool = True
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


grid = Grid  # as an author calls it
