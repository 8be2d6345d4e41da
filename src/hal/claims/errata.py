"""What changed in the statements of claims: told in `chapters/SLUG/errata.json`, held to the digests in the record.

The record of a chapter keeps a digest of each claim's statement, and a further one whenever `python -m hal.claims`
meets another statement. Every digest but the first must have an entry that says what changed; a test holds that.
Changes made before digests were kept are told without one.
"""

import json
from collections.abc import Iterable, Mapping
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from hal import chapters
from hal.claims.base import Claim
from lib.errors import require


class Change(NamedTuple):
    """One change of a statement."""

    claim: str  #: id
    date: str  #: year-month-day
    what: str  #: one short line; may hold formulas between dollars
    statement: str = ""  #: digest of the new statement; empty if it was not kept then


def digest(claim: Claim) -> str:
    """Eight letters that another statement does not have: of what the claim says, its verdict and its regime."""
    return sha256("\n".join([claim.says, claim.verdict, claim.regime]).encode()).hexdigest()[:8]


def noted(statements: Mapping[str, str], claims: Iterable[Claim]) -> dict[str, str]:
    """The digests by id, oldest first, separated by spaces, with those of the present statements.

    Args:
        statements: as recorded before.
        claims: whose statements are noted; those of others stay.
    """
    found = dict(statements)
    for claim in claims:
        before = found.get(claim.id, "").split()
        if before[-1:] != [digest(claim)]:
            found[claim.id] = " ".join([*before, digest(claim)])
    return found


def changes(slug: str) -> list[Change]:
    """What changed in a chapter's statements, the latest first; nothing if it has no list.

    Raises:
        InputError: if an entry lacks a field or has another, or its date is none.
    """
    path = Path(chapters.__file__).parent / slug / "errata.json"
    entries: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else []
    for entry in entries:
        fields = {"claim", "date", "what"} <= set(entry) <= set(Change._fields)
        require(fields, "errata", f"entries of {', '.join(Change._fields)}", repr(entry))
        date.fromisoformat(entry["date"])
    return sorted((Change(**entry) for entry in entries), key=lambda change: change.date, reverse=True)


def untold(slug: str, claims: Iterable[Claim], statements: Mapping[str, str]) -> list[str]:
    """What is missing in a chapter's record and list, in words; empty if every change is told.

    Args:
        slug: of the chapter.
        claims: all its claims.
        statements: the digests in its record.
    """
    listed, missing = changes(slug), []
    told = {(change.claim, change.statement) for change in listed}
    ids = {claim.id for claim in claims}
    missing += [f"{change.claim}: told, but there is no such claim" for change in listed if change.claim not in ids]
    for claim in claims:
        known = statements.get(claim.id, "").split()
        if known[-1:] != [digest(claim)]:
            missing.append(f"{claim.id}: its statement is not in the record; run `python -m hal.claims --statements`")
        missing += [
            f"{claim.id}: say in errata.json what changed, with statement {one}"
            for one in known[1:]
            if (claim.id, one) not in told
        ]
    return missing
