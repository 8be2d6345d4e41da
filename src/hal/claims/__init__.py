"""Every theorem and figure the book discusses, as an executable claim with a tolerance and a negative control.

Example:
    >>> from lib import claims
    >>> claims.get("SCB-11").check().verdict
    'holds'
"""

from __future__ import annotations

from importlib import import_module

from lib.chapters import written
from lib.claims.base import Claim, claim, gather, seed_block
from lib.claims.blocks import Spread, spread
from lib.claims.ledger import Table
from lib.claims.parts import Part, Result, relative_error, result
from lib.errors import require

__all__ = [
    "Claim",
    "Part",
    "Result",
    "Spread",
    "Table",
    "all",
    "claim",
    "gather",
    "get",
    "of",
    "relative_error",
    "result",
    "seed_block",
    "spread",
]


def all() -> list[Claim]:
    """All claims of the book, in the order of the chapters."""
    return [one for row in written() for one in of(row.slug)]


def of(paper: str) -> list[Claim]:
    """The claims of one chapter.

    Args:
        paper: the chapter's slug, for example "scb".

    Raises:
        InputError: if no chapter with claims has that slug, or a claim's id has another chapter's prefix.
    """
    rows = {row.slug: row for row in written()}
    require(paper in rows, "paper", f"one of {', '.join(rows)}", repr(paper))
    found: list[Claim] = list(import_module(f"lib.chapters.{paper}.claims").CLAIMS)
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
