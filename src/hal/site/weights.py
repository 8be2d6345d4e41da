"""Sphinx extension: the directive `page-weights`, the size of every page as a server sends it, once all is built."""

import gzip
import re
from functools import cache
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from hal.tables import table_html

OPEN, CLOSE = "<!--page-weights-->", "<!--/page-weights-->"
#: Files of the site that this book brings; the rest comes with the theme.
OURS = re.compile(r"_static/(explorers?[/.-]|hero\.|site\.)")
_LOADED = re.compile(
    r"<link[^>]+rel=[\"'](?:stylesheet|preload)[\"'][^>]*>|<script[^>]+src=[^>]*>|<img[^>]+src=[^>]*>", re.I
)
#: Fonts of formulas, and the classes in KaTeX's markup that use them.
_FONTS = {
    "Main-Regular": "katex",
    "Math-Italic": "mathnormal",
    "Main-Bold": "mathbf|textbf",
    "Math-BoldItalic": "boldsymbol",
    "AMS-Regular": "mathbb|amsrm",
    "Caligraphic-Regular": "mathcal",
    "Size1-Regular": "size1|small-op",
    "Size2-Regular": "size2|large-op",
    "Size3-Regular": "size3",
    "Size4-Regular": "size4|delim-size4",
}


class PageWeights(SphinxDirective):
    """A place for the sizes of all pages, filled in when the build has finished."""

    def run(self) -> list[nodes.Node]:
        """Return the empty place."""
        return [nodes.raw("", f"{OPEN}{CLOSE}", format="html")]


@cache
def zipped(path: Path) -> int:
    """Bytes of a file as a server sends it, gzip."""
    return len(gzip.compress(path.read_bytes(), 9))


def weight(site: Path, page: str) -> tuple[int, int]:
    """Bytes of a page's first load, gzip, of the built site: (everything, ours).

    Counted are the page, its styles, scripts and pictures, and the web fonts of formulas if it has any. The
    programs of its explorers, which load on nearing the first, count too.
    """
    text = (site / page).read_text(encoding="utf-8")
    found = {site / page}
    for tag in _LOADED.findall(text):
        address = re.search(r"(?:src|href)=[\"']([^\"']+)", tag)
        if address and not re.match(r"(?:[a-z]+:)?//|data:", address[1]) and 'loading="lazy"' not in tag:
            found.add((site / page).parent / unquote(re.split("[?#]", address[1])[0]))
    if programs := re.search(r'data-programs="([^"]+)"', text):
        found.add(site / "_static" / "explorers" / f"{programs[1]}.js")
    fonts = [name for name, uses in _FONTS.items() if re.search(rf'class="[^"]*\b(?:{uses})\b', text)]
    found |= {site / f"_static/katex/fonts/KaTeX_{name}.woff2" for name in fonts}
    files = {path.resolve() for path in found}
    return sum(map(zipped, files)), sum(zipped(path) for path in files if OURS.search(path.as_posix()))


def _fill_weights(app: Sphinx, exception: Exception | None) -> None:
    """Write the sizes into every page that has the place for them."""
    if exception is not None or app.builder.format != "html":
        return
    site = Path(app.outdir)
    zipped.cache_clear()  # another build in the same process
    names = sorted(app.env.found_docs, key=lambda name: (name.count("/"), name.startswith("book/api"), name))
    pages = [name for name in names if (site / f"{name}.html").is_file()]
    rows = []
    for name in pages:
        sizes = [f"{size / 1000:.0f} kB" for size in weight(site, f"{name}.html")]
        rows.append([escape(app.env.titles[name].astext()), *sizes])
    filled = OPEN + table_html(["Page", "First load", "of that ours"], rows, "Size of each page") + CLOSE
    for name in pages:
        path = site / f"{name}.html"
        before, place, rest = path.read_text(encoding="utf-8").partition(OPEN)
        if place:
            path.write_text(before + filled + rest.partition(CLOSE)[2], encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive; called by Sphinx."""
    app.add_directive("page-weights", PageWeights)
    app.connect("build-finished", _fill_weights, priority=900)  # after the others have copied their files
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
