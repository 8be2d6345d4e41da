"""Sphinx extension: the search finds the chapters before the reference, and its excerpts show a formula once.

Sphinx takes a script with what a result is worth (`html_search_scorer`); it also mends how Sphinx reads a page's text.
"""

import json
from pathlib import Path
from typing import Any

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


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension; called by Sphinx."""
    app.connect("builder-inited", write)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
