"""What changed in the statements of claims: told in `chapters/SLUG/errata.json`, held to the digests in the record.

The record of a chapter keeps a digest of each claim's statement, and a further one whenever `python -m hal.claims`
meets another statement. Every digest but the first must have an entry that says what changed; a test holds that, and
`hal.claims.history` that no commit had a statement whose digest is missing. Changes made before errata were kept are
told without one.
"""

import json
from collections.abc import Iterable, Mapping
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from hal import chapters
from hal.claims.base import Claim
from lib.errors import require

#: Of a change: of what is stated, or of its words alone, while numbers, bounds, verdict and regime stay.
Kind = Literal["statement", "wording"]


class Change(NamedTuple):
    """One change of a statement."""

    claim: str  #: id
    date: str  #: year-month-day
    what: str  #: one short line; may hold formulas between dollars
    statement: str = ""  #: digest of the new statement, or of several that one after the other led to it; empty if old
    kind: Kind = "statement"


class Words(NamedTuple):
    """What a claim states."""

    says: str
    verdict: str
    regime: str


def digest(claim: Claim | Words) -> str:
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
        InputError: if an entry lacks a field or has another, or its date or kind is none.
    """
    path = Path(chapters.__file__).parent / slug / "errata.json"
    entries: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else []
    for entry in entries:
        fields = {"claim", "date", "what"} <= set(entry) <= set(Change._fields) and all(entry.values())
        require(fields, "errata", f"entries of {', '.join(Change._fields)}", repr(entry))
        date.fromisoformat(entry["date"])
        kind, kinds = entry.get("kind", "statement"), get_args(Kind)
        require(kind in kinds, f"kind of {entry['claim']} in errata", f"one of {', '.join(kinds)}", repr(kind))
        checked = kind == "statement" or entry.get("statement")
        require(checked, f"statement of {entry['claim']} in errata", "the digest of the new wording", "none")
    return sorted((Change(**entry) for entry in entries), key=lambda change: change.date, reverse=True)


def untold(slug: str, claims: Iterable[Claim], statements: Mapping[str, str]) -> list[str]:
    """What is missing in a chapter's record and list, in words; empty if every change is told.

    Args:
        slug: of the chapter.
        claims: all its claims.
        statements: the digests in its record.
    """
    listed, missing = changes(slug), []
    told = dict.fromkeys((change.claim, one) for change in listed for one in change.statement.split())
    ids = {claim.id for claim in claims}
    missing += [f"{change.claim}: told, but there is no such claim" for change in listed if change.claim not in ids]
    missing += [
        f"{id}: told with statement {one}, which is none of those that changed: {' '.join(later) or 'none did'}"
        for id, one in told
        if id in ids and one not in (later := statements.get(id, "").split()[1:])
    ]
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
