"""A training step side by side: this library, the best ordinary NumPy and torch, in one process, taken in turns.

Each `benchmarks/SLUG.py` says who takes part, in the same mathematics and the precision of the library, samples
included. All follow the same path on given samples (`gap`), so that they are timed on the same work. Times are
processor time of one thread; a ratio is that of one round, and its interval, from the second smallest to the second
largest of nine rounds, holds the median in 96 of 100 repeats, whatever the spread.

    python benchmarks/scb.py             # prints the table; exit 1 if two disagree or the library has become slower
    python benchmarks/scb.py --record    # also writes hal/results/scb/benchmarks.json, which README sums up
    python benchmarks/scb.py --quick     # a tenth of the steps: whether it runs and all agree
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before NumPy: one thread for everybody

import argparse
import json
import platform
import sys
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hal import results

ROUNDS, QUICK_ROUNDS = 9, 3
WORDS = {
    "ours": "this library",
    "numpy": "the best ordinary NumPy: indices, vectorised draws, gradients by hand",
    "torch": "torch: indices, vectorised draws, automatic differentiation",
    "alone": "this library, one call a seed",
}


class Entry(NamedTuple):
    """Who takes part."""

    run: Callable[[int], Any]  #: trains that many steps, samples drawn
    steps: int  #: of a round
    gap: Callable[[], float]  #: largest difference from this library after some steps on the same samples


def seconds(work: Callable[[], Any]) -> float:
    """Processor time of one call."""
    start = time.process_time()
    work()
    return time.process_time() - start


def race(entries: Mapping[str, Entry], rounds: int = ROUNDS, share: float = 1.0) -> dict[str, Any]:
    """Milliseconds a step of each, and the ratio to `ours` with its interval.

    Args:
        entries: by the names of `WORDS`; "ours" is among them.
        rounds: at least 3.
        share: of the steps of each round.

    Returns:
        milliseconds, their medians; times, name -> [low, median, high] of the ratio; gaps, largest differences.
    """
    steps = {name: max(1, round(share * entry.steps)) for name, entry in entries.items()}
    took: dict[str, list[float]] = {name: [] for name in entries}
    for i in range(rounds + 1):
        for name, entry in entries.items():
            each = 1e3 * seconds(lambda entry=entry, name=name: entry.run(steps[name])) / steps[name]  # type: ignore[misc]
            took[name] += [each] if i else []  # the first warms what is kept
    return {
        "milliseconds": {name: float(np.median(values)) for name, values in took.items()},
        "times": {name: interval([a / b for a, b in zip(took[name], took["ours"], strict=True)]) for name in entries},
        "gaps": {name: entry.gap() for name, entry in entries.items() if name != "ours"},
    }


def interval(values: list[float]) -> list[float]:
    """Second smallest, median and second largest."""
    ordered = sorted(values)
    return [ordered[1], float(np.median(ordered)), ordered[-2]]


def best(found: Mapping[str, Any]) -> str:
    """The fastest of the rivals."""
    return min(found["gaps"], key=lambda name: found["milliseconds"][name])


def failures(found: Mapping[str, Any], same: float, least: float) -> list[str]:
    """What is wrong with a race: a rival on another path, or a ratio whose whole interval has fallen.

    Args:
        found: of `race`.
        same: largest difference of a parameter after some steps on the same samples.
        least: of the best rival's time in units of ours, some way below what was measured.
    """
    apart = [f"{name}: apart by {gap:.1e}, at most {same:.0e}" for name, gap in found["gaps"].items() if gap > same]
    high = found["times"][best(found)][2]
    return apart + ([f"{best(found)}: {high:.2f} times our time, at least {least:.2f}"] if high < least else [])


def main(slug: str, size: str, entries: Callable[[], Mapping[str, Entry]], same: float, least: float) -> int:
    """Race, print, judge, and record where that is asked for; what the command ends with."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", action="store_true", help=f"write hal/results/{slug}/benchmarks.json")
    parser.add_argument("--quick", action="store_true", help="a tenth of the steps, and no judgement of times")
    given = parser.parse_args()
    rounds = QUICK_ROUNDS if given.quick else ROUNDS
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)
    found = race(entries(), rounds, 0.1 if given.quick else 1.0)
    print(f"{slug}: one step, {size}: milliseconds, times ours [interval]")
    for name, (low, middle, high) in found["times"].items():
        print(f"  {WORDS[name]:<76} {found['milliseconds'][name]:9.4f}  {middle:6.2f} [{low:.2f}, {high:.2f}]")
    wrong = failures(found, same, 0.0 if given.quick else least)
    print(*(f"  FAIL {line}" for line in wrong), sep="\n", end="\n" * bool(wrong))
    if given.record and not given.quick:
        where = provenance(f"python benchmarks/{slug}.py --record", {"rounds": rounds})
        report = {**found, "size": size, "passed": not wrong, "provenance": where}
        path = results.path_of(slug, "benchmarks")
        path.parent.mkdir(parents=True, exist_ok=True)
        results.write(path, json.dumps(report, indent=1))
    return 1 if wrong else 0


def provenance(command: str, settings: dict[str, Any]) -> dict[str, Any]:
    """Where and when numbers were measured, and by which command."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "processor": processor(),
        "cores": os.cpu_count(),
        "threads": os.environ.get("OMP_NUM_THREADS"),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "torch": sys.modules["torch"].__version__ if "torch" in sys.modules else None,
        "command": command,
        "settings": settings,
    }


def processor() -> str:
    """The processor's name, as the system gives it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()
