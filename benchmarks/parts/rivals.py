"""A training step side by side: this library, the best ordinary NumPy, torch and JAX, in one process, taken in turns.

Each chapter has `parts/SLUG_rivals.py` with `entries()`: who takes part, in the same mathematics and in the precision
of the library, samples included. All follow the same path on given samples (`gaps`), so that they are timed on the same
work. Times are processor time of one thread, so that a busy machine slows all alike; a ratio is that of one round, and
its interval, from the second smallest to the second largest of nine rounds, holds the median in 96 of 100 repeats,
whatever the spread.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hal import results
from parts.report import Checks, seconds

ROUNDS = 9
#: What the page holds the library to: against the best ordinary NumPy or torch, and against JAX.
GOAL, GOAL_JAX = 7.0, 2.0
ORDINARY = ("numpy", "torch")
NAMES = {"numpy": "NumPy", "torch": "torch"}
WORDS = {
    "ours": "this library",
    "numpy": "the best ordinary NumPy: indices, vectorised draws, gradients by hand",
    "torch": "torch: indices, vectorised draws, automatic differentiation",
    "jax": "JAX: compiled, steps and draws in one scan, automatic differentiation",
}


class Entry(NamedTuple):
    """Who takes part."""

    run: Callable[[int], Any]  #: trains that many steps, samples drawn
    steps: int  #: of a round
    gap: Callable[[], float]  #: largest difference from this library after some steps on the same samples


def jax_or_none(double: bool = False) -> Any:
    """JAX on one thread, or None where it is not installed: an optional requirement of the benchmarks.

    Args:
        double: in double precision from here on, as the library is in that chapter.
    """
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    try:
        import jax
    except ImportError:
        return None
    jax.config.update("jax_enable_x64", double)
    return jax


def race(entries: Mapping[str, Entry], rounds: int = ROUNDS) -> dict[str, Any]:
    """Milliseconds a step of each, and the ratio to `ours` with its interval.

    Args:
        entries: by the names of `WORDS`; "ours" is among them.
        rounds: at least 3.

    Returns:
        milliseconds, their medians; times, name -> [low, median, high] of the ratio; gaps, largest differences.
    """
    for entry in entries.values():
        entry.run(entry.steps)  # compiles, and warms what is kept
    took: dict[str, list[float]] = {name: [] for name in entries}
    for _ in range(rounds):
        for name, (run, steps, _gap) in entries.items():
            took[name].append(1e3 * seconds(lambda run=run, steps=steps: run(steps)) / steps)  # type: ignore[misc]
    return {
        "milliseconds": {name: float(np.median(values)) for name, values in took.items()},
        "times": {name: interval([a / b for a, b in zip(took[name], took["ours"], strict=True)]) for name in entries},
        "gaps": {name: entry.gap() for name, entry in entries.items() if name != "ours"},
        "rounds": rounds,
    }


def interval(values: list[float]) -> list[float]:
    """Second smallest, median and second largest."""
    ordered = sorted(values)
    return [ordered[1], float(np.median(ordered)), ordered[-2]]


def judge(check: Checks, found: Mapping[str, Any], same: float, least: float, least_jax: float) -> None:
    """Print who took how long, and check that no ratio has fallen: one has where its whole interval is below.

    Args:
        check: of the benchmark.
        found: of `race`.
        same: largest difference of a parameter after some steps on the same samples.
        least: against the best of NumPy and torch, some way below what was measured.
        least_jax: against JAX.
    """
    for name, (low, middle, high) in found["times"].items():
        print(f"  {WORDS[name]:<76} {found['milliseconds'][name]:9.4f} ms  {middle:6.1f} [{low:.1f}, {high:.1f}]")
    for name, gap in found["gaps"].items():
        check(f"{name} follows the same path: {gap:.1e}, at most {same:.0e}", gap <= same)
    for name, limit in ((best(found), least), ("jax", least_jax)):
        if name in found["times"]:
            low, middle, high = found["times"][name]
            words = f"{middle:.1f} [{low:.1f}, {high:.1f}] times our time, at least {limit:.1f}"
            check(f"against {name}: {words}", high >= limit)


def best(found: Mapping[str, Any]) -> str:
    """The fastest of NumPy and torch."""
    return min(ORDINARY, key=lambda name: found["milliseconds"][name])


def table(found: Mapping[str, Any], size: str) -> dict[str, Any]:
    """The headline of a chapter on the performance page, as plain text.

    Args:
        found: of `race`.
        size: of the step, in words.
    """
    name = best(found)
    low, middle, high = found["times"][name]
    missed = [f"{what} ({goal:.0f})" for what, goal in (("NumPy and torch", GOAL),) if high < goal]
    if "jax" in found["times"] and found["times"]["jax"][2] < GOAL_JAX:
        missed.append(f"JAX ({GOAL_JAX:.0f})")
    goal = f" Below the goal against {' and '.join(missed)}." if missed else ""
    rows = [
        [WORDS[one], f"{found['milliseconds'][one]:.3g} ms", *(f"{found['times'][one][i]:.2g}" for i in (1, 0, 2))]
        for one in WORDS
        if one in found["times"]
    ]
    return {
        "says": f"One training step, samples included, {size}. The best ordinary rival, {NAMES[name]}, takes "
        f"{middle:.2g} times as long (between {low:.2g} and {high:.2g}).{goal}",
        "head": ["Implementation", "One step", "Times ours", "from", "to"],
        "rows": rows,
        "label": "Milliseconds of a step, side by side",
        "note": "" if "jax" in found["times"] else "JAX was not installed.",
    }


def measure(check: Checks, module: Any) -> dict[str, Any]:
    """Race, judge and tell the size, of `parts/SLUG_rivals.py`."""
    print(f"side by side, one step, {module.SIZE}: milliseconds, times ours [interval]")
    found = race(module.entries())
    judge(check, found, module.SAME, module.LEAST, module.LEAST_JAX)
    return {**found, "size": module.SIZE}


def alone(module: Any, record: Path | None, tables: Callable[[dict[str, Any]], Any]) -> int:
    """The race alone, and in the record, where one is named; the rest of that stays.

    Args:
        module: `parts/SLUG_rivals.py`.
        record: a `benchmarks.json` that exists, or None.
        tables: of the chapter.

    Returns:
        What the command ends with.
    """
    check = Checks()
    found = measure(check, module)
    if record is not None:
        known = json.loads(record.read_text()) | {"rivals": found}
        results.write(record, json.dumps({**known, "tables": tables(known)}, indent=1))
    return 0 if check.all() else 1
