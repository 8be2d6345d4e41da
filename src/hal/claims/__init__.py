"""Every theorem and figure the book discusses, as an executable claim with a tolerance and a negative control.

Example:
    >>> from hal import claims
    >>> claims.get("SCB-11").check().verdict
    'holds'
"""

from importlib import import_module

from hal.chapters import written
from hal.claims.base import Claim, Part, Result, Spread, claim, gather, relative_error, result, seed_block, spread
from hal.claims.ledger import Table
from lib.errors import require

__all__ = [
    "Claim", "Part", "Result", "Spread", "Table", "all", "claim", "gather", "get", "of", "relative_error", "result",
    "seed_block", "spread",
]  # fmt: skip


def all() -> list[Claim]:
    """All claims of the book, in the order of the chapters."""
    return [one for row in written() for one in of(row.slug)]


def of(paper: str) -> list[Claim]:
    """The claims of one chapter, by its slug."""
    rows = {row.slug: row for row in written()}
    require(paper in rows, "paper", f"one of {', '.join(rows)}", repr(paper))
    found: list[Claim] = list(import_module(f"hal.chapters.{paper}.claims").CLAIMS)
    for one in found:
        require(one.id.rpartition("-")[0] == rows[paper].prefix, "id", f"{rows[paper].prefix}-number", one.id)
    return found


def get(id: str) -> Claim:
    """One claim by its id."""
    found = {one.id: one for one in all()}
    require(id in found, "id", f"a claim id such as {next(iter(found))}", repr(id))
    return found[id]
