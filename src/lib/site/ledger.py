"""Sphinx extension: the directive `ledger`, a section for each chapter with its claims and what they measured."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from lib import chapters, claims
from lib.site.sections import section


class Ledger(SphinxDirective):
    """The claims of all written chapters, from results/SLUG/claims.json."""

    def run(self) -> list[nodes.Node]:
        """Return one section a chapter.

        Raises:
            InputError: if a chapter's record is missing or lacks a claim; the text has the command that makes it.
        """
        found: list[nodes.Node] = []
        for row in chapters.written():
            record = Path(self.env.srcdir, "results", row.slug, "claims.json")
            self.env.note_dependency(str(record))
            for source in Path(chapters.__file__).parent.joinpath(row.slug, "claims").glob("*.py"):
                self.env.note_dependency(str(source))
            table = claims.Table(claims.of(row.slug), record)._repr_html_()
            found.append(section(self.state, row.heading, nodes.raw("", table, format="html")))
        return found


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive; called by Sphinx."""
    app.add_directive("ledger", Ledger)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
