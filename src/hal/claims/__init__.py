"""Every theorem and figure the book discusses, as an executable claim with a tolerance and a negative control.

Example:
    >>> from hal import claims
    >>> claims.get("SCB-11").check().verdict
    'holds'
"""

from importlib import import_module

from hal.chapters import written
from hal.claims.base import Claim, claim, gather, seed_block
from hal.claims.blocks import Spread, spread
from hal.claims.ledger import Table
from hal.claims.parts import Part, Result, relative_error, result
from lib.errors import require

__all__ = [
    "Claim", "Part", "Result", "Spread", "Table", "all", "claim", "gather", "get", "of", "relative_error", "result",
    "seed_block", "spread",
]  # fmt: skip


def all() -> list[Claim]:
    """All claims of the book, in the order of the chapters."""
    return [one for row in written() for one in of(row.slug)]


def of(paper: str) -> list[Claim]:
    """The claims of one chapter, by its slug.

    Raises:
        InputError: if no chapter with claims has that slug, or a claim's id has another chapter's prefix.
    """
    rows = {row.slug: row for row in written()}
    require(paper in rows, "paper", f"one of {', '.join(rows)}", repr(paper))
    found: list[Claim] = list(import_module(f"hal.chapters.{paper}.claims").CLAIMS)
    for one in found:
        require(one.id.rpartition("-")[0] == rows[paper].prefix, "id", f"{rows[paper].prefix}-number", one.id)
    return found


def get(id: str) -> Claim:
    """One claim by its id.

    Raises:
        InputError: if there is no such claim.
    """
    found = {one.id: one for one in all()}
    require(id in found, "id", f"a claim id such as {next(iter(found))}", repr(id))
    return found[id]
