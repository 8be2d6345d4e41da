"""Sphinx extension: the directive `recorded-sweeps`, what each sweep that the chapters hold has cost.

A record whose "runs" are rows with "seconds" of the processor is a sweep; see `hal.results.rows`.
"""

import json
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from hal import results
from hal.chapters import records, written
from hal.tables import table_html


class Cost(NamedTuple):
    """One recorded sweep."""

    slug: str
    name: str
    settings: int
    seconds: float  #: of the processor, all settings and seeds together
    dearest: float  #: the same, of its dearest setting
    date: str


def costs(folder: Path = results.FOLDER) -> list[Cost]:
    """The recorded sweeps of all chapters, in the order of the book."""
    found = []
    for slug in (row.slug for row in written()):
        for name in records.names(slug):
            path = results.path_of(slug, name, folder)
            record: dict[str, Any] = json.loads(path.read_text()) if path.is_file() else {}
            took = [row.get("seconds") for row in record.get("runs", [])]
            if took and None not in took:
                found.append(Cost(slug, name, len(took), sum(took), max(took), record["provenance"]["date"][:10]))
    return found


def costs_html(found: list[Cost]) -> str:
    """The table, and what all of them took together."""
    titles = {row.slug: row.title for row in written()}
    rows = [
        [
            f'<a href="{one.slug}.html">{escape(titles[one.slug])}</a>', f"<code>{escape(one.name)}</code>",
            str(one.settings), f"{one.seconds:.0f}", f"{one.dearest:.1f}", one.date,
        ]
        for one in found
    ]  # fmt: skip
    head = ["Chapter", "Record", "Settings", "Seconds", "Dearest setting", "Made"]
    together = f"<p>All of them together: {sum(one.seconds for one in found) / 3600:.1f} core-hours.</p>"
    return table_html(head, rows, "Recorded sweeps") + together


class RecordedSweeps(SphinxDirective):
    """The table of recorded sweeps."""

    def run(self) -> list[nodes.Node]:
        """Return the table as raw HTML."""
        found = costs()
        for one in found:
            self.env.note_dependency(str(results.path_of(one.slug, one.name)))
        return [nodes.raw("", costs_html(found), format="html")]


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive; called by Sphinx."""
    app.add_directive("recorded-sweeps", RecordedSweeps)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
