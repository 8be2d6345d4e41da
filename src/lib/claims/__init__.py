"""Every theorem and figure the book discusses, as an executable claim with a tolerance and a negative control.

Example:
    >>> from lib import claims
    >>> claims.get("SCB-11").check().verdict
    'holds'
"""

from __future__ import annotations

from importlib import import_module

from lib.claims.base import Claim, Part, Result, result
from lib.claims.ledger import Table
from lib.errors import require

__all__ = ["Claim", "Part", "Result", "Table", "all", "get", "of", "result"]

# The chapters that have claims; a new chapter adds its slug here.
PAPERS = ("scb", "scan_snap")


def all() -> list[Claim]:
    """All claims of the book, in the order of the chapters."""
    return [claim for paper in PAPERS for claim in of(paper)]


def of(paper: str) -> list[Claim]:
    """The claims of one chapter.

    Args:
        paper: the chapter's slug, for example "scb".

    Raises:
        InputError: if no chapter with claims has that slug.
    """
    require(paper in PAPERS, "paper", f"one of {', '.join(PAPERS)}", repr(paper))
    return list(import_module(f"lib.chapters.{paper}.claims").CLAIMS)


def get(id: str) -> Claim:
    """One claim by its id, for example "SCB-3".

    Raises:
        InputError: if there is no such claim.
    """
    found = {claim.id: claim for claim in all()}
    require(id in found, "id", f"a claim id such as {next(iter(found))}", repr(id))
    return found[id]
