"""`python -m lib.claims [ID or SLUG ...]`: run claims, all by default, print what they found, record it in results/."""

from __future__ import annotations

import argparse
from pathlib import Path

from lib import claims
from lib.chapters import written
from lib.claims.ledger import note, record


def named(name: str) -> list[claims.Claim]:
    """The claims that an argument of the command means: one by its id, or a chapter's by its slug.

    Raises:
        InputError: if it is neither.
    """
    return claims.of(name) if name in [row.slug for row in written()] else [claims.get(name)]


def main() -> None:
    """Run and record claims, one line each."""
    parser = argparse.ArgumentParser(description="Run claims and record what they measured.")
    parser.add_argument("ids", nargs="*", help="claim ids such as SCB-3, or slugs of chapters; all when none is given")
    parser.add_argument("--results", type=Path, default=Path("results"), help="the folder of all records")
    parser.add_argument("--jobs", type=int, default=1, help="processes; more than one run whole chapters at a time")
    parser.add_argument("--statements", action="store_true", help="note what claims say, and run none")
    args = parser.parse_args()
    chosen = [claim for name in args.ids for claim in named(name)] or claims.all()
    groups = {claim.paper: [one for one in chosen if one.paper == claim.paper] for claim in chosen}
    if args.statements:
        for slug, group in groups.items():
            note(group, args.results / slug / "claims.json")
        return
    together = list(groups.values()) if args.jobs > 1 else [[claim] for claim in chosen]
    for group in together:
        book = record(group, args.results / group[0].paper / "claims.json", args.jobs)["claims"]
        for claim in group:
            entry = book[claim.id]
            spread = entry.get("spread")
            same = f"{spread['agree']} of {spread['blocks']} blocks" if spread else ""
            print(f"{claim.id:8} {entry['check']['verdict']:20} {entry['seconds']:7.1f} s  {same}", flush=True)


if __name__ == "__main__":
    main()
