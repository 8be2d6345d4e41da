"""Speed of chapter `scan_snap`: the library against one-hot sequences with automatic differentiation, in one process.

`python benchmarks/scan_snap.py` prints milliseconds and ratios and fails (exit 1) if a target is missed or if the two
disagree; `--record` also writes hal/results/scan_snap/benchmarks.json; `--page` measures the run in the page alone.

What is timed: training steps of the standard run (batch 128, 127 contextual tokens, momentum 0.9, both rates 1, random
start) on one thread, samples included, for the smallest and the largest vocabulary of the paper. The library runs
through its public `learn`, one run alone and 16 runs with the same samples. The other draws its samples the ordinary
way, throws them away, and takes its step on the very samples that the library draws, so that both have the same loss;
it is timed in single precision, torch's default, and compared in double. Times are processor time, medians of repeats
taken in turns. The whole of Figure 6 (640 runs, replayed random numbers) must fit in its budget as well.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before NumPy: one thread for everybody

import argparse
import json
import sys
from typing import Any

import numpy as np
import torch
from parts import page_run, rivals, scan_snap_rivals
from parts import scan_snap_slow as slow
from parts.report import Checks, seconds, write
from parts.scan_snap_loop import Loop
from parts.scan_snap_tables import tables

from hal import results
from hal.chapters.scan_snap.runs import fast_runs, learn, published_figure6, replayed_figure6
from lib.models import scan_snap as ss
from lib.models.scan_snap import textbook
from lib.sampling import generators

RECORD = results.path_of("scan_snap", "benchmarks")
BATCH, STEPS, RUNS, ROUNDS = 128, 100, 16, 7
SETTINGS: dict[str, Any] = {"K=2, own queries": {"K": 2}, "K=20, 10 queries": {"K": 20, "queries": 10}}
TARGETS = {34: 15.0, 240: 30.0}  # M -> least speed-up of a single run, drawing included
BUDGET = 150.0  # seconds for Figure 6
EARLY = 20  # steps compared: later losses are small differences of large numbers in single precision
SAME_64, SAME_32 = 1e-10, 1e-3  # largest relative difference of the loss


def ours(task: ss.Task, runs: int = 1, steps: int = STEPS, each: int = STEPS) -> np.ndarray:
    """Train `runs` runs of the library; the losses of the first, at every `each`-th step."""
    at = range(0, steps + 1, each)
    return learn(task, [0] * runs, steps=steps, random=True, shared=True, record={}, record_at=at)["loss"][0, 1:]


def other(task: ss.Task, dtype: torch.dtype = torch.float32) -> slow.OneHot:
    """The other implementation at the same start with the same rates."""
    return slow.OneHot(task, ss.random_start(task, generators([0], purpose=2)), 1.0, 1.0, dtype)


def samples(task: ss.Task, steps: int) -> list[tuple[torch.Tensor, torch.Tensor]]:
    """The samples that `ours` draws, as sequences."""
    rngs = generators([0])
    return [slow.sequences(ss.sample(task, BATCH, rngs)) for _ in range(steps)]


def difference(task: ss.Task, dtype: torch.dtype) -> float:
    """Largest relative difference of the loss over the early steps."""
    model = other(task, dtype)
    losses = np.array([model.step(*given) for given in samples(task, EARLY)])
    return float(np.abs(losses / ours(task, steps=EARLY, each=1) - 1).max())


def compare(task: ss.Task) -> dict[str, Any]:
    """Milliseconds a step and run of both, taken in turns."""
    model, rngs, share = other(task), generators([0]), 4
    given = samples(task, share * ROUNDS)
    times: dict[str, list[float]] = {name: [] for name in ("ours", "ours 16", "one-hot", "our draw", "its draw")}
    ours(task)
    model.step(*given[0])
    for i in range(ROUNDS):
        work = {
            "ours": (lambda: ours(task), STEPS),
            "one-hot": (lambda i=i: [model.step(*x) for x in given[i * share : (i + 1) * share]], share),
            "ours 16": (lambda: ours(task, RUNS), STEPS * RUNS),
            "its draw": (lambda: [model.draw(BATCH) for _ in range(share)], share),
            "our draw": (lambda: [ss.sample(task, BATCH, rngs) for _ in range(50)], 50),
        }
        for name, (run, steps) in work.items():
            times[name].append(1e3 * seconds(run) / steps)
    median = {name: float(np.median(values)) for name, values in times.items()}
    whole = median["one-hot"] + median["its draw"]
    return {
        "M": task.M,
        "milliseconds": median,
        "fastest": {name: min(values) for name, values in times.items()},
        "ratio": whole / median["ours"],
        "ratio 16": whole / median["ours 16"],
        "ratio without drawing": median["one-hot"] / (median["ours"] - median["our draw"]),
        "difference": {"float64": difference(task, torch.float64), "float32": difference(task, torch.float32)},
    }


def figure6() -> dict[str, Any]:
    """Processor seconds of the replayed figure, and its largest difference from the released table."""
    found = []
    took = seconds(lambda: found.append(replayed_figure6()))
    gap = max(
        float(np.abs(a - b).max()) for a, b in zip((found[0].mean, found[0].std), published_figure6(), strict=True)
    )
    return {"runs": found[0].entropy.size, "seconds": took, "difference": gap}


def in_the_page() -> dict[str, Any]:
    """Seconds of the run that the page makes at its first figure's default, there and elsewhere."""
    settings, steps = textbook.Settings(), 4
    loop, rng = Loop(ss.base_task(L=settings.T - 1)), np.random.default_rng(0)

    def plain() -> None:
        for _ in range(steps):
            loop.step([loop.draw(rng) for _ in range(settings.batch)])

    scaled = settings.steps / steps
    return page_run.measure(textbook, settings, lambda: fast_runs(settings, [0]), lambda: seconds(plain) * scaled)


