"""Tables as HTML and as text: for claims, figures' numbers and the reference pages."""

import re
from collections.abc import Sequence
from html import escape

from lib.errors import require

#: Class of a formula in HTML that a cell shows: JupyterLab sets the TeX in it, and so does the build of the book.
FORMULA = "lib-tex"


def words_html(text: str) -> str:
    r"""Plain words with formulas between dollars, `of size $1/T$`, as HTML."""
    return re.sub(r"\$([^$]+)\$", rf'<span class="{FORMULA}">$\1$</span>', escape(text))


def table_html(
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    label: str,
    kind: str = "",
    attributes: Sequence[str] = (),
) -> str:
    """An HTML table that scrolls sideways in itself and can be reached by keyboard.

    Args:
        head: column titles; text.
        rows: cells of each row; HTML. The first cell of a row is its title.
        label: what the table is, for screen readers.
        kind: a further class for the style sheet.
        attributes: of each row, HTML; none if empty.
    """
    for row in rows:
        require(len(row) == len(head), "rows", f"{len(head)} cells a row", f"{len(row)} in {row[0]}")
    of_rows = [f" {one}" for one in attributes] or [""] * len(rows)
    require(len(of_rows) == len(rows), "attributes", f"one of each of {len(rows)} rows", str(len(of_rows)))
    top = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
    body = "".join(
        f'<tr{own}><th scope="row">{first}</th>{"".join(f"<td>{cell}</td>" for cell in rest)}</tr>'
        for own, (first, *rest) in zip(of_rows, rows, strict=True)
    )
    kinds = f"pst-scrollable-table-container {kind}".rstrip()
    return (
        f'<div class="{kinds}" tabindex="0" role="region" aria-label="{escape(label)}">'
        f'<table class="table hal-table"><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>'
    )


class Table:
    """Rows of plain text that show as an HTML table in a page and as columns in a terminal; see `table_html`."""

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
