"""`python -m hal.claims [ID or SLUG ...]`: run claims, all by default, print what they found, record it.

Then it says which changed statements `errata.json` does not tell of yet.
"""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

from hal import claims, results
from hal.chapters import written
from hal.claims import errata
from hal.claims.ledger import note, record, statements


def named(name: str) -> list[claims.Claim]:
    """The claims that an argument of the command means: one by its id, or a chapter's by its slug.

    Raises:
        InputError: if it is neither.
    """
    return claims.of(name) if name in [row.slug for row in written()] else [claims.get(name)]


def remind(groups: Mapping[str, Sequence[claims.Claim]], folder: Path) -> None:
    """Print the changes of the claims' statements that the errata of their chapters do not tell of."""
    for slug, group in groups.items():
        missing = errata.untold(slug, claims.of(slug), statements(results.path_of(slug, "claims", folder)))
        for line in missing:
            if line.split(":")[0] in [claim.id for claim in group]:
                print(line)


def main() -> None:
    """Run and record claims, one line each."""
    parser = argparse.ArgumentParser(description="Run claims and record what they measured.")
    parser.add_argument("ids", nargs="*", help="claim ids such as SCB-3, or slugs of chapters; all when none is given")
    parser.add_argument("--results", type=Path, default=results.FOLDER, help="the folder of all records")
    parser.add_argument("--jobs", type=int, default=1, help="processes; more than one run whole chapters at a time")
    parser.add_argument("--statements", action="store_true", help="note what claims say, and run none")
    args = parser.parse_args()
    chosen = [claim for name in args.ids for claim in named(name)] or claims.all()
    groups = {claim.paper: [one for one in chosen if one.paper == claim.paper] for claim in chosen}
    if args.statements:
        for slug, group in groups.items():
            note(group, results.path_of(slug, "claims", args.results))
        remind(groups, args.results)
        return
    together = list(groups.values()) if args.jobs > 1 else [[claim] for claim in chosen]
    for group in together:
        book = record(group, results.path_of(group[0].paper, "claims", args.results), args.jobs)["claims"]
        for claim in group:
            entry = book[claim.id]
            spread = entry.get("spread")
            same = f"{spread['agree']} of {spread['blocks']} blocks" if spread else ""
            print(f"{claim.id:8} {entry['check']['verdict']:20} {entry['seconds']:7.1f} s  {same}", flush=True)
    remind(groups, args.results)


if __name__ == "__main__":
    try:
        main()
    except OSError as error:
        raise SystemExit(f"claims: cannot be recorded: {error}") from None
