"""`python -m benchmarks.mutants`: break formulas of the library and see whether a test or a claim notices.

A seeded sample of mutants, a slice of it at a time; what comes out is added to hal/results/site/mutants.json after each
one, so that an interruption costs one mutant. `--open` takes what the record leaves open: survivors that have no
reason, and what was never looked at.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before NumPy: one thread for everybody

import argparse
import math
from collections.abc import Iterable
from pathlib import Path

import lib
from benchmarks.mutants.hunt import copy_of, hunt
from benchmarks.mutants.places import all_mutants
from benchmarks.mutants.watchers import Watcher, claim_ids, imported, measured, test_files
from hal import results
from hal.site import mutants as page

ROOT = Path(__file__).parents[2]
MEMORY = ROOT / ".cache" / "mutants"


def watch(kinds: Iterable[str], longest: float, quick: bool) -> dict[str, list[Watcher]]:
    """By kind, the tests or claims that can notice a mutant; one that fails unbroken is named and left out.

    Args:
        kinds: "tests", "claims" or both.
        longest: processor seconds above which a claim is left out.
        quick: take what tests import in place of what they run.
    """
    units = {"tests": test_files(ROOT), "claims": claim_ids(longest)}
    found: dict[str, list[Watcher]] = {kind: [] for kind in kinds}
    with copy_of(ROOT) as copy:
        for kind, watchers in found.items():
            if quick and kind == "tests":
                watchers += imported(units[kind], ROOT)
                continue
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
    parser.add_argument("--open", action="store_true", help="only what is not recorded, or survives without a reason")
    parser.add_argument("--alive", action="store_true", help="only what `--only` is not on record to have noticed")
    parser.add_argument(
        "--only", choices=["tests", "claims"], help="who is to notice; both by default, one after the other"
    )
    parser.add_argument("--longest", type=float, default=math.inf, help="leave out claims of more processor seconds")
    parser.add_argument("--budget", type=float, default=math.inf, help="processor seconds for a mutant")
    parser.add_argument("--quick", action="store_true", help="take what tests import for what they run")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="mutants at a time")
    parser.add_argument("--results", type=Path, default=results.FOLDER / "site", help="the folder of the record")
    given = parser.parse_args()
    if given.alive and not given.only:
        parser.error("--alive needs --only tests or --only claims")

    sample = all_mutants(Path(lib.__file__).parent, given.seed)[: given.count]
    wanted = sample[slice(*(int(end) if end else None for end in given.slice.split(":")))] if given.slice else sample
    if given.open:
        known = page.recorded(given.results)
        left = {found["key"] for found in page.still_open(known, page.reasons(given.results))}
        settled = {found["key"] for found in known} - left
        wanted = [mutant for mutant in sample if mutant.key not in settled]
    if given.alive:
        seen = {found["key"] for found in page.recorded(given.results) if found.get(given.only)}
        wanted = [mutant for mutant in wanted if mutant.key not in seen]
    watchers = watch([given.only] if given.only else ["tests", "claims"], given.longest, given.quick)
    print(f"{len(wanted)} mutants;", *(f"{len(some)} {kind}" for kind, some in watchers.items()), flush=True)
    for found in hunt(wanted, ROOT, watchers, given.jobs, given.budget):
        page.add(given.results, found, {mutant.key for mutant in sample}, given.seed)
        print(found["key"], *(f"    {kind}: {found[kind] or 'none'}" for kind in watchers), sep="\n", flush=True)


if __name__ == "__main__":
    main()
