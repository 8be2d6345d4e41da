"""What a chapter teaches, in three answers, each with its evidence; kept in `chapters/SLUG/row.json`."""

import json
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from hal.chapters import chapter
from hal.claims.ledger import CLAIM
from hal.tables import words_html
from lib.errors import require

__all__ = ["COLUMNS", "Entry", "TakeHome", "read", "take_home"]

#: The columns by name, in their order: what is asked of every chapter.
COLUMNS = {
    "first": "What is learned first?",
    "order": "Why in that order?",
    "speed": "What decides how fast?",
}


class Entry(NamedTuple):
    """One cell of the table."""

    text: str  #: one to three sentences; may hold formulas between dollars, without the book's macros
    claim: str  #: id of the claim that measures it: "SCB-9"
    figure: str  #: the chapter's figure that shows it, settings after a colon: "scb-quiet", "scb-quiet:T=64"


def parse(slug: str, cells: Any) -> dict[str, Entry]:
    """The row of a chapter from what its file holds.

    Args:
        slug: of the chapter.
        cells: column -> {"text": ..., "claim": ..., "figure": ...}, every column and no other.

    Returns:
        Column -> entry, in the order of `COLUMNS`.
    """
    require(isinstance(cells, dict), f"row of {slug}", "an object", type(cells).__name__)
    odd = ", ".join(sorted(set(cells) ^ set(COLUMNS)))
    require(not odd, f"row of {slug}", f"the columns {', '.join(COLUMNS)} and no other", f"a difference in {odd}")
    prefix = f"{chapter(slug).prefix}-"
    for column, cell in cells.items():
        full = isinstance(cell, dict) and list(cell) == list(Entry._fields) and all(map(str.strip, cell.values()))
        require(full, f"{column} in the row of {slug}", "text, claim and figure, none empty", repr(cell))
        require(cell["claim"].startswith(prefix), f"claim of {column}", f"an id that begins {prefix}", cell["claim"])
        label = f"{slug}-"
        require(cell["figure"].startswith(label), f"figure of {column}", f"a label {label}NAME", cell["figure"])
    return {column: Entry(**cells[column]) for column in COLUMNS}


def read(slug: str) -> dict[str, Entry]:
    """The row of a chapter, from `chapters/SLUG/row.json`; see `parse`."""
    path = Path(__file__).parent / chapter(slug).slug / "row.json"
    require(path.is_file(), "slug", "a chapter with a file row.json", repr(slug))
    return parse(slug, json.loads(path.read_text(encoding="utf-8")))


class TakeHome:
    """The box above the first figure: three questions and their answers, each with its claim and figure."""

    def __init__(self, slug: str) -> None:
        self.row = read(slug)

    def __repr__(self) -> str:
        return "\n".join(f"{COLUMNS[one]} {entry.text} ({entry.claim})" for one, entry in self.row.items())

    def _repr_html_(self) -> str:
        answers = "".join(
            f"<p><strong>{escape(COLUMNS[column])}</strong> {words_html(entry.text)} "
            f'<a href="#{entry.figure}">Figure</a> <span class="{CLAIM}">({entry.claim})</span></p>'
            for column, entry in self.row.items()
        )
        ticks = '<p class="hal-ticks">✓ Checked by running the book’s code. Click a ✓ to see what was checked.</p>'
        return f'<div class="admonition hal-take">{answers}{ticks}</div>'


def take_home(slug: str) -> TakeHome:
    """The box of a chapter, as HTML in a page and as text in a terminal."""
    return TakeHome(slug)
