"""Sphinx extension: the directive `errata`, what changed in the statements of each chapter's claims."""

from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from hal import chapters
from hal.claims.errata import changes
from hal.site.sections import parsed, section


class Errata(SphinxDirective):
    """The changes of all written chapters, from hal/chapters/SLUG/errata.json."""

    def run(self) -> list[nodes.Node]:
        """Return one section a chapter."""
        self.env.note_dependency(chapters.__file__)
        found: list[nodes.Node] = []
        for row in chapters.written():
            path = Path(chapters.__file__).parent / row.slug / "errata.json"
            self.env.note_dependency(str(path))
            lines = [f"* {change.claim}, {change.date}: {change.what}" for change in changes(row.slug)]
            content = parsed(self.state, "\n".join(lines) or "No statement has changed.", str(path))
            found.append(section(self.state, row.heading, *content))
        return found


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive; called by Sphinx."""
    app.add_directive("errata", Errata)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
