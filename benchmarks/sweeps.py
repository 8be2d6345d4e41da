"""What a sweep takes beside its runs, whether `forecast` tells how long one takes, and what many runs a call are worth.

    OMP_NUM_THREADS=1 python benchmarks/sweeps.py             # a quarter of an hour of two cores
    OMP_NUM_THREADS=1 python benchmarks/sweeps.py --record    # and write hal/results/site/sweeps.json
    ... --part forecasts                                      # of its three parts only one; `--part costs` begins anew

Costs are the best of several processes, since other work on the machine only adds to them; memory is the worst. A
forecast holds for a machine that stays as busy as it was: where other work took more than a tenth of all cores while a
forecast and its sweep ran, both are set aside, and counted.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from parts import sweep_vectorised
from parts.report import Checks, provenance
from parts.sweep_cost import CLUSTER, HERE, PLACES, PROCESSES, apart
from parts.sweep_kinds import KINDS

from hal import results

RECORD = results.path_of("site", "sweeps")
A_POINT = {PROCESSES: 100e-6, CLUSTER: 400e-6}  # seconds beside the runs, in a sweep of 10^4 points
IN_ALL = {PROCESSES: 15.0, CLUSTER: 60.0}  # seconds for 10^5 points
AGAIN, MEMORY, WITHIN = 2.0, 300.0, 0.25  # seconds to find 10^4 points; megabytes of 10^5; relative error
FEW, MANY = 10_000, 100_000
QUIET, COUNTED, TRIES = 0.1, 3, 8  # share of the cores that other work may take; sweeps of a kind, and tries


def costs(check: Checks, record: dict[str, Any]) -> dict[str, Any]:
    """Seconds and megabytes of sweeps whose runs take no time, best of the repeats."""
    found: dict[str, Any] = {"overhead": {}, "task": {}}
    for place in PLACES:
        for count in (FEW, MANY):
            runs = apart("sweep_cost", "overhead", place, count, repeats=3)
            worst = {name: max(run[name] for run in runs) for name in ("megabytes", "files", "bytes")}
            name, part = f"{place}, {count}", {key: min(run[key] for run in runs) for key in runs[0]} | worst
            print(f"  {name:<48}", ", ".join(f"{key} {value:.2f}" for key, value in part.items()), flush=True)
            found["overhead"][name] = part
    for place in (PROCESSES, CLUSTER):
        few, many = (found["overhead"][f"{place}, {count}"] for count in (FEW, MANY))
        each, whole, memory = few["computed"] / FEW, many["computed"], many["megabytes"]
        check(f"{place}: {1e6 * each:.0f} us a point, at most {1e6 * A_POINT[place]:.0f}", each <= A_POINT[place])
        check(f"{place}: 10^5 points in {whole:.1f} s, at most {IN_ALL[place]:.0f}", whole <= IN_ALL[place])
        check(f"{place}: 10^5 points in {memory:.0f} MB, at most {MEMORY:.0f}", memory <= MEMORY)
        found["task"][place] = min(run["seconds"] for run in apart("sweep_cost", "a_task", place, repeats=3))
        print(f"  a task of a single point: {1e3 * found['task'][place]:.1f} ms")
    again = found["overhead"][f"{HERE}, {FEW}"]["found again"]
    check(f"10^4 points found again in {again:.2f} s, at most {AGAIN:.0f}", again <= AGAIN)
    return found


def wait_until_quiet() -> None:
    """Wait, half an hour at most, for two seconds in which other work leaves the cores alone."""
    for _ in range(900):
        others = Others()
        time.sleep(2.0)
        if others.share() <= QUIET:
            return


class Others:
    """The share of all cores that other work takes from now on; 0 where the system does not say."""

    def __init__(self) -> None:
        self._begun = self._spent()

    def share(self) -> float:
        """Since it was made; of our own processes those that have ended count as ours."""
        (busy, at), (busy_before, before) = self._spent(), self._begun
        return max(0.0, busy - busy_before) / (at - before) / (os.cpu_count() or 1)

    @staticmethod
    def _spent() -> tuple[float, float]:
        """Seconds of all cores less those of this process and its children; and the time."""
        try:
            words = Path("/proc/stat").read_text().split()
        except OSError:
            return 0.0, time.perf_counter()
        all_of = sum(map(float, words[1:4])) / os.sysconf("SC_CLK_TCK")  # at normal priority, at low, of the system
        return all_of - sum(os.times()[:4]), time.perf_counter()


def forecasts(check: Checks, record: dict[str, Any]) -> dict[str, Any]:
    """For each kind of sweep what was forecast and what it took, while the machine was steady.

    What the record has counts: where the machine left too few steady sweeps of a kind, only these are tried again.
    """
    known = record.setdefault("forecasts", {})
    for kind, (_, _, place) in KINDS.items():
        own = record["overhead"][f"{place}, {MANY}"]["computed"] / MANY, record["task"].get(place, 0.0)
        found = known.setdefault(kind, {"runs": [], "set_aside": 0})
        for _ in range(TRIES):
            if len(found["runs"]) >= COUNTED:
                break
            wait_until_quiet()
            others = Others()
            (run,) = apart("sweep_kinds", "compared", kind, own)
            share = others.share()
            found["set_aside"] += share > QUIET
            found["runs"] += [run | {"others": share}] if share <= QUIET else []
        runs = found["runs"]
        said = ", ".join(f"{run['forecast']:.2f} for {run['took']:.2f}" for run in runs)
        worst = max((abs(run["forecast"] / run["took"] - 1) for run in runs), default=1.0)
        good = len(runs) == COUNTED and worst <= WITHIN
        check(f"{kind}: {said} s, {found['set_aside']} set aside, within {100 * worst:.0f} %", good)
    return {"forecasts": known}


def vectorised(check: Checks, record: dict[str, Any]) -> dict[str, Any]:
    """Milliseconds a run of each chapter's experiment, many seeds a call and one; shown, and no target."""
    found: dict[str, Any] = {}
    for slug, small in sweep_vectorised.SMALL.items():
        found[slug] = {}
        for size, settings in (("small", small), ("defaults", {})):
            took = found[slug][size] = {**sweep_vectorised.compared(slug, settings), "settings": settings}
            ratio = took["alone"] / took["together"]
            print(f"  {slug}, {size}: {1e3 * took['together']:.1f} ms, alone {ratio:.1f} times", flush=True)
    return {"vectorised": found}


PARTS = {"costs": costs, "forecasts": forecasts, "vectorised": vectorised}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", action="store_true", help="write hal/results/site/sweeps.json")
    parser.add_argument("--part", choices=PARTS, help="measure this part only; the others stay as they are recorded")
    given = parser.parse_args()
    record = json.loads(RECORD.read_text()) if given.part else {}
    if given.part == "costs":
        record.pop("forecasts", None)  # they count with these costs
    passed = True
    try:
        for name in [given.part] if given.part else PARTS:
            check = Checks()
            load = round(os.getloadavg()[2], 1)  # of other work on the machine, over the last quarter of an hour
            where = provenance("python benchmarks/sweeps.py --record", {}) | {"load": load, "passed": False}
            record.setdefault("measured", {})[name] = where
            record |= PARTS[name](check, record)
            where["passed"] = check.all()
            passed = passed and check.all()
    finally:  # an interrupt keeps what was measured
        if given.record:
            results.write(RECORD, json.dumps(record, indent=1))
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
