"""The directives of the landing page that come from the registry: `chapter-cards`, and `first-chapter`, a button."""

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from hal import chapters
from hal.chapters import Chapter
from hal.site.sections import parsed

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
