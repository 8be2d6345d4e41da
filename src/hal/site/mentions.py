"""Sphinx extension: a claim's id in the text, SCB-3, is a link to its row of the ledger, and the row knows where.

Authors write plain text, which JupyterLab shows as it is. The build makes the link, in paragraphs, lists, tables,
captions and docstrings, and of inline code that is an id and nothing else; ids alone in parentheses become marks,
"so it grows ✓.", which open a card that says what was checked and leads to the row. It warns of an id that no claim
has and of one where a link cannot stand, in a heading. What it found is kept for the ledger (`places`).
"""

import re
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any, NamedTuple

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.transforms import SphinxTransform
from sphinx.util import logging

from hal import chapters, claims
from hal.claims.ledger import CLAIM
from hal.tables import words_html

LEDGER = "book/ledger"
MENTION = "claim-mention"
#: What stands in these is code, a formula, a link of its own, or nothing to read.
CLOSED = (nodes.FixedTextElement, nodes.literal, nodes.math, nodes.reference, nodes.raw, nodes.Invisible)
#: An id in the table of claims that a cell of a notebook shows.
SHOWN = re.compile(rf'<span class="{CLAIM}">(\(?)([^<()]+)\)?</span>')
OUTPUT = "cell_output"  # of a notebook: printed by code, not written
log = logging.getLogger(__name__)


class Place(NamedTuple):
    """A section of a page that mentions a claim."""

    page: str
    anchor: str
    title: str


def pattern() -> re.Pattern[str]:
    """What an id of a claim of this book looks like; announced chapters count."""
    return re.compile(rf"(?<![\w-])(?:{'|'.join(row.prefix for row in chapters.CHAPTERS)})-\d+(?![\w-])")


