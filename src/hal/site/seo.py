"""Sphinx extension: what a released site has beside its pages: 404, robots, a sitemap, licences.

The page for addresses that are not there is shown at any depth, so it brings its style and leads home by the whole
address.

In the head of the landing page and of each chapter stands what catalogues of literature read, `citation_*`. All words
come from CITATION.cff and the registry of chapters.
"""

import re
from collections.abc import Iterable
from html import escape
from importlib.metadata import distribution, files
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from hal import chapters
from hal.chapters import Chapter
from hal.site.landing.cards import cited
from lib.errors import require

LICENCES = "licences.txt"
#: Licences of what the built site carries: what it is, and the file, from the source of the book.
CARRIED = (
    ("The code of the book", "LICENSE"),
    ("Text and figures of the book", "LICENSE-text"),
    ("d3, in the script of the figures", "src/hal/figure/vendor/LICENSES.txt"),
    ("KaTeX, its style and its fonts", "assets/katex/LICENSE.katex"),
    ("Icons of Font Awesome", "assets/vendor/fontawesome/VENDOR.md"),
    ("Source Serif and Source Sans, cut down", "assets/vendor/fonts/VENDOR.md"),
)
#: The packages whose scripts and styles Sphinx copies into the site; their licences come with them.
COPIED = (
    "sphinx", "sphinx-book-theme", "pydata-sphinx-theme", "sphinx-design", "sphinx-copybutton", "sphinx-togglebutton",
    "sphinx-proof", "myst-nb", "pygments", "accessible-pygments",
)  # fmt: skip
MISSING = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Not found: {title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<style>:root {{ color-scheme: light dark; }}
body {{ font: 18px/1.5 system-ui, sans-serif; max-width: 36em; margin: 15vh auto; padding: 0 20px; }}</style></head>
<body><main><h1>This page is not there</h1><p>It may have moved: chapters and the library keep their names, figures are
found from their chapter.</p><p><a href="{home}">To the start of <cite>{title}</cite></a></p></main></body></html>
"""


def sitemap(pages: Iterable[str], home: str) -> str:
    """The addresses of all pages, in order: those that this build did not write anew as well."""
    places = "".join(f"<url><loc>{escape(f'{home}{name}.html')}</loc></url>\n" for name in sorted(pages))
    head = '<?xml version="1.0" encoding="utf-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    return f"{head}\n{places}</urlset>\n"


def licences(source: Path) -> str:
    """The licences of all that the site carries, as one text."""
    texts = [(what, (source / name).read_text(encoding="utf-8")) for what, name in CARRIED]
    texts += [(f"{package}, in `_static`", "\n\n".join(licences_of(package))) for package in COPIED]
    return "\n\n".join(f"{what}\n{'=' * len(what)}\n\n{text.strip()}\n" for what, text in texts)


def licences_of(package: str) -> list[str]:
    """The texts of the licences that an installed package carries, for itself and for what it vendors."""
    names = sorted(str(one) for one in files(package) or [] if re.search(r"licen[sc]e[^/]*$", str(one), re.I))
    require(names, "package", "one that carries its licence", package)
    return [Path(str(distribution(package).locate_file(name))).read_text(encoding="utf-8") for name in names]


def write(app: Sphinx, exception: Exception | None) -> None:
    """Write the files, once the pages are there."""
    if exception is not None or app.builder.format != "html":
        return
    source, title, home = Path(app.srcdir), app.config.html_title, app.config.html_baseurl
    files = {
        "404.html": MISSING.format(title=escape(title), home=escape(home, quote=True)),
        "robots.txt": f"User-agent: *\nAllow: /\nSitemap: {home}sitemap.xml\n",
        "sitemap.xml": sitemap(app.env.found_docs, home),
        LICENCES: licences(source),
    }
    for name, text in files.items():
        Path(app.outdir, name).write_text(text, encoding="utf-8")


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
    """Say in the head of each page where the licences are, and of the pages that are cited what catalogues read."""
    pages = {"index": None, **{f"book/{row.slug}": row for row in chapters.written()}}
    link = f'<link rel="license" href="{context["pathto"](LICENCES, 1)}">'
    if page in pages:
        link = head(cited(Path(app.srcdir, "CITATION.cff")), app.config.html_baseurl, pages[page]) + link
    context["metatags"] = context.get("metatags", "") + link


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension; called by Sphinx."""
    app.connect("html-page-context", add)
    app.connect("build-finished", write)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
