"""Sphinx extension: the directive `notation`, each written chapter's symbols from `hal/chapters/SLUG/notation.md`."""

from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from hal import chapters
from hal.site.sections import parsed, section

FOLDER = Path(chapters.__file__).parent


class Notation(SphinxDirective):
    """The symbols that belong to one chapter, a section each, in the order of the book."""

    def run(self) -> list[nodes.Node]:
        """Return one section a chapter."""
        self.env.note_dependency(chapters.__file__)
        found: list[nodes.Node] = []
        for row in chapters.written():
            path = FOLDER / row.slug / "notation.md"
            self.env.note_dependency(str(path))
            content = parsed(self.state, path.read_text(encoding="utf-8"), str(path))
            found.append(section(self.state, row.heading, *content))
        return found


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive; called by Sphinx."""
    app.add_directive("notation", Notation)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
