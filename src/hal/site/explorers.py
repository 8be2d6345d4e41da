"""Sphinx extension: explorers on built pages.

It tells the notebooks' kernels to export their explorers, moves the programs of a page's explorers into one file, where
no module is twice, and puts the chart script on the pages that need it.
"""

import importlib
import importlib.util
import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

from hal.figure import assets
from hal.figure.editor import Start, editor, model, trained
from hal.figure.page import STATIC
from hal.figure.program import digest
from hal.site.scripts import shortened, write_script

MODULE = re.compile(r'<script class="le-module" data-key="([^"]+)">(.*?)</script>', re.S)
SPEC = re.compile(r'<script type="application/json" class="le-spec">(.*?)</script>', re.S)
#: A model that a page prints.
PRINTED = re.compile(r"/src/((?:lib/models/\w+|hal/chapters/\w+/models)/(?:textbook\w*|full))\.py$")
ROOT = re.compile(r'<div class="lib-explorer" data-explorer="([a-z0-9_-]+)"')
SAMPLE = '<div class="lib-explorer lib-sample"'  # an interactive sample: its small program stays in the page


def prepare(app: Sphinx) -> None:
    """Switch static export on, write the script and the styles."""
    os.environ[STATIC] = "1"  # inherited by the kernels
    out = Path(app.outdir) / "_static"
    (out / "explorers").mkdir(parents=True, exist_ok=True)
    write_script(out / "explorer.js", assets.script())
    (out / "explorer.css").write_text(assets.style(), encoding="utf-8")


def programs_file(app: Sphinx, modules: dict[str, str]) -> str:
    """Name of a file with these modules, by its content; it is written, what is no program shortened."""
    programs = f"programs-{digest(' '.join(modules))}"
    file = Path(app.outdir) / "_static" / "explorers" / f"{programs}.js"
    texts = [shortened(text) if key.startswith("part-") else text for key, text in modules.items()]
    file.write_text("\n".join([*texts, ""]), encoding="utf-8")
    return programs


def lift(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Move the programs of a page's explorers into one file, named by its content.

    Raises:
        ExtensionError: if two explorers of the page have the same name.
    """
    if app.builder.format != "html":
        return
    if any(SAMPLE in node.astext() for node in doctree.findall(nodes.raw)):
        doctree["samples"] = True
    found = [(node, match) for node in doctree.findall(nodes.raw) if (match := ROOT.search(node.astext()))]
    names = [match[1] for _, match in found]
    for name in names:
        if names.count(name) > 1:
            raise ExtensionError(f"{docname}: expected explorers with different names, got {name!r} twice")
    if not found:
        return
    modules = {key: text for node, _ in found for key, text in MODULE.findall(node.astext())}
    programs = programs_file(app, modules)
    folder = Path(app.outdir) / "_static" / "explorers"
    specs = {match[1]: json.loads(SPEC.search(node.astext())[1]) for node, match in found}  # type: ignore[index]  # every figure has one
    changes = _changes(folder, docname, {name: spec for name, spec in specs.items() if spec["computes"]["textbook"]})
    for node, match in found:
        text = MODULE.sub("", node.astext())
        text = text.replace(match[0], f'{match[0]} data-programs="{programs}"{changes.get(match[1], "")}', 1)
        node.children = [nodes.Text(text)]
        node.rawsource = text
    doctree["explorers"] = names


def _changes(folder: Path, docname: str, specs: dict[str, Any]) -> dict[str, str]:
    """Write what readers need to change the models of a page; the attributes by which its figures find it."""
    if not specs:
        return {}
    own, starts = shortened(editor()), _starts(docname.rpartition("/")[2])
    code = f"change-{digest(own)}"
    (folder / f"{code}.js").write_text(own, encoding="utf-8")
    found = {}
    for name, spec in specs.items():
        told = json.loads(model(spec, starts))
        rest, told["sources"] = told["sources"], {told["book"]: told["sources"].pop(told["book"])}
        found[name] = f' data-editor="{code}" data-trains="{" ".join(trained(spec["computes"]["textbook"]))}"'
        for part, content in (
            ("model", told),
            ("rest", rest),
        ):  # what is shown comes on the click, the rest with the first key
            text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
            key = f"{part}-{name}-{digest(text)}"
            (folder / f"{key}.js").write_text(f'(globalThis.libPortable??={{}})["{key}"] = {text};\n', encoding="utf-8")
            found[name] += f' data-{part}="{key}"'
    return found


def _starts(slug: str) -> Sequence[Start]:
    """The ways to begin of a chapter, where it has some."""
    name = f"hal.chapters.{slug}.changes"
    known = importlib.util.find_spec(f"hal.chapters.{slug}") and importlib.util.find_spec(name)
    return importlib.import_module(name).STARTS if known else ()


def offer(app: Sphinx, doctree: nodes.document) -> None:
    """Put a button under every printed model."""
    del app
    for block in list(doctree.findall(nodes.literal_block)):
        printed = PRINTED.search(block.get("source") or "")
        if printed:
            name = printed[1].replace("/", ".")
            button = f'<button type="button" class="le-change-open" data-module="{name}">Change it</button>'
            block.parent.insert(block.parent.index(block) + 1, nodes.raw("", button, format="html"))


def dress(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Put the chart script and its styles on pages with an explorer, and on no other."""
    if doctree is not None and (doctree.get("explorers") or doctree.get("samples")):
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
        if f'="{path.stem}"' not in pages:
            path.unlink()


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension; called by Sphinx."""
    app.connect("builder-inited", prepare)
    app.connect("doctree-read", offer)
    app.connect("doctree-resolved", lift)
    app.connect("html-page-context", dress)
    app.connect("build-finished", sweep_away)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
