"""Sphinx extension: the directive `sentences`, what was found of what the figures say.

`make sentences` stands every figure at random positions of all its sliders, asks whether each sentence is true there,
breaks the sentences' conditions and numbers one at a time, and writes hal/results/SLUG/sentences.json.
"""

from collections.abc import Mapping
from html import escape
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from hal import chapters, results
from hal.tables import table_html
from lib.errors import require

COMMAND = "make sentences"


def recorded(slug: str) -> dict[str, Any]:
    """By figure of a chapter, what the last trial of its sentences found; empty if there was none."""
    path = results.path_of(slug, "sentences")
    return dict(results.read(path, "the trial of sentences", COMMAND)["figures"]) if path.exists() else {}


def sentences_html(figures: Mapping[str, Any]) -> str:
    """A row for each figure, and the sum.

    Args:
        figures: by name, what was found.

    Raises:
        InputError: if there is none.
    """
    require(figures, "figures", f"recorded trials (`{COMMAND}` makes them)", "none")
    rows = [_row(escape(f"{name}: {one['title']}"), [one]) for name, one in figures.items()]
    rows.append(_row("all", list(figures.values())))
    head = ("Figure", "Positions", "False at first", "False now", "Broken conditions and numbers", "Noticed")
    return table_html(head, rows, "Sentences of the figures")


def _row(title: str, of: list[Mapping[str, Any]]) -> list[str]:
    tried, now = sum(one["tried"] for one in of), sum(len(one["wrong"]) for one in of)
    before = [one["before"] for one in of if "before" in one]
    then = f"{sum(n for n, _ in before)} of {sum(n for _, n in before):,}" if before else "new"
    made, missed = sum(one["broken"] for one in of), sum(len(one["unnoticed"]) for one in of)
    share = f"{100 * (made - missed) / made:.0f} %" if made else "none"
    return [title, f"{tried:,}", then, str(now), str(made), share]


class Sentences(SphinxDirective):
    """What `make sentences` found."""

    def run(self) -> list[nodes.Node]:
        """Return the table.

        Raises:
            InputError: if there are no records; the text has the command that makes them.
        """
        slugs = [row.slug for row in chapters.written()]
        for slug in slugs:
            self.env.note_dependency(str(results.path_of(slug, "sentences")))
        figures = {name: one for slug in slugs for name, one in recorded(slug).items()}
        return [nodes.raw("", sentences_html(figures), format="html")]


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive; called by Sphinx."""
    app.add_directive("sentences", Sentences)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
