"""What a sweep takes beside its runs: a point, a task, memory, and whether a pilot tells how long all will take.

    OMP_NUM_THREADS=1 python benchmarks/sweeps.py             # some minutes of two cores
    OMP_NUM_THREADS=1 python benchmarks/sweeps.py --record    # and write hal/results/site/sweeps.json

Each time is the best of several processes, since other work on the machine only adds to it; memory is the worst, and
the prediction the median: it is only as good as the machine is quiet between the pilot and the sweep.
"""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any

from parts import sweep_cost
from parts.report import Checks, write
from parts.sweep_cost import CLUSTER, HERE, PLACES, PROCESSES

from hal import results

RECORD = results.path_of("site", "sweeps")
A_POINT = {PROCESSES: 100e-6, CLUSTER: 400e-6}  # seconds beside the runs, in a sweep of 10^4 points
IN_ALL = {PROCESSES: 15.0, CLUSTER: 60.0}  # seconds for 10^5 points
AGAIN, MEMORY, WITHIN = 2.0, 300.0, 0.25  # seconds to find 10^4 points; megabytes of 10^5; relative error
FEW, MANY = 10_000, 100_000


def measure() -> dict[str, Any]:
    """All numbers, best of the repeats."""
    found: dict[str, Any] = {"overhead": {}, "task": {}, "prediction": {}}
    for place in PLACES:
        for count in (FEW, MANY):
            runs = sweep_cost.apart("overhead", place, count, repeats=3)
            best = {name: min(run[name] for run in runs) for name in runs[0]}
            found["overhead"][f"{place}, {count}"] = best | {"megabytes": max(run["megabytes"] for run in runs)}
    for place in (PROCESSES, CLUSTER):
        found["task"][place] = min(run["seconds"] for run in sweep_cost.apart("a_task", place))
    runs = sweep_cost.apart("prediction", PROCESSES, FEW, repeats=3)
    found["prediction"] = sorted(runs, key=lambda run: abs(run["predicted"] / run["took"] - 1))[1]  # the median
    return found


def say(check: Checks, found: dict[str, Any]) -> None:
    """Print what was found, and check the targets."""
    for name, run in found["overhead"].items():
        print(f"  {name:<48}", ", ".join(f"{part} {value:.2f}" for part, value in run.items()))
    for place in (PROCESSES, CLUSTER):
        few, many = (found["overhead"][f"{place}, {count}"] for count in (FEW, MANY))
        each = few["computed"] / FEW
        check(f"{place}: {1e6 * each:.0f} us a point, at most {1e6 * A_POINT[place]:.0f}", each <= A_POINT[place])
        whole = many["computed"]
        check(f"{place}: 10^5 points in {whole:.1f} s, at most {IN_ALL[place]:.0f}", whole <= IN_ALL[place])
        memory = many["megabytes"]
        check(f"{place}: 10^5 points in {memory:.0f} MB, at most {MEMORY:.0f}", memory <= MEMORY)
        print(f"  a task of a single point: {1e3 * found['task'][place]:.1f} ms")
    again = found["overhead"][f"{HERE}, {FEW}"]["found again"]
    check(f"10^4 points found again in {again:.2f} s, at most {AGAIN:.0f}", again <= AGAIN)
    took, said = found["prediction"]["took"], found["prediction"]["predicted"]
    check(f"10^4 runs in {took:.1f} s, a pilot says {said:.1f} s, within 25 %", abs(said / took - 1) <= WITHIN)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", action="store_true", help="write hal/results/site/sweeps.json")
    given = parser.parse_args()
    check, found = Checks(), measure()
    say(check, found)
    if given.record:
        load = {"load": round(os.getloadavg()[2], 1)}  # other work on the machine, over the last quarter of an hour
        write(RECORD, {**found, "passed": check.all()}, "python benchmarks/sweeps.py --record", load)
    return 0 if check.all() else 1


if __name__ == "__main__":
    sys.exit(main())