def say_page(found: dict[str, Any]) -> None:
    """Print what `in_the_page` found."""
    for name, words in page_run.WORDS.items():
        print(f"  {words:<60} {found['seconds'][name]:8.3f} s")
    print(f"  a run in the page: {page_run.ratio(found):.2f} times the fast model's")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", action="store_true", help="write hal/results/scan_snap/benchmarks.json")
    parser.add_argument("--page", action="store_true", help="the page's run alone; the rest of the record stays")
    parser.add_argument("--rivals", action="store_true", help="the race alone; the rest of the record stays")
    given = parser.parse_args()
    record = given.record
    torch.set_num_threads(1)
    if given.rivals:
        return rivals.alone(scan_snap_rivals, RECORD if record else None, tables)
    check, report = Checks(), {"compare": {}}
    if given.page:
        say_page(found := in_the_page())
        if record:
            known = json.loads(RECORD.read_text()) | {"page": found}
            results.write(RECORD, json.dumps({**known, "tables": tables(known)}, indent=1))
        return 0

    for name, settings in SETTINGS.items():
        task = ss.base_task(**settings)
        report["compare"][name] = found = compare(task)
        print(f"M = {task.M} ({name}): milliseconds a step and run, median (fastest)")
        for part, value in found["milliseconds"].items():
            print(f"  {part:<10} {value:8.3f}  ({found['fastest'][part]:.3f})")
        print(f"  without drawing samples: {found['ratio without drawing']:.1f} times our time")
        least = TARGETS[task.M]
        for key, text in (("ratio", "one run"), ("ratio 16", f"{RUNS} runs together, each")):
            check(f"{text}: {found[key]:.1f} times our time, at least {least:.0f}", found[key] >= least)
        for kind, limit in (("float64", SAME_64), ("float32", SAME_32)):
            worst = found["difference"][kind]
            check(f"same loss for {EARLY} steps in {kind}: {worst:.1e} relative, at most {limit:.0e}", worst <= limit)

    report["figure6"] = found = figure6()
    check(f"Figure 6, {found['runs']} runs: {found['seconds']:.0f} s, at most {BUDGET:.0f}", found["seconds"] <= BUDGET)
    check(f"all 64 cells of Figure 6: off by {found['difference']:.6f} at most, 0.0005", found["difference"] <= 0.0005)

    report["page"] = in_the_page()
    say_page(report["page"])

    report["rivals"] = rivals.measure(check, scan_snap_rivals)
    report["passed"] = check.all()
    if record:
        settings = {"batch": BATCH, "contextual tokens": 127, "steps": STEPS, "momentum": 0.9, "rates": 1.0, "seed": 0}
        report = {"tables": tables(report), **report}
        write(RECORD, report, "python benchmarks/scan_snap.py --record", settings | {"rounds": ROUNDS})
    return 0 if check.all() else 1


if __name__ == "__main__":
    sys.exit(main())
