"""The chapters of the book: one row each. Pages, ledger, records and tests take what they loop over from here.

A row is words and names, nothing more: importing this module imports no chapter. What a written chapter must have
beside its row is in `PLACES`; `check` says what is missing.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from lib.errors import InputError, require

__all__ = ["CHAPTERS", "PLACES", "Chapter", "chapter", "check", "written"]


class Chapter(NamedTuple):
    """One chapter, written or announced."""

    slug: str  #: names its files and folders everywhere: "scb"
    number: int  #: its place in the book, from 1
    title: str  #: as on its card
    card: str  #: what the landing page says about it, one to three sentences
    prefix: str  #: of the ids of its claims: "SCB" for "SCB-1"
    arxiv: str  #: the paper
    reference: str  #: key of the paper in book/references/SLUG.bib
    written: bool = True  #: False: announced on the landing page, nothing else exists yet

    @property
    def heading(self) -> str:
        """Title of its sections on shared pages: "Chapter 1, sparse contextual bigrams"."""
        return f"Chapter {self.number}, {self.title[0].lower()}{self.title[1:]}"


CHAPTERS = (
    Chapter(
        slug="scb",
        number=1,
        title="Sparse contextual bigrams",
        card="The last token says where to look; what is found there says what comes next. Why nothing happens for so "
        "long, and why the noise then grows with the context.",
        prefix="SCB",
        arxiv="2410.23438",
        reference="ren2024scb",
    ),
    Chapter(
        slug="scan_snap",
        number=2,
        title="Scan and snap",
        card="Most tokens say nothing about what comes next. How attention leaves them, scans the telling ones, and "
        "then freezes before one has won.",
        prefix="SNAP",
        arxiv="2305.16380",
        reference="tian2023scan",
    ),
    Chapter(
        slug="one_nn",
        number=3,
        title="The nearest neighbour in context",
        card="Softmax attention becomes a one-nearest-neighbour rule when its weights grow.",
        prefix="NN",
        arxiv="2411.10830",
        reference="li2024one",
    ),
    Chapter(
        slug="group_sparse",
        number=4,
        title="Group-sparse classification",
        card="Many groups of variables, and one of them decides the label. How attention finds it, what that is worth "
        "on a new task, and how a layer can be right without finding anything.",
        prefix="GS",
        arxiv="2504.08638",
        reference="zhang2025group",
    ),
    Chapter(
        slug="random_walk",
        number=5,
        title="Random walks",
        card="One layer learns the step of a walk on a circle, and provably fails on the walk that is easiest to "
        "predict. Why that failure is a knife edge, and which ancestor attention picks.",
        prefix="RW",
        arxiv="2511.23239",
        reference="shi2025walk",
    ),
    Chapter(
        slug="linear_block",
        number=6,
        title="The linear transformer block",
        card="Regression in context around a mean. The block does one step of gradient descent from a learned start; "
        "what it loses without its MLP, and how far one step is from Bayes.",
        prefix="LTB",
        arxiv="2402.14951",
        reference="zhang2024block",
    ),
    Chapter(
        slug="atlas",
        number=7,
        title="One mechanism in six tasks",
        card="What the six tasks have in common: the read-out learns first, and attention keeps its time. Where this "
        "fails, and why an optimiser that forgets sizes selects something else.",
        prefix="ATL",
        arxiv="",
        reference="bernstein2018sign",
    ),
)

#: Where the parts of a written chapter are, from the root of the repository.
PLACES = (
    "book/{slug}.ipynb",
    "book/references/{slug}.bib",
    "src/hal/chapters/{slug}/runs/__init__.py",
    "src/hal/chapters/{slug}/figures/__init__.py",
    "src/hal/chapters/{slug}/claims/__init__.py",
    "src/hal/chapters/{slug}/notation.md",
    "tests/{slug}",
    "benchmarks/{slug}.py",
)


def written() -> list[Chapter]:
    """The chapters that can be read, in the order of the book."""
    return [row for row in CHAPTERS if row.written]


def chapter(slug: str) -> Chapter:
    """The row of one chapter."""
    found = {row.slug: row for row in CHAPTERS}
    require(slug in found, "slug", f"one of {', '.join(found)}", repr(slug))
    return found[slug]


def check(root: Path, rows: Iterable[Chapter] = CHAPTERS) -> None:
    """Raise unless the rows have different names and every written chapter has its files below `root`."""
    rows = list(rows)
    for name in ("slug", "number", "prefix", "reference"):
        values = [getattr(row, name) for row in rows]
        twice = next((value for value in values if values.count(value) > 1), None)
        require(twice is None, f"{name} in the registry", "another value in every row", f"{twice!r} twice")
    for row in rows:
        places = [place.format(slug=row.slug) for place in PLACES] if row.written else []
        if missing := [place for place in places if not (root / place).exists()]:
            raise InputError(f"chapter {row.slug}: the registry has its row, but there is no {', no '.join(missing)}")
