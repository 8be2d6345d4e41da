"""`python -m benchmarks.mutants`: break formulas of the library and see whether a test or a claim notices.

A seeded sample of mutants, a slice of it at a time; what comes out is added to results/site/mutants.json after each
one, so that an interruption costs one mutant. `--open` takes instead the survivors that have no reason.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before NumPy: one thread for everybody

import argparse
from collections.abc import Iterable
from pathlib import Path

import lib
from lib.site import mutants as page

from .hunt import copy_of, hunt
from .places import all_mutants
from .watchers import Watcher, claim_ids, measured, test_files

ROOT = Path(__file__).parents[2]
MEMORY = ROOT / ".cache" / "mutants"


def watch(kinds: Iterable[str]) -> dict[str, list[Watcher]]:
    """By kind, the tests or claims that can notice a mutant; one that fails unbroken is named and left out."""
    units = {"tests": test_files(ROOT), "claims": claim_ids()}
    found: dict[str, list[Watcher]] = {kind: [] for kind in kinds}
    with copy_of(ROOT) as copy:
        for kind, watchers in found.items():
            for unit, watcher in measured(units[kind], ROOT, copy, MEMORY):
                if watcher is None:
                    print(f"left out, as it fails unbroken: {unit}", flush=True)
                else:
                    watchers.append(watcher)
    return found


def main() -> None:
    """Run a slice and record it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--count", type=int, default=300, help="mutants in the sample")
    parser.add_argument("--slice", default="", metavar="FROM:TO", help="only these of the sample")
    parser.add_argument("--open", action="store_true", help="only recorded survivors without a reason")
    parser.add_argument(
        "--only", choices=["tests", "claims"], help="who is to notice; both by default, one after the other"
    )
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="mutants at a time")
    parser.add_argument("--results", type=Path, default=ROOT / "results" / "site", help="the folder of the record")
    given = parser.parse_args()

    sample = all_mutants(Path(lib.__file__).parent, given.seed)[: given.count]
    wanted = sample[slice(*(int(end) if end else None for end in given.slice.split(":")))] if given.slice else sample
    if given.open:
        left = {found["key"] for found in page.still_open(page.recorded(given.results), page.reasons(given.results))}
        wanted = [mutant for mutant in sample if mutant.key in left]
    watchers = watch([given.only] if given.only else ["tests", "claims"])
    print(f"{len(wanted)} mutants;", *(f"{len(some)} {kind}" for kind, some in watchers.items()), flush=True)
    for found in hunt(wanted, ROOT, watchers, given.jobs):
        page.add(given.results, found, {mutant.key for mutant in sample}, given.seed)
        print(found["key"], *(f"    {kind}: {found[kind] or 'none'}" for kind in watchers), sep="\n", flush=True)


if __name__ == "__main__":
    main()
