"""Sphinx extension: pages of one section a chapter: the directives `notation`, its symbols, and `papers`, their list.

A section has a heading that the contents list and links can reach. Every file of book/references counts: a chapter
brings SLUG.bib with its paper and what only it cites; `methods.bib` has what chapters share.
"""

from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util.docutils import SphinxDirective

from hal import chapters

FOLDER = "book/references"


def section(state: Any, heading: str, *content: nodes.Node) -> nodes.section:
    """A section of a directive's page; its anchor is made of the heading, which is plain text."""
    made = nodes.section("", nodes.title("", heading), *content, names=[nodes.fully_normalize_name(heading)])
    state.document.note_implicit_target(made, made)
    return made


def parsed(state: Any, text: str, source: str) -> list[nodes.Node]:
    """Markdown without headings as nodes of a directive's page; warnings name the file that it comes from, `source`."""
    box = nodes.Element()
    box.document = state.document
    state.nested_parse(StringList(text.splitlines(), source=source), 0, box)
    return list(box.children)


class Notation(SphinxDirective):
    """The symbols that belong to one chapter, from hal/chapters/SLUG/notation.md: a section for every written one."""

    def run(self) -> list[nodes.Node]:
        """Return one section a chapter, in the order of the book."""
        self.env.note_dependency(chapters.__file__)
        found: list[nodes.Node] = []
        for row in chapters.written():
            path = Path(chapters.__file__).parent / row.slug / "notation.md"
            self.env.note_dependency(str(path))
            shown = parsed(self.state, path.read_text(encoding="utf-8"), str(path))
            found.append(section(self.state, row.heading, *shown))
        return found


def find(app: Sphinx, config: Config) -> None:
    """Tell the bibliography about every file of references that the book has."""
    files = sorted(Path(app.srcdir, FOLDER).glob("*.bib"))
    config["bibtex_bibfiles"] = [path.relative_to(app.srcdir).as_posix() for path in files]


class Papers(SphinxDirective):
    """The papers behind the chapters, in the order of the book."""

    def run(self) -> list[nodes.Node]:
        """Return a list with one paper a chapter."""
        lines = [
            f"{row.number}. {row.title}: {{cite:t}}`{row.reference}`, [arXiv {row.arxiv}](https://arxiv.org/abs/{row.arxiv})"
            for row in chapters.CHAPTERS
            if row.arxiv
        ]
        self.env.note_dependency(chapters.__file__)
        return parsed(self.state, "\n".join(lines), chapters.__file__)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directives; called by Sphinx."""
    app.connect("config-inited", find)
    app.add_directive("notation", Notation)
    app.add_directive("papers", Papers)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
