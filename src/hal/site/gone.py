"""Sphinx extension: pages in the place of those that have left the book: its old figures in a frame, its old pages.

`gone.json` names them: of each chapter the figures, and of each page where its readers find what is left of it. A link
to a place of a page that is still there is told of by `assets/site.js`.
"""

import json
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from hal import chapters

GONE = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{what} has left the book</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<style>:root {{ color-scheme: light dark; }}
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 36em; margin: 2em auto; padding: 0 20px; }}</style></head>
<body><main><h1>{what} has left the book</h1><p>It belonged to an earlier edition of <cite>{title}</cite>. What is left
of it: <a href="{home}" target="_top">{place}</a>.</p></main></body></html>
"""


def pages() -> Iterator[tuple[str, str, str, str]]:
    """Of each page: its name, what it was, where to go from there, and that place in words."""
    for row in chapters.written():
        for name in GONE["figures"].get(row.slug, []):
            yield (
                f"embed/{row.slug}-{name}",
                "This figure",
                f"../book/{row.slug}.html",
                f"chapter {row.number}, {row.title}",
            )
    for page, (name, title) in GONE["pages"].items():
        yield page, "This page", f"{name}.html", f"the page {title}"


def write(app: Sphinx, exception: Exception | None) -> None:
    """Write them, but for what is there."""
    if exception is not None or app.builder.format != "html":
        return
    for page, what, home, place in pages():
        path = Path(app.outdir, f"{page}.html")
        if not path.is_file() and Path(path.parent, home).is_file():
            text = PAGE.format(what=what, title=escape(app.config.html_title), home=home, place=escape(place))
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension; called by Sphinx."""
    app.connect("build-finished", write)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
