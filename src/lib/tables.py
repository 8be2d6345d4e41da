"""Tables as HTML and as text: for claims, figures' numbers and the reference pages."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from lib.errors import require


def table_html(head: Sequence[str], rows: Sequence[Sequence[str]], label: str, kind: str = "") -> str:
    """An HTML table that scrolls sideways in itself and can be reached by keyboard.

    Args:
        head: column titles; text.
        rows: cells of each row; HTML. The first cell of a row is its title.
        label: what the table is, for screen readers.
        kind: a further class for the style sheet.

    Raises:
        InputError: if a row has another number of cells than the head.
    """
    for row in rows:
        require(len(row) == len(head), "rows", f"{len(head)} cells a row", f"{len(row)} in {row[0]}")
    top = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
    body = "".join(
        f'<tr><th scope="row">{first}</th>{"".join(f"<td>{cell}</td>" for cell in rest)}</tr>' for first, *rest in rows
    )
    kinds = f"pst-scrollable-table-container {kind}".rstrip()
    return (
        f'<div class="{kinds}" tabindex="0" role="region" aria-label="{escape(label)}">'
        f'<table class="table hal-table"><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>'
    )


class Table:
    """Rows of plain text that show as an HTML table in a page and as columns in a terminal.

    Args:
        head: column titles.
        rows: cells of each row.
        label: what the table is, for screen readers.
    """

    def __init__(self, head: Sequence[str], rows: Sequence[Sequence[str]], label: str) -> None:
        self.head, self.rows, self.label = list(head), [list(row) for row in rows], label

    def __repr__(self) -> str:
        widths = [max(map(len, column)) for column in zip(self.head, *self.rows, strict=True)]
        return "\n".join(
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in [self.head, *self.rows]
        )

    def _repr_html_(self) -> str:
        return table_html(self.head, [[escape(cell) for cell in row] for row in self.rows], self.label)
