"""The Sphinx extension of the book: plain `jupyter-book build .` gives the interactive site.

It tells the notebooks' kernels to export their explorers, forgets cached notebooks when the library changed, moves
each explorer's data from the page into a file of its own, and puts the chart script on the pages that need it.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.errors import ExtensionError
from sphinx.util import logging

from lib.explorer import assets
from lib.explorer.explorer import STATIC

LIBRARY = Path(__file__).parent.parent
# Parts of the library that no notebook's output depends on.
NOT_IN_OUTPUTS = ("site",)
PAYLOAD = re.compile(r'<script type="text/plain" class="le-payload" data-hash="([0-9a-f]+)">([A-Za-z0-9+/=]*)</script>')
ROOT = re.compile(r'<div class="lib-explorer" data-explorer="([a-z0-9_-]+)"')
logger = logging.getLogger(__name__)


def library_hash(source: Path | None = None) -> str:
    """Hash of what notebooks read: the library's Python files, and the recorded results of the book.

    Args:
        source: root of the book, whose results/*.json count; None leaves them out.
    """
    digest = hashlib.sha256()
    for path in sorted(source.glob("results/*.json")) if source else []:
        digest.update(path.read_bytes())
    for path in sorted(LIBRARY.rglob("*.py")):
        name = path.relative_to(LIBRARY)
        if name.parts[0] not in NOT_IN_OUTPUTS:
            digest.update(f"{name.as_posix()}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def prepare(app: Sphinx) -> None:
    """Switch static export on, forget notebooks cached with another library, write the script and the styles."""
    os.environ[STATIC] = "1"  # inherited by the kernels
    cache = Path(app.config["nb_execution_cache_path"] or Path(app.outdir).parent / ".jupyter_cache")
    stamp, now = cache / "library.sha256", library_hash(Path(app.srcdir))
    if cache.is_dir() and (not stamp.exists() or stamp.read_text() != now):
        logger.info("lib changed: forgetting the notebooks cached in %s", cache.name)
        shutil.rmtree(cache)
    cache.mkdir(parents=True, exist_ok=True)
    stamp.write_text(now)
    out = Path(app.outdir) / "_static"
    (out / "explorers").mkdir(parents=True, exist_ok=True)
    (out / "explorer.js").write_text(assets.script(), encoding="utf-8")
    (out / "explorer.css").write_text(assets.style(), encoding="utf-8")


def outdated(app: Sphinx, env: BuildEnvironment, added: Any, changed: Any, removed: Any) -> list[str]:
    """Read every notebook again if the library changed since the last build."""
    now, before = library_hash(Path(app.srcdir)), getattr(env, "library_hash", None)
    env.library_hash = now  # type: ignore[attr-defined]  # Sphinx keeps what an extension hangs on it
    return [] if before in (None, now) else [name for name in env.found_docs if env.doc2path(name).endswith(".ipynb")]


def lift(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Move the data of a page's explorers into files named by their content.

    Raises:
        ExtensionError: if two explorers of the page have the same name.
    """
    if app.builder.format != "html":
        return
    names: list[str] = []
    for node in list(doctree.findall(nodes.raw)):
        text = node.astext()
        if ROOT.search(text) is None:
            continue
        match = ROOT.search(text)
        assert match is not None
        name = match[1]
        if name in names:
            raise ExtensionError(f"{docname}: expected explorers with different names, got {name!r} twice")
        names.append(name)

        def write(found: re.Match[str], name: str = name) -> str:
            file = f"{name}-{found[1]}"
            path = Path(app.outdir) / "_static" / "explorers" / f"{file}.js"
            path.write_text(f'libExplorerData("{file}","{found[2]}");\n', encoding="ascii")
            return ""

        digest = PAYLOAD.search(text)
        text = PAYLOAD.sub(write, text)
        if digest:
            text = text.replace(match[0], f'{match[0]} data-payload="{name}-{digest[1]}"', 1)
        node.children = [nodes.Text(text)]
        node.rawsource = text
    if names:
        doctree["explorers"] = names


def dress(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Put the chart script and its styles on pages with an explorer, and on no other."""
    if doctree is not None and doctree.get("explorers"):
        app.add_css_file("explorer.css")
        # async: `defer` would wait behind the theme's scripts
        options: Any = {"async": "async"}
        app.add_js_file("explorer.js", **options)


def sweep_away(app: Sphinx, exception: Exception | None) -> None:
    """Delete data files that no page asks for any more."""
    if exception is not None or app.builder.format != "html":
        return
    folder = Path(app.outdir) / "_static" / "explorers"
    pages = "".join(p.read_text(encoding="utf-8") for p in Path(app.outdir).rglob("*.html"))
    for path in folder.glob("*.js"):
        if f'data-payload="{path.stem}"' not in pages:
            path.unlink()


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension."""
    app.connect("builder-inited", prepare)
    app.connect("env-get-outdated", outdated)
    app.connect("doctree-resolved", lift)
    app.connect("html-page-context", dress)
    app.connect("build-finished", sweep_away)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