def split(text: str, ids: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    """The pieces of a text in order, each with its id ("" of words); of ids alone in parentheses the piece is ""."""
    at = 0
    for match in re.finditer(rf"\s*\((?P<aside>{ids.pattern}(?:, {ids.pattern})*)\)|{ids.pattern}", text):
        yield from [(text[at : match.start()], "")] * (match.start() > at)
        yield from (("", id) for id in match["aside"].split(", ")) if match["aside"] else [(match[0], match[0])]
        at = match.end()
    yield from [(text[at:], "")] * (at < len(text))


def mark(id: str) -> tuple[str, str]:
    """The sign of a claim in running text, and what was found."""
    verdict = claims.get(id).verdict
    return "✓" if verdict.startswith("holds") else "✗", f"Checked: {verdict}"


def _ancestors(node: nodes.Node) -> Iterator[nodes.Node]:
    while (parent := node.parent) is not None:
        yield parent
        node = parent


def _open(text: nodes.Text) -> bool:
    """Whether a text is the author's words, in which an id becomes a link."""
    around = list(_ancestors(text))
    code = text.parent if isinstance(text.parent, nodes.literal) else None
    if code is not None:  # code that is one id
        around.remove(code)
    output = any(OUTPUT in node.get("classes", ()) for node in around if isinstance(node, nodes.Element))
    return not output and not any(
        isinstance(node, CLOSED) or node.__class__.__name__ == "pending_xref" for node in around
    )


class LinkMentions(SphinxTransform):
    """Ids of claims in the text become links, whose address is known when the page is written."""

    default_priority = 500

    def apply(self, **_: Any) -> None:
        """Mark the ids of the page and note in which sections they stand."""
        ids, known = pattern(), {claim.id for claim in claims.all()}
        here = self.env.docname
        for text in list(self.document.findall(nodes.Text)):
            words = text.astext()
            if not ids.search(words) or not _open(text):
                continue
            whole = isinstance(text.parent, nodes.literal)
            if whole and not ids.fullmatch(words):
                continue
            pieces = list(split(words, ids))
            for id in [id for _, id in pieces if id and id not in known]:
                log.warning("expected the id of a claim, got %s", id, location=text.parent)
            if any(isinstance(node, nodes.title) for node in _ancestors(text)):
                log.warning("expected no claim in a heading, got %s", words, location=text.parent)
                continue
            made: list[nodes.Node] = []
            for piece, id in pieces:
                if id not in known:
                    made.append(nodes.Text(piece or f" ({id})"))
                    continue
                _note(self.env, here, id, text)
                before = made[-1]["claims"] if made and isinstance(made[-1], nodes.reference) else []
                if not piece and before and mark(before[0]) == mark(id):  # one tick for all of one outcome
                    before.append(id)
                    continue
                if not piece:
                    made.append(nodes.Text("\u00a0"))
                aside = [] if piece else [id]
                sign = piece or mark(id)[0]
                made.append(nodes.reference("", sign, claim=id, claims=aside, internal=True, classes=[MENTION]))
            old = text.parent if whole else text
            old.parent.replace(old, made)


def _note(env: BuildEnvironment, page: str, id: str, text: nodes.Text) -> None:
    around = (node for node in _ancestors(text) if isinstance(node, nodes.section) and node["ids"])
    # what a theorem holds is a section of sphinx-proof, whose id `hal.site.tidy` takes away
    section = next((node for node in around if node["ids"] != ["proof-content"]), None)
    if section is None:
        return
    title = section.next_node(nodes.title)
    place = Place(page, section["ids"][0], title.astext() if title is not None else page)
    found = _store(env).setdefault(page, {}).setdefault(id, [])
    if place not in found:
        found.append(place)


def _store(env: BuildEnvironment) -> dict[str, dict[str, list[Place]]]:
    """Page -> id -> its sections there; kept with the environment between builds."""
    if not hasattr(env, "claim_mentions"):
        env.claim_mentions = {}  # type: ignore[attr-defined]  # kept by Sphinx
    return env.claim_mentions  # type: ignore[attr-defined]  # kept by Sphinx


def places(env: BuildEnvironment) -> dict[str, list[Place]]:
    """By id, the sections of the chapters that mention a claim, in the order of the book."""
    found: dict[str, list[Place]] = {}
    pages = [f"book/{row.slug}" for row in chapters.written()]
    for page in [name for name in pages if name in _store(env)]:
        for id, sections in _store(env)[page].items():
            found.setdefault(id, []).extend(sections)
    return found


def purge(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    """Forget a page that is read again or gone."""
    _store(env).pop(docname, None)


def merge(app: Sphinx, env: BuildEnvironment, docnames: Sequence[str], other: BuildEnvironment) -> None:
    """Take over what another process read."""
    _store(env).update({name: found for name, found in _store(other).items() if name in set(docnames)})


def refresh(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Write the ledger again if another section mentions a claim than when it was last written."""
    now = places(env)
    before, env.claim_places = getattr(env, "claim_places", None), now  # type: ignore[attr-defined]  # kept by Sphinx
    return [LEDGER] if before != now and LEDGER in env.found_docs else []


def address(app: Sphinx, page: str, id: str) -> str:
    """Where a claim's row is, seen from a page."""
    return f"{app.builder.get_relative_uri(page, LEDGER)}#{id}"


def _card(app: Sphinx, page: str, ids: Sequence[str], number: int) -> nodes.raw:
    """The mark of claims of one outcome, a button, and its card, which the browser opens without a script."""
    sign, title = mark(ids[0])
    told = "".join(
        f'<span>{words_html(claims.get(id).says)} <a href="{address(app, page, id)}">{id}: the numbers</a></span>'
        for id in ids
    )
    button = (
        f'<button type="button" class="claim-mark" popovertarget="checked-{number}" title="{title}">{sign}</button>'
    )
    card = f'<span popover class="claim-card" id="checked-{number}"><strong>{title}</strong>{told}</span>'
    return nodes.raw("", button + card, format="html")


def resolve(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Give the links of a page their address; in a book without a ledger they are words again."""
    ledger, cards = LEDGER in app.env.found_docs, count(1)
    for raw in [node for node in doctree.findall(nodes.raw) if ledger and SHOWN.search(node.astext())]:
        text = SHOWN.sub(
            lambda shown: (
                _card(app, docname, [shown[2]], next(cards)).astext()
                if shown[1]
                else f'<a href="{address(app, docname, shown[2])}">{shown[2]}</a>'
            ),
            raw.astext(),
        )
        raw.replace_self(nodes.raw("", text, **raw.attributes))
    for link in [node for node in doctree.findall(nodes.reference) if MENTION in node["classes"]]:
        if not ledger:
            link.parent.replace(link, nodes.Text(link.astext()))
        elif link["claims"]:
            link.replace_self(_card(app, docname, link["claims"], next(cards)))
        else:
            link["refuri"] = address(app, docname, link["claim"])


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension; called by Sphinx."""
    app.add_transform(LinkMentions)
    app.connect("env-purge-doc", purge)
    app.connect("env-merge-info", merge)
    app.connect("env-updated", refresh)
    app.connect("doctree-resolved", resolve, priority=400)  # before formulas of raw HTML are set
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
