"""Sphinx extension: the directive `benchmarks`, what each chapter's benchmark wrote into results/SLUG/benchmarks.json.

A benchmark writes its tables as plain text: `tables`, a list of {"says", "head", "rows", "label", "note"}, and
`provenance`. This module shows any such record and knows no chapter.
"""

from collections.abc import Mapping
from html import escape
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from hal import chapters, results
from hal.site.sections import section
from hal.tables import table_html
from lib.errors import require

TABLE = ("says", "head", "rows", "label", "note")


def benchmark_html(record: Mapping[str, Any]) -> str:
    """Return the tables of one benchmark, and where they were measured.

    Args:
        record: the content of a results/SLUG/benchmarks.json: tables, of which `says` comes before the rows and `note`
            after them (either may be empty), and provenance.

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


class Benchmarks(SphinxDirective):
    """What the benchmarks of the written chapters recorded."""

    def run(self) -> list[nodes.Node]:
        """Return one section a chapter.

        Raises:
            InputError: if a chapter's record is missing; the text has the command that makes it.
        """
        self.env.note_dependency(chapters.__file__)
        found: list[nodes.Node] = []
        for row in chapters.written():
            path = results.path_of(row.slug, "benchmarks")
            self.env.note_dependency(str(path))
            record = results.read(path, "a recorded benchmark", f"python benchmarks/{row.slug}.py --record")
            html = benchmark_html(record)
            found.append(section(self.state, row.heading, nodes.raw("", html, format="html")))
        return found


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive; called by Sphinx."""
    app.add_directive("benchmarks", Benchmarks)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
