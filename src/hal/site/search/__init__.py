"""Sphinx extension: the search finds the chapters before the reference, and shows a sentence of each result.

Sphinx takes a script with what a result is worth (`html_search_scorer`). The sentences stand in a file of their own,
`paragraphs.js`, which the search page alone loads, also from a disk: Sphinx would fetch every page that it finds. The
theme loads the whole index on every page, for results while one types, which this book does not show.
"""

import json
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

from hal import chapters
from hal.site.formulas import spoken
from hal.site.tidy import rewrite_pages

LOADED = re.compile(r'\s*<script src="[^"]*(?:searchtools|language_data|searchindex)\.js[^"]*"></script>')
SCRIPT = Path(__file__).with_name("search.js")
BLOCKS = (nodes.paragraph, nodes.term, nodes.title, nodes.caption)


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


def forget_entries(app: Sphinx, doctree: nodes.document, name: str) -> None:
    """Keep the entries of the printed index out of the search: they name the API again, 29 kB for every page."""
    for entry in list(doctree.findall(addnodes.index)):
        entry.parent.remove(entry)


def without_index(page: str) -> str:
    """A page that does not load what only the search page needs, a tenth of a chapter's first load."""
    return LOADED.sub("", page)


def words_of(app: Sphinx, node: nodes.Node) -> str:
    """The text of a block as one reads it, its formulas as a screen reader has them."""
    if isinstance(node, nodes.Text):
        return str(node)
    if isinstance(node, (nodes.math, nodes.math_block)):
        return spoken(app, node.astext())
    return "".join(words_of(app, child) for child in node.children)


def paragraphs(app: Sphinx, doctree: nodes.document) -> list[tuple[str, list[str]]]:
    """Of each section its id and the text of its own blocks, single words left out, in their order."""
    found: dict[str, list[str]] = {}
    for block in doctree.findall(lambda node: isinstance(node, BLOCKS)):
        section = block.parent
        while section is not None and not isinstance(section, nodes.section):
            section = section.parent
        text = " ".join(words_of(app, block).split())
        if section is not None and (" " in text or isinstance(block, nodes.title)):
            found.setdefault(section["ids"][0], []).append(text)
    return list(found.items())


def lighten(app: Sphinx, exception: Exception | None) -> None:
    """Take the index out of every page but that of the search, which gets the paragraphs of all."""
    if exception is not None or app.builder.format != "html":
        return
    told_of = [name for name in sorted(app.env.found_docs) if not name.startswith("book/api/")]  # objects have a line
    texts = {name: paragraphs(app, app.env.get_doctree(name)) for name in told_of}
    told = json.dumps(texts, ensure_ascii=False, separators=(",", ":"))
    (Path(app.outdir) / "_static" / "paragraphs.js").write_text(
        f"globalThis.halParagraphs = {told};\n", encoding="utf-8"
    )
    with_text = '<script src="_static/paragraphs.js"></script></head>'
    rewrite_pages(
        app,
        lambda path, page: page.replace("</head>", with_text, 1) if path.name == "search.html" else without_index(page),
    )


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension; called by Sphinx."""
    app.connect("builder-inited", write)
    app.connect("doctree-resolved", forget_entries)
    app.connect("build-finished", lighten)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
