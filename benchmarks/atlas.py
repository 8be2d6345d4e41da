"""Speed of chapter `atlas`: five learning rates and many seeds in one call against one after the other, in one process.

`python benchmarks/atlas.py` prints seconds and fails (exit 1) if the two disagree; `--record` also writes
hal/results/atlas/benchmarks.json.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before NumPy: one thread for everybody

import argparse
import sys
from statistics import median
from typing import Any

import numpy as np
from parts.report import Checks, seconds, write

from hal import results
from hal.chapters.atlas.runs import fan

RECORD = results.path_of("atlas", "benchmarks")
SEEDS, STEPS, ROUNDS = 8, 200, 5


def together() -> np.ndarray:
    return fan(range(SEEDS), steps=STEPS).step


def one_by_one() -> np.ndarray:
    return np.concatenate([fan([seed], steps=STEPS).step for seed in range(SEEDS)])


def tables(report: dict[str, Any]) -> list[dict[str, Any]]:
    """What the performance page shows of a record: seconds of many runs."""
    took = report["seconds"]
    return [
        {
            "says": f"{report['runs']} training runs, five learning rates of the read-out times {SEEDS} seeds:",
            "head": ["How", "Median", "Times one call"],
            "rows": [[how, f"{value:.3g} s", f"{value / took['in one call']:.3g}"] for how, value in took.items()],
            "label": "Seconds of many runs",
            "note": "",
        }
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", action="store_true", help="write hal/results/atlas/benchmarks.json")
    record = parser.parse_args().record
    check = Checks()
    check("many runs equal single runs", np.array_equal(together(), one_by_one(), equal_nan=True))
    work = {"in one call": together, "one call a seed": one_by_one}
    took = {name: median(seconds(one) for _ in range(ROUNDS)) for name, one in work.items()}
    for name, value in took.items():
        print(f"  {5 * SEEDS} runs {name}: {value:.3f} s, {value / took['in one call']:.1f} times")
    if record:
        report = {"runs": 5 * SEEDS, "seconds": took, "passed": check.all()}
        settings = {"seeds": SEEDS, "steps": STEPS, "rounds": ROUNDS}
        write(RECORD, {"tables": tables(report), **report}, "python benchmarks/atlas.py --record", settings)
    return 0 if check.all() else 1


if __name__ == "__main__":
    sys.exit(main())
