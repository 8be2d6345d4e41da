"""Sphinx extension: references. Every file of book/references counts; the directive `papers` lists the chapters' own.

A chapter brings book/references/SLUG.bib with its paper and what only it cites; `methods.bib` has what chapters share.
"""

from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util.docutils import SphinxDirective

from hal import chapters
from hal.site.sections import parsed

FOLDER = "book/references"


def find(app: Sphinx, config: Config) -> None:
    """Tell the bibliography about every file of references that the book has."""
    files = sorted(Path(app.srcdir, FOLDER).glob("*.bib"))
    config["bibtex_bibfiles"] = [path.relative_to(app.srcdir).as_posix() for path in files]


class Papers(SphinxDirective):
    """The papers of all chapters, written or announced, in the order of the book."""

    def run(self) -> list[nodes.Node]:
        """Return a list with one paper a chapter."""
        lines = [
            f"{row.number}. {row.title}: {{cite:t}}`{row.reference}`, [arXiv {row.arxiv}](https://arxiv.org/abs/{row.arxiv})"
            for row in chapters.CHAPTERS
        ]
        self.env.note_dependency(chapters.__file__)
        return parsed(self.state, "\n".join(lines), chapters.__file__)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive; called by Sphinx."""
    app.connect("config-inited", find)
    app.add_directive("papers", Papers)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
