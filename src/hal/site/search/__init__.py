"""Sphinx extension: the search finds the chapters before the reference, and its excerpts show a formula once.

Sphinx takes a script with what a result is worth (`html_search_scorer`); it also mends how Sphinx reads a page's text.
The theme loads the whole index on every page, for results while one types, which this book does not show.
"""

import json
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

from hal import chapters
from hal.site.tidy import rewrite_pages

LOADED = re.compile(r'\s*<script src="[^"]*(?:searchtools|language_data|searchindex)\.js[^"]*"></script>')
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


def without_index(page: str) -> str:
    """A page that does not load what only the search page needs, a tenth of a chapter's first load."""
    return LOADED.sub("", page)


def lighten(app: Sphinx, exception: Exception | None) -> None:
    """Take the index out of every page but that of the search."""
    if exception is None and app.builder.format == "html":
        rewrite_pages(app, lambda path, page: page if path.name == "search.html" else without_index(page))


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension; called by Sphinx."""
    app.connect("builder-inited", write)
    app.connect("doctree-resolved", forget_entries)
    app.connect("build-finished", lighten)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
