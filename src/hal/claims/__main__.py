"""`python -m hal.claims [ID or SLUG ...]`: run claims, all by default, print what they found, record it."""

import argparse
from collections.abc import Iterator
from pathlib import Path

from hal import claims, results
from hal.chapters import written
from hal.claims.ledger import digests_of, disagreements, record, recorded, stamp


def named(name: str) -> list[claims.Claim]:
    """The claims that an argument of the command means: one by its id, or a chapter's by its slug."""
    return claims.of(name) if name in [row.slug for row in written()] else [claims.get(name)]


def measured_again(group: list[claims.Claim], path: Path) -> Iterator[str]:
    """Measure the claims of a chapter whose sources changed since their record; stamp those that agree with it.

    Yields:
        In words, what of the others is not as recorded.
    """
    old, new = recorded(path), digests_of(group)
    for claim in group:
        if claim.id not in old:
            yield f"{claim.id}: not recorded yet"
        elif old[claim.id].digest != new[claim.id]:
            wrong = disagreements(claim, old[claim.id])
            yield from (f"{claim.id}: {line}" for line in wrong)
            if not wrong:
                stamp([claim], path)
                print(f"{claim.id}: as recorded", flush=True)


def main() -> None:
    """Run and record claims, one line each."""
    parser = argparse.ArgumentParser(description="Run claims and record what they measured.")
    parser.add_argument("ids", nargs="*", help="claim ids such as SCB-3, or slugs of chapters; all when none is given")
    parser.add_argument("--results", type=Path, default=results.FOLDER, help="the folder of all records")
    parser.add_argument("--jobs", type=int, default=1, help="processes; more than one run whole chapters at a time")
    again = "measure what has other sources than its record; what agrees with it gets the digest of these"
    parser.add_argument("--again", action="store_true", help=again)
    parser.add_argument("--digests", action="store_true", help="write the digests, after all claims passed their tests")
    args = parser.parse_args()
    chosen = [claim for name in args.ids for claim in named(name)] or claims.all()
    groups = {claim.paper: [one for one in chosen if one.paper == claim.paper] for claim in chosen}
    paths = {slug: results.path_of(slug, "claims", args.results) for slug in groups}
    if args.digests:
        for slug, group in groups.items():
            stamp(group, paths[slug])
        return
    if args.again:
        wrong = [line for slug, group in groups.items() for line in measured_again(group, paths[slug])]
        raise SystemExit("\n".join(wrong) or None)
    together = list(groups.values()) if args.jobs > 1 else [[claim] for claim in chosen]
    for group in together:
        book = record(group, paths[group[0].paper], args.jobs)["claims"]
        for claim in group:
            entry = book[claim.id]
            spread = entry.get("spread")
            same = f"{spread['agree']} of {spread['blocks']} blocks" if spread else ""
            print(f"{claim.id:8} {entry['check']['verdict']:20} {entry['seconds']:7.1f} s  {same}", flush=True)


if __name__ == "__main__":
    try:
        main()
    except OSError as error:
        raise SystemExit(f"claims: cannot be recorded: {error}") from None
