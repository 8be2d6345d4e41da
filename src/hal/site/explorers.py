"""Sphinx extension: explorers on built pages.

It tells the notebooks' kernels to export their explorers, moves the programs of a page's explorers into one file, where
no module is twice, and puts the chart script on the pages that need it.
"""

import os
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

from hal.explorer import assets
from hal.explorer.page import STATIC
from hal.explorer.program import digest

MODULE = re.compile(r'<script class="le-module" data-key="([^"]+)">(.*?)</script>', re.S)
ROOT = re.compile(r'<div class="lib-explorer" data-explorer="([a-z0-9_-]+)"')
POKE = '<div class="lib-explorer lib-poke"'  # a sample to poke: its small program stays in the page


def prepare(app: Sphinx) -> None:
    """Switch static export on, write the script and the styles."""
    os.environ[STATIC] = "1"  # inherited by the kernels
    out = Path(app.outdir) / "_static"
    (out / "explorers").mkdir(parents=True, exist_ok=True)
    (out / "explorer.js").write_text(assets.script(), encoding="utf-8")
    (out / "explorer.css").write_text(assets.style(), encoding="utf-8")


def programs_file(app: Sphinx, modules: dict[str, str]) -> str:
    """Name of a file with these modules, by its content; it is written."""
    programs = f"programs-{digest(' '.join(modules))}"
    file = Path(app.outdir) / "_static" / "explorers" / f"{programs}.js"
    file.write_text("\n".join([*modules.values(), ""]), encoding="utf-8")
    return programs


def lift(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Move the programs of a page's explorers into one file, named by its content.

    Raises:
        ExtensionError: if two explorers of the page have the same name.
    """
    if app.builder.format != "html":
        return
    if any(POKE in node.astext() for node in doctree.findall(nodes.raw)):
        doctree["pokes"] = True
    found = [(node, match) for node in doctree.findall(nodes.raw) if (match := ROOT.search(node.astext()))]
    names = [match[1] for _, match in found]
    for name in names:
        if names.count(name) > 1:
            raise ExtensionError(f"{docname}: expected explorers with different names, got {name!r} twice")
    if not found:
        return
    modules = {key: text for node, _ in found for key, text in MODULE.findall(node.astext())}
    programs = programs_file(app, modules)
    for node, match in found:
        text = MODULE.sub("", node.astext())
        text = text.replace(match[0], f'{match[0]} data-programs="{programs}"', 1)
        node.children = [nodes.Text(text)]
        node.rawsource = text
    doctree["explorers"] = names


def dress(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Put the chart script and its styles on pages with an explorer, and on no other."""
    if doctree is not None and (doctree.get("explorers") or doctree.get("pokes")):
        app.add_css_file("explorer.css")
        # async: `defer` would wait behind the theme's scripts
        options: Any = {"async": "async"}
        app.add_js_file("explorer.js", **options)


def sweep_away(app: Sphinx, exception: Exception | None) -> None:
    """Delete files of programs that no page asks for any more."""
    if exception is not None or app.builder.format != "html":
        return
    folder = Path(app.outdir) / "_static" / "explorers"
    pages = "".join(p.read_text(encoding="utf-8") for p in Path(app.outdir).rglob("*.html"))
    for path in folder.glob("*.js"):
        if f'data-programs="{path.stem}"' not in pages:
            path.unlink()


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension; called by Sphinx."""
    app.connect("builder-inited", prepare)
    app.connect("doctree-resolved", lift)
    app.connect("html-page-context", dress)
    app.connect("build-finished", sweep_away)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
