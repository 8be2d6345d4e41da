"""Sphinx extension: the landing page: its moving figure (the directive `hero`) and the cards of the chapters.

The numbers of the figure are `lib.theory.scb.population_run`, computed while the page is built. Python draws it whole
at one step, so that it stands without JavaScript and in print; `hero.js` only blends what it finds between the two ends
that Python wrote (`data-from`, `data-to`) and moves a dot along the path. The cards (`chapter-cards`) and the button to
the first chapter (`first-chapter`) come from the registry.
"""

from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.fileutil import copy_asset_file

from hal import chapters
from hal.chapters import Chapter
from hal.site.sections import parsed

HERE = Path(__file__).parent
BUTTON = """
```{{button-ref}} book/{slug}
:ref-type: doc
:color: primary
:expand:
Start with chapter {number}
```
"""
GRID = """
::::{{grid}} 1 2 2 3
:gutter: 3
:class-container: hal-chapters

{cards}
::::
"""
CARD = """
:::{{grid-item-card}} {row.number} · {row.title}
{options}

{row.card}

{{.hal-go}}
{go}
:::
"""


class Hero(SphinxDirective):
    """The figure and its controls; the content of the directive is the caption."""

    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {
        "tokens": directives.positive_int,
        "steps": directives.positive_int,
        "still": directives.nonnegative_int,
    }

    def run(self) -> list[nodes.Node]:
        """Return the figure as raw HTML, then the caption as ordinary text."""
        from hal.site.landing.figure import hero_html, learning_path

        steps = self.options.get("steps", 400)
        path = learning_path(T=self.options.get("tokens", 48), steps=steps)
        figure = nodes.raw("", hero_html(path, still=self.options.get("still", steps)), format="html")
        caption = nodes.container(classes=["hal-hero-caption"])
        self.state.nested_parse(self.content, self.content_offset, caption)
        self.env.note_dependency(str(HERE / "figure.py"))
        return [figure, caption]


class _FromRegistry(SphinxDirective):
    def show(self, text: str) -> list[nodes.Node]:
        """Parse the text and have the page read again when the registry changes."""
        self.env.note_dependency(chapters.__file__)
        return parsed(self.state, text, chapters.__file__)

    def readable(self) -> list[Chapter]:
        """The chapters of this build: a book for a test may hold only some."""
        return [row for row in chapters.written() if f"book/{row.slug}" in self.env.found_docs]


class FirstChapter(_FromRegistry):
    """A button that leads to the first chapter."""

    def run(self) -> list[nodes.Node]:
        """Return the button, or nothing in a book without chapters."""
        return [node for row in self.readable()[:1] for node in self.show(BUTTON.format_map(row._asdict()))]


class ChapterCards(_FromRegistry):
    """A card for every chapter; those that are written are links."""

    def run(self) -> list[nodes.Node]:
        """Return the grid of cards."""
        readable = self.readable()
        cards = ""
        for row in chapters.CHAPTERS:
            if row in readable:
                cards += CARD.format(row=row, options=f":link: book/{row.slug}\n:link-type: doc", go="Read it")
            elif not row.written:
                cards += CARD.format(row=row, options=":class-card: hal-soon", go="In preparation")
        return self.show(GRID.format(cards=cards))


def _copy(app: Sphinx, exception: Exception | None) -> None:
    if exception is None and app.builder.format == "html":
        for name in ("hero.js", "hero.css"):
            copy_asset_file(HERE / name, Path(app.outdir, "_static"))


def _add_to_page(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Load the script and the style only where the figure stands."""
    if doctree is not None and any("data-hero" in node.astext() for node in doctree.findall(nodes.raw)):
        app.add_js_file("hero.js", loading_method="async")
        app.add_css_file("hero.css")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directives; called by Sphinx."""
    app.add_directive("hero", Hero)
    app.add_directive("chapter-cards", ChapterCards)
    app.add_directive("first-chapter", FirstChapter)
    app.connect("html-page-context", _add_to_page)
    app.connect("build-finished", _copy)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
