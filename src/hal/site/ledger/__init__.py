"""Sphinx extension: the directive `ledger`, every claim of the book with what it measured and where the text uses it.

First a form that finds some of them (`ledger.js`), at the start those that do not simply hold; without JavaScript all
stand there. Then a section for each chapter. A row's address is the claim's id, `ledger.html#SCB-3`.
"""

from collections import Counter
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any, get_args

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.fileutil import copy_asset

from hal import chapters, claims, results
from hal.claims.base import Verdict
from hal.claims.ledger import cells, recorded
from hal.site import mentions
from hal.site.mentions import Place
from hal.site.sections import section
from hal.tables import table_html

SCRIPT = "ledger.js"
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
#: The choice of all verdicts but "holds", for the script.
BUT = "-holds"


#: Of some claims, what those with a verdict do.
SAID: dict[Verdict, str] = {
    "holds": "hold",
    "holds in a regime": "hold under a stated condition",
    "not reproduced": "could not be reproduced",
    "fails": "fail",
}


class ClaimRows(nodes.General, nodes.Element):
    """The rows of one chapter, made when every page has been read: `slug`, `record` (a file)."""


def form_html(headings: Sequence[tuple[str, str]]) -> str:
    """The form that finds claims; hidden until the script shows it.

    Args:
        headings: slug and heading of each chapter.
    """
    papers = "".join(f'<option value="{slug}">{escape(heading)}</option>' for slug, heading in headings)
    some = f'<option value="{BUT}" selected>does not simply hold</option><option value="">all</option>'
    verdicts = some + "".join(f"<option>{verdict}</option>" for verdict in VERDICTS)
    return (
        '<form class="lib-ledger-form" role="search" aria-label="Find claims" hidden>'
        '<label>Words <input type="search" name="words" autocomplete="off" spellcheck="false"></label>'
        f'<label>Paper <select name="paper"><option value="">all</option>{papers}</select></label>'
        f'<label>Verdict <select name="verdict">{verdicts}</select></label>'
        '<button type="reset">Clear</button><p role="status"></p></form>'
    )


def rows_html(slug: str, record: Path, where: dict[str, list[tuple[Place, str]]]) -> str:
    """The table of one chapter's claims, each with the sections that mention it (`where`, by id)."""
    found, rows, attributes = claims.Table(claims.of(slug), record).found, [], []
    for claim in claims.of(slug):
        first, says, verdict = cells(claim, found[claim.id])
        link = f'<a class="lib-row-link" href="#{claim.id}">{claim.id}</a>'
        rows.append([first.replace(claim.id, link, 1), says + _places(where.get(claim.id, ())), verdict])
        attributes.append(f'id="{claim.id}" data-paper="{slug}" data-verdict="{found[claim.id].check.verdict}"')
    head = ("Claim", "What it says, what was measured", "Verdict")
    return table_html(head, rows, f"Claims of {slug}", "lib-claims", attributes)


def _places(found: Sequence[tuple[Place, str]]) -> str:
    links = ", ".join(f'<a href="{escape(link)}">{escape(place.title)}</a>' for place, link in found)
    return f'<p class="lib-places">In the text: {links}.</p>' if links else ""


def count_html(verdicts: Sequence[Verdict], link: str) -> str:
    """How many claims there are, and how many come out each way, in one sentence that leads to the ledger."""
    found = [f"{Counter(verdicts)[verdict]} {words}" for verdict, words in SAID.items()]
    counts = ", ".join(found[:-1]) + f" and {found[-1]}"
    return f'<p class="lib-count"><a href="{escape(link)}">{len(verdicts)} claims</a>: {counts}.</p>'


class Count(SphinxDirective):
    """How many claims of the whole book hold, for the landing page."""

    def run(self) -> list[nodes.Node]:
        """Return one sentence."""
        found: list[Verdict] = []
        for row in chapters.written():
            record = results.path_of(row.slug, "claims")
            self.env.note_dependency(str(record))
            found += [one.check.verdict for one in recorded(record).values()]
        link = self.env.app.builder.get_relative_uri(self.env.docname, "book/ledger")
        return [nodes.raw("", count_html(found, link), format="html")]


class Ledger(SphinxDirective):
    """The claims of all written chapters, from hal/results/SLUG/claims.json."""

    def run(self) -> list[nodes.Node]:
        """Return the form, and one section a chapter."""
        self.env.note_dependency(chapters.__file__)
        sections = []
        for row in chapters.written():
            record = results.path_of(row.slug, "claims")
            self.env.note_dependency(str(record))
            for source in Path(chapters.__file__).parent.joinpath(row.slug, "claims").glob("*.py"):
                self.env.note_dependency(str(source))
            sections.append(section(self.state, row.heading, ClaimRows(slug=row.slug, record=str(record))))
        form = form_html([(row.slug, row.heading) for row in chapters.written()])
        return [nodes.raw("", form, format="html"), *sections]


def fill(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Put in the rows, now that it is known which sections mention a claim."""
    found = list(doctree.findall(ClaimRows))
    if not found:
        return
    doctree["ledger"] = True
    where = {
        id: [(place, f"{app.builder.get_relative_uri(docname, place.page)}#{place.anchor}") for place in places]
        for id, places in mentions.places(app.env).items()
    }
    for node in found:
        node.replace_self(nodes.raw("", rows_html(node["slug"], Path(node["record"]), where), format="html"))


def dress(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Put the script on the ledger, and on no other page."""
    if doctree is not None and doctree.get("ledger"):
        options: Any = {"defer": "defer"}
        app.add_js_file(SCRIPT, **options)


def copy_script(app: Sphinx, exception: Exception | None) -> None:
    """Put the script beside the built pages."""
    if exception is None and app.builder.format == "html":
        copy_asset(Path(__file__).with_name(SCRIPT), Path(app.outdir, "_static"))


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive; called by Sphinx."""
    app.add_directive("ledger", Ledger)
    app.add_directive("ledger-count", Count)
    app.connect("doctree-resolved", fill)
    app.connect("html-page-context", dress)
    app.connect("build-finished", copy_script)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
