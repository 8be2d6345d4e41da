"""Sphinx extension: tables that the reference pages show from recorded results and from the build itself.

Directives: `claims` (a chapter's claims from results/claims.json), `benchmarks` (results/benchmarks.json), `budgets`
(results/budgets.json, see `lib.site.budgets`) and `page-weights` (measured on the finished site).
"""

from __future__ import annotations

import gzip
import json
import re
import struct
from collections.abc import Mapping
from functools import cache
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from lib.errors import require
from lib.site.budgets import Budgets
from lib.site.timings import timings_html
from lib.tables import table_html

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


class Claims(SphinxDirective):
    """The claims of one chapter with what they measured; the argument is the chapter's slug."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the table as raw HTML."""
        from lib import claims
        from lib.claims.ledger import Table

        record = Path(self.env.srcdir, "results", "claims.json")
        self.env.note_dependency(str(record))
        for source in Path(claims.__file__).parent.rglob("*.py"):
            self.env.note_dependency(str(source))
        return [nodes.raw("", Table(claims.of(self.arguments[0]), record)._repr_html_(), format="html")]


class Benchmarks(SphinxDirective):
    """What the benchmarks of the chapters recorded."""

    def run(self) -> list[nodes.Node]:
        """Return the tables of all chapters, as raw HTML."""
        path = Path(self.env.srcdir, "results", "benchmarks.json")
        self.env.note_dependency(str(path))
        require(path.is_file(), "results/benchmarks.json", "a record (python benchmarks/scb.py --record)", "no file")
        return [nodes.raw("", timings_html(json.loads(path.read_text())), format="html")]


class PageWeights(SphinxDirective):
    """A place for the sizes of all pages, filled in when the build has finished."""

    def run(self) -> list[nodes.Node]:
        """Return the empty place."""
        return [nodes.raw("", f"{OPEN}{CLOSE}", format="html")]


@cache
def _zipped(path: Path) -> int:
    return len(gzip.compress(path.read_bytes(), 9))


def weight(site: Path, page: str) -> tuple[int, int]:
    """Bytes of the page's first load, gzip: (everything, ours).

    Counted are the page, its styles, scripts and pictures, and the web fonts of formulas if it has any. Explorer data
    that are loaded on nearing count with the first explorer of the page only.

    Args:
        site: the folder of the built site.
        page: a page's path in it, "book/scb.html".
    """
    text = (site / page).read_text(encoding="utf-8")
    found = {site / page}
    for tag in _LOADED.findall(text):
        address = re.search(r"(?:src|href)=[\"']([^\"']+)", tag)
        if address and not re.match(r"(?:[a-z]+:)?//|data:", address[1]) and 'loading="lazy"' not in tag:
            found.add((site / page).parent / unquote(re.split("[?#]", address[1])[0]))
    if data := re.search(r'data-payload="([^"]+)"', text):
        found.add(site / "_static" / "explorers" / f"{data[1]}.js")
    fonts = [name for name, uses in _FONTS.items() if re.search(rf'class="[^"]*\b(?:{uses})\b', text)]
    found |= {site / f"_static/katex/fonts/KaTeX_{name}.woff2" for name in fonts}
    files = {path.resolve() for path in found}
    return sum(map(_zipped, files)), sum(_zipped(path) for path in files if OURS.search(path.as_posix()))


def _fill_weights(app: Sphinx, exception: Exception | None) -> None:
    """Write the sizes into every page that has the place for them."""
    if exception is not None or app.builder.format != "html":
        return
    site = Path(app.outdir)
    _zipped.cache_clear()  # another build in the same process
    pages = [name for name in sorted(app.env.found_docs) if (site / f"{name}.html").is_file()]
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


def _tidy(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Mend the body of a page, if it has one."""
    if "body" in context:
        sources = {name: Path(app.srcdir, path) for path, name in getattr(app.builder, "images", {}).items()}
        context["body"] = lazy_pictures(plain_list(context["body"]), sources)


def plain_list(body: str) -> str:
    """Return a page without the roles of docutils' bibliography, a list that may not hold the back links it holds."""
    return re.sub(r' role="(?:list|doc-biblioentry)"', "", body) if "citation-list" in body else body


def lazy_pictures(body: str, sources: Mapping[str, Path]) -> str:
    """Return a page whose PNG pictures load when they are near, in a place of their size kept free from the start.

    Args:
        body: HTML.
        sources: name in the site's `_images` -> the file.
    """

    def improve(tag: re.Match[str]) -> str:
        found = re.search(r'src="[^"]*_images/([^"]+\.png)"', tag[0])
        source = sources.get(found[1]) if found else None
        if source is None or not source.is_file() or re.search(r" (?:width|height|style|loading)=", tag[0]):
            return tag[0]
        width, height = struct.unpack(">II", source.read_bytes()[16:24])  # the PNG header
        return f'<img loading="lazy" width="{width}" height="{height}"{tag[0].removeprefix("<img")}'

    return re.sub(r"<img [^>]*>", improve, body)


def escape_plain(line: str) -> str:
    r"""Return a docstring line whose signs are only text: our docstrings are plain English with plain formulas.

    Bars and stars are escaped, `x` becomes literal, and what stands in literals or doctests is left alone.

    Args:
        line: one line of a docstring.
    """
    if line.lstrip().startswith((">>>", "...", "..")):
        return line
    pieces = re.split(r"(:[\w:]+:`[^`]+`|``[^`]+``|`[^`]+`)", line)
    for i, piece in enumerate(pieces):
        if i % 2 == 0:
            pieces[i] = re.sub(r"([|*])|(?<=\w)(_)(?!\w)", r"\\\1\2", piece)
        elif not piece.startswith((":", "``")):
            pieces[i] = f"`{piece}`"
    return "".join(pieces)


def _plain_docstrings(app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]) -> None:
    lines[:] = map(escape_plain, lines)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directives; called by Sphinx."""
    app.add_directive("claims", Claims)
    app.add_directive("benchmarks", Benchmarks)
    app.add_directive("budgets", Budgets)
    app.add_directive("page-weights", PageWeights)
    app.connect("autodoc-process-docstring", _plain_docstrings, priority=100)  # before napoleon writes its markup
    app.connect("html-page-context", _tidy)
    app.connect("build-finished", _fill_weights, priority=900)  # after the others have copied their files
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
