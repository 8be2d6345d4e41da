"""Sphinx extension: the landing page: its moving figure (the directive `hero`) and the cards of the chapters.

The numbers of the figure are `lib.theory.scb.population_run`, computed while the page is built. `scene.js` draws it
with the marks of all figures: the build at one step, so that it stands without JavaScript and in print, the page while
the race runs. The cards (`chapter-cards`) and the button to the first chapter (`first-chapter`) come from the registry
and the chapters' own files, by whom the book is (`by-whom`) from CITATION.cff.
"""

from html import escape
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from hal import chapters
from hal.chapters import Chapter
from hal.figure.assets import style
from hal.site.landing import cards, thumbnails
from hal.site.sections import parsed

__all__ = ["cards", "setup", "thumbnails"]

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
::::{{grid}} 1 1 2 2
:gutter: 3
:class-container: hal-chapters

{cards}
::::
"""
CARD = """
:::{{grid-item-card}} {row.number} · {row.title}
{options}

{picture}

**{card.question}**

{card.answer}

{{.hal-facts}}
{facts}

{{.hal-go}}
{go}
:::
"""
PICTURE = """
```{{raw}} html
{svg}
```
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

    def facts(self, row: Chapter) -> str:
        """Paper, reading time and the chapters to read before, of a chapter that is in this build."""
        references, notebook = (Path(self.env.srcdir, "book", name) for name in ("references", f"{row.slug}.ipynb"))
        found = []
        if row.arxiv and (references / f"{row.slug}.bib").exists():  # a chapter may have no paper of its own
            found.append(cards.by_whom(row, references))
        if notebook.exists():
            self.env.note_dependency(str(notebook))
            found.append(f"{cards.minutes(notebook)} minutes")
        if after := [str(chapters.chapter(slug).number) for slug in cards.card(row).after]:
            found.append(f"after {' and '.join(filter(None, [', '.join(after[:-1]), after[-1]]))}")
        return " · ".join(found)

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
        readable, found = self.readable(), ""
        for row in chapters.CHAPTERS:
            if row in readable:
                svg = thumbnails.thumbnail(row.slug)
                self.env.note_dependency(str(cards.file_of(row.slug)))
                found += CARD.format(
                    row=row, card=cards.card(row), facts=self.facts(row), go="Read it",
                    options=f":link: book/{row.slug}\n:link-type: doc", picture=PICTURE.format(svg=svg) if svg else "",
                )  # fmt: skip
            elif not row.written:
                soon = cards.Card("", row.card, ())
                found += CARD.format(
                    row=row, card=soon, facts="", go="In preparation", options=":class-card: hal-soon", picture=""
                )
        return self.show(GRID.format(cards=found.replace("****\n\n", "").replace("{.hal-facts}\n\n", "")))


class ByWhom(SphinxDirective):
    """One line: authors, version, date, licences; and the entry to cite the book, in place."""

    def run(self) -> list[nodes.Node]:
        """Return the line as raw HTML."""
        path = Path(self.env.srcdir, "CITATION.cff")
        self.env.note_dependency(str(path))
        return [nodes.raw("", by_whom_html(cards.cited(path)), format="html")]


def by_whom_html(found: dict[str, Any]) -> str:
    """The line of `by-whom`, from CITATION.cff as `cards.cited` reads it."""
    said = [", ".join(found["names"]), f"version {found['version']}"]
    said += [str(found["date-released"])] if "date-released" in found else []
    said += [f"code {found['license']}, text and figures CC BY 4.0"]
    entry = f"<details><summary>cite</summary><pre>{escape(cards.bibtex(found))}</pre></details>"
    return f'<div class="hal-by">{escape(" · ".join(said))} {entry}</div>'


def _copy(app: Sphinx, exception: Exception | None) -> None:
    if exception is None and app.builder.format == "html":
        from hal.site.landing.figure import script

        static = Path(app.outdir, "_static")
        (static / "hero.js").write_text(script(), encoding="utf-8")
        styles = style(("marks",)) + (HERE / "hero.css").read_text(encoding="utf-8")
        (static / "hero.css").write_text(styles, encoding="utf-8")


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
    app.add_directive("by-whom", ByWhom)
    app.connect("html-page-context", _add_to_page)
    app.connect("build-finished", _copy)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
