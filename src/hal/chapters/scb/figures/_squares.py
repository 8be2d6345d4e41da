"""The two squares of `scb-transfer`: what the layer brings, and what it should know of the new task."""

from typing import Any

from hal.figure import grid

OLD, NEW = "The old V, partly right", "The new P"
BATCH, ONE = "How large a batch?", "Attention after one step"
LETTERS = "abcdefgh"  # of the tokens


def squares() -> list[Any]:
    """Both in the same ink, so that they can be compared cell by cell."""
    look: dict[str, Any] = dict(
        rows="batches.N", columns="batches.N", row_names=LETTERS, column_names=LETTERS, rows_are="token found",
        columns_are="label", largest=1.0, height=200,
    )  # fmt: skip
    bring = "A square, strong where the new one is, with ink in other cells, too; purple is negative."
    want = "A square; in each row one cell is strong, the others are weak."
    return [grid(cells="brought", title=OLD, alt=bring, **look), grid(cells="wanted", title=NEW, alt=want, **look)]
