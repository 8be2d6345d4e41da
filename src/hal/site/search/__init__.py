"""Sphinx extension: the search finds the chapters before the reference, and its excerpts show a formula once.

Sphinx takes a script with what a result is worth (`html_search_scorer`); it also mends how Sphinx reads a page's text.
"""

import json
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

from hal import chapters

SCRIPT = Path(__file__).with_name("search.js")


def scorer() -> str:
    """The script, with the pages of the chapters in the order of the book."""
    pages = [f"book/{row.slug}" for row in chapters.written()]
    return SCRIPT.read_text(encoding="utf-8").replace("CHAPTERS", json.dumps(pages))


def write(app: Sphinx) -> None:
    """Write the script beside what Sphinx keeps between builds, and tell Sphinx."""
    path = Path(app.doctreedir, SCRIPT.name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(scorer(), encoding="utf-8")
    app.config["html_search_scorer"] = str(path)


def forget_entries(app: Sphinx, doctree: nodes.document, name: str) -> None:
    """Keep the entries of the printed index out of the search: they name the API again, 29 kB for every page."""
    for entry in list(doctree.findall(addnodes.index)):
        entry.parent.remove(entry)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension; called by Sphinx."""
    app.connect("builder-inited", write)
    app.connect("doctree-resolved", forget_entries)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
