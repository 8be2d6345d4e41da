"""Sphinx extension: what catalogues of literature read in the head of a page, `citation_*`.

The landing page is the book, each chapter's page a part of it that is about its paper. All words come from CITATION.cff
and the registry of chapters.
"""

from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from hal import chapters
from hal.chapters import Chapter
from hal.site.landing.cards import cited


def head(book: dict[str, Any], home: str, row: Chapter | None) -> str:
    """Markup for the head of the landing page, or of a chapter's page.

    Args:
        book: CITATION.cff, as `cited` reads it.
        home: address of the site, ending in a slash.
        row: the chapter; None for the landing page.
    """
    title = row.title if row else book["title"]
    address = f"{home}book/{row.slug}.html" if row else home
    names = [("citation_title", title), *(("citation_author", name) for name in book["names"])]
    names += [("citation_inbook_title", book["title"])] if row else []
    names += [("citation_public_url", address), ("citation_language", "en")]
    date = str(book.get("date-released", ""))
    names += [("citation_publication_date", date.replace("-", "/"))] if date else []
    return "".join(f'<meta name="{name}" content="{escape(text, quote=True)}">' for name, text in names)


def add(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Put it into the head of a page that it is for."""
    pages = {"index": None, **{f"book/{row.slug}": row for row in chapters.written()}}
    if page in pages:
        book = cited(Path(app.srcdir, "CITATION.cff"))
        context["metatags"] = context.get("metatags", "") + head(book, app.config.html_baseurl, pages[page])


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension; called by Sphinx."""
    app.connect("html-page-context", add)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
