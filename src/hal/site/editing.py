"""Budgets of the editor, in which readers change a model: bytes on the click, and waits; the directive `editing`.

The numbers come from a browser: `python benchmarks/browser/editor.py` records them in hal/results/site/editor.json.
"""

import gzip
import re
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from hal import results
from hal.site.budgets import SIDE_BY_SIDE
from hal.tables import table_html

__all__ = ["COMMAND", "CURVE_MS", "EDITOR", "READY_MS", "RECORD", "editing_html", "limit", "missed", "weights"]

COMMAND = "python benchmarks/browser/editor.py"
RECORD = results.path_of("site", "editor")

#: Most bytes, gzip, that come on the click: editor, translator, and the Python of all that a figure trains. A figure
#: that trains several models side by side brings the Python of each: half as much again for all of them together.
EDITOR, SIDE = 35_000, 52_500
#: Longest from the click to the editor, and from the last key to the first new curve, in ms.
READY_MS, CURVE_MS = 300, 350

FIGURE = re.compile(r'data-explorer="([^"]+)"[^>]*? data-editor="([^"]+)" data-model="([^"]+)"')


def weights(site: Path, page: str) -> dict[str, int]:
    """Bytes, gzip, that the editor of each figure of a page of the built site brings on the click.

    Args:
        site: the folder of the built site.
        page: "book/scb.html".
    """
    folder = site / "_static" / "explorers"

    def size(key: str) -> int:
        return len(gzip.compress((folder / f"{key}.js").read_bytes(), 9))

    found = FIGURE.findall((site / page).read_text(encoding="utf-8"))
    return {name: size(code) + size(model) for name, code, model in found}


def limit(name: str) -> int:
    """Most bytes that the editor of a figure brings."""
    return SIDE if name in SIDE_BY_SIDE else EDITOR


def missed(record: Mapping[str, Any]) -> list[str]:
    """What a record has over the limits, a sentence each."""
    said = []
    for name, one in record["figures"].items():
        for what, key, most in (
            ("bytes on the click", "bytes", limit(name)),
            ("ms to begin", "ready_ms", READY_MS),
            ("ms to the first new curve", "curve_ms", CURVE_MS),
        ):
            if one[key] > most:
                said.append(f"{name}: {one[key]} {what}, at most {most}")
    return said


def editing_html(record: Mapping[str, Any]) -> str:
    """The table of the performance page: bytes and waits of each figure whose model can be changed."""
    where = record["provenance"]
    rows = [
        [escape(name), f"{one['bytes'] / 1000:.1f}", f"{one['ready_ms']:.0f}", f"{one['curve_ms']:.0f}"]
        for name, one in record["figures"].items()
    ]
    over = [f"<strong>over</strong>: {escape(line)}" for line in missed(record)]
    said = "; ".join(over) if over else "All are kept."
    head = ["Figure", "On the click (kB)", "To begin (ms)", "Last key to the first new curve (ms)"]
    return (
        f"<p>Limits: {EDITOR / 1000:g} kB ({SIDE / 1000:g} where several models train side by side), {READY_MS} ms, "
        f"{CURVE_MS} ms. {said} Measured in {escape(where['settings']['browser'])} on {escape(where['processor'])}, "
        f"{escape(where['date'][:10])}, by <code>{escape(where['command'])}</code>.</p>"
        + table_html(head, rows, "What it costs to change a model")
    )


class Editing(SphinxDirective):
    """What the editor of each figure costs."""

    def run(self) -> list[nodes.Node]:
        """Return the table as raw HTML."""
        self.env.note_dependency(str(RECORD))
        if not RECORD.is_file():  # the site is built before it is measured
            return [nodes.raw("", f"<p>Not measured yet (<code>{COMMAND}</code>).</p>", format="html")]
        record = results.read(RECORD, "the recorded costs of the editor", COMMAND)
        return [nodes.raw("", editing_html(record), format="html")]


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive; called by Sphinx."""
    app.add_directive("editing", Editing)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
