"""Sphinx extension: the body of every page, mended: pictures keep their place, roles and names do not clash.

Of what the theme brings, the site leaves out what no page loads.

A sandboxed frame may load no font from a server. So icons stand in the theme's style sheet, and for text and formulas
such a frame loads style sheets that hold their fonts.
"""

import re
import shutil
import struct
from base64 import b64encode
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx


def plain_list(body: str) -> str:
    """Return a page without the roles of docutils' bibliography, a list that may not hold the back links it holds."""
    return re.sub(r' role="(?:list|doc-biblioentry)"', "", body) if "citation-list" in body else body


def folds_by_their_words(body: str) -> str:
    """Return a page whose folded cells are called what their bar says, and not all of them "Toggle hidden content"."""
    return body.replace('<summary aria-label="Toggle hidden content">', "<summary>")


def without_shared_ids(body: str) -> str:
    """Return a page without the id that sphinx-proof gives to the content of every statement: an id is of one place."""
    return body.replace(' id="proof-content"', "")


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


def rewrite_pages(app: Sphinx, change: Callable[[Path, str], str]) -> None:
    """Change every page of a site that has been written, templates of the theme aside, which no page loads.

    Args:
        app: that has written it.
        change: file and its text -> what the text becomes.
    """
    for path in Path(app.outdir).rglob("*.html"):
        if "_static" in path.parts:
            continue
        before = path.read_text(encoding="utf-8")
        after = change(path, before)
        if after != before:
            path.write_text(after, encoding="utf-8")


def _tidy(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    if "body" in context:
        sources = {name: Path(app.srcdir, path) for path, name in getattr(app.builder, "images", {}).items()}
        body = without_shared_ids(folds_by_their_words(plain_list(context["body"])))
        context["body"] = lazy_pictures(body, sources)


#: Style sheets with fonts -> those that a frame loads in their place.
HELD = {"katex/katex.min.css": "katex/katex.framed.css", "site.css": "site.framed.css"}
FRAMED = """if(origin==="null"&&location.protocol!=="file:")\
for(const link of document.querySelectorAll('link[href*="/katex.min.css"],link[href*="/site.css"]'))\
link.href=link.href.replace(/(katex|site)(\\.min)?\\.css/,"$1.framed.css")"""


def holding_fonts(style: str, folder: Path) -> str:
    """Return a style sheet of this folder that holds its fonts, of each the smallest form."""

    def held(found: re.Match[str]) -> str:
        font = b64encode((folder / found[1]).read_bytes()).decode()
        return f'src:url(data:font/woff2;base64,{font}) format("woff2")'

    return re.sub(r'src:url\(([^)"]+\.woff2)\) format\("woff2"\)[^;}]*', held, style)


def lighten(static: Path) -> None:
    """Delete below `_static` what no page loads: maps of sources, fonts that stand there in a smaller form, words of a
    search that is not ours; and the lines that point there.
    """
    for path in (*static.rglob("*.map"), *static.rglob("*.ttf")):
        if path.suffix != ".ttf" or path.with_suffix(".woff2").is_file():
            path.unlink()
    shutil.rmtree(static / "locales", ignore_errors=True)
    for path in (*static.glob("styles/*.css"), *static.glob("scripts/*.js")):
        before = path.read_text(encoding="utf-8")
        after = re.sub(r"(?m)^//# sourceMappingURL=.*|/\*# sourceMappingURL=.*?\*/", "", before)
        after = holding_fonts(after, path.parent) if path.suffix == ".css" else after
        if after != before:
            path.write_text(after, encoding="utf-8")


def _lighten(app: Sphinx, exception: Exception | None) -> None:
    if exception is None and app.builder.format == "html":
        static = Path(app.outdir, "_static")
        lighten(static)
        for sheet, framed in HELD.items():
            path = static / sheet
            (static / framed).write_text(holding_fonts(path.read_text("utf-8"), path.parent), "utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension; called by Sphinx."""
    app.add_js_file(None, body=FRAMED)  # behind the style sheets, before the page
    app.connect("html-page-context", _tidy)
    app.connect("build-finished", _lighten)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
