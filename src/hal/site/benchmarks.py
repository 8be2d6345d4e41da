"""Sphinx extension: the directive `benchmarks`, what each chapter's benchmark wrote into its record.

A benchmark writes its tables as plain text: `tables`, a list of {"says", "head", "rows", "label", "note"}, and
`provenance`. This module shows any such record and knows no chapter.
"""

from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from hal import results
from hal.chapters import Chapter
from hal.site.sections import OfEachChapter
from hal.tables import table_html
from lib.errors import require

TABLE = ("says", "head", "rows", "label", "note")


def benchmark_html(record: Mapping[str, Any]) -> str:
    """The tables of one benchmark, and where they were measured.

    Args:
        record: the content of a hal/results/SLUG/benchmarks.json; a table's `says` comes before its rows and `note`
            after them, and either may be empty.

    Raises:
        InputError: if the record has no tables, or one has other parts.
    """
    require(record.get("tables"), "record", "tables (run the benchmark with --record)", f"only {', '.join(record)}")
    html = ""
    for table in record["tables"]:
        require(sorted(table) == sorted(TABLE), "table", f"the parts {', '.join(TABLE)}", ", ".join(table))
        rows = [[escape(cell) for cell in row] for row in table["rows"]]
        html += _paragraph(table["says"]) + table_html(table["head"], rows, table["label"]) + _paragraph(table["note"])
    where = record["provenance"]
    settings = ", ".join(f"{name} {value}" for name, value in where["settings"].items())
    return (
        f"{html}<p>Timed in turns in one process on {escape(where['processor'])}, {where['threads']} thread, "
        f"{escape(where['date'][:10])}, by <code>{escape(where['command'])}</code> ({escape(settings)}).</p>"
    )


def _paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>" if text else ""


class Benchmarks(OfEachChapter):
    """What the benchmarks of the written chapters recorded."""

    def file(self, row: Chapter) -> Path:
        """The chapter's record."""
        return results.path_of(row.slug, "benchmarks")

    def shown(self, row: Chapter, path: Path) -> list[nodes.Node]:
        """The record's tables.

        Raises:
            InputError: if it is missing; the text has the command that makes it.
        """
        record = results.read(path, "a recorded benchmark", f"python benchmarks/{row.slug}.py --record")
        return [nodes.raw("", benchmark_html(record), format="html")]


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive; called by Sphinx."""
    app.add_directive("benchmarks", Benchmarks)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
