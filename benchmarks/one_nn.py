"""Speed of chapter `one_nn`: the library against the ordinary ways to write the same training, in one process.

`python benchmarks/one_nn.py` prints times and ratios and fails (exit 1) if a target is missed or if two implementations
disagree; `--record` also writes hal/results/one_nn/benchmarks.json.

What is timed, on one thread: a step of SGD at d = 8, N = 16, batch 256, samples included, against token matrices and
the whole matrix W; the gradient on 20,000 prompts against automatic differentiation through the whole attention; and
a gradient flow to t = 1e8. The library draws inner products and trains two numbers through its public `learn_pair`.
The others draw their points the ordinary way, throw them away, and take their step on points with the very inner
products that the library draws; their labels are averaged out exactly, so all must follow the same path. Times are
processor time, medians of repeats taken in turns.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before NumPy: one thread for everybody

import argparse
import sys
from statistics import median
from typing import Any

import numpy as np
import torch
from parts import one_nn_rivals, rivals
from parts import one_nn_slow as slow
from parts.one_nn_tables import tables
from parts.report import Checks, seconds, write

from hal import results
from hal.chapters.one_nn.runs import learn, learn_pair, reduced_flow
from lib.models import one_nn as model
from lib.sampling import generators

RECORD = results.path_of("one_nn", "benchmarks")
D, N, BATCH, LR, SIGMA = 8, 16, 256, 2.0, 3.0
STEPS, SHARE, ROUNDS, ROWS, LAST = 300, 20, 9, 20_000, 1e8
TARGETS = {"step": 8.0, "gradient": 40.0}  # least speed-ups
BUDGET = 8.0  # seconds for a flow
SAME = 1e-10  # largest difference of xi after STEPS steps, and of a slope


def ours(steps: int = STEPS, batch: int = BATCH) -> np.ndarray:
    """(xi_1, xi_2) after `steps` steps of the library."""
    run = learn_pair([0], d=D, N=N, sigma=SIGMA, lr=LR, batch=batch, steps=steps, record_at=[0, steps])
    return np.array([run.params.xi1[0], run.params.xi2[0]])


def full(steps: int) -> None:
    """The library's own training of the whole matrix, on prompts with labels."""
    learn([0], d=D, N=N, sigma=SIGMA, lr=LR, batch=BATCH, steps=steps, record_at=[0, steps])


def samples(steps: int, batch: int = BATCH) -> list[tuple[np.ndarray, np.ndarray]]:
    """Points with the inner products that `ours` draws, one pair x, query a step."""
    problem, rngs, rng = model.ReducedPair(D, N, SIGMA), generators([0]), np.random.default_rng(1)
    return [slow.points_of(problem.sample(batch, rngs).z[0], D, rng) for _ in range(steps)]


def same_path(steps: int = STEPS, batch: int = BATCH) -> float:
    """Largest difference of xi after training with both."""
    other = slow.Dense(D, N, SIGMA)
    for x, query in samples(steps, batch):
        other.step(x, query, LR)
    return float(np.abs(other.xi - ours(steps, batch)).max())


def steps_compared() -> dict[str, Any]:
    """Milliseconds a step, taken in turns."""
    other, given, rng = slow.Dense(D, N, SIGMA), samples(SHARE), np.random.default_rng(2)
    work = {
        "ours": (ours, STEPS),
        "dense": (lambda: [other.step(*one, LR) for one in given], SHARE),
        "drawing": (lambda: [slow.draw(D, N, BATCH, rng) for _ in range(SHARE)], SHARE),
        "full": (lambda: full(SHARE), SHARE),
    }
    times = _in_turns(work)
    return {
        "milliseconds": times,
        "ratio": (times["dense"] + times["drawing"]) / times["ours"],
        "difference": same_path(),
    }


def gradients_compared() -> dict[str, Any]:
    """Milliseconds a gradient on many prompts, taken in turns."""
    rows = model.ReducedPair(D, N).sample(ROWS, generators([0]))
    pair = model.Pair(np.array([6.0]), np.array([5.0]))
    other = slow.Autograd(*slow.points_of(rows.z[0], D, np.random.default_rng(1)))
    times = _in_turns(
        {
            "ours": (lambda: [model.pair_loss_and_gradient(pair, rows) for _ in range(5)], 5),
            "autograd": (lambda: other.gradient(6.0, 5.0), 1),
        }
    )
    loss, slope = model.pair_loss_and_gradient(pair, rows)
    known = other.gradient(6.0, 5.0)
    return {
        "milliseconds": times,
        "ratio": times["autograd"] / times["ours"],
        "difference": float(np.abs(known - np.array([loss[0], slope.xi1[0], slope.xi2[0]])).max()),
    }


def _in_turns(work: dict[str, Any]) -> dict[str, float]:
    times: dict[str, list[float]] = {name: [] for name in work}
    for run, _ in work.values():
        run()
    for _ in range(ROUNDS):
        for name, (run, count) in work.items():
            times[name].append(1e3 * seconds(run) / count)
    return {name: median(values) for name, values in times.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", action="store_true", help="write hal/results/one_nn/benchmarks.json")
    parser.add_argument("--rivals", action="store_true", help="the race alone; the rest of the record stays")
    given = parser.parse_args()
    record = given.record
    torch.set_num_threads(1)
    if given.rivals:
        return rivals.alone(one_nn_rivals, RECORD if record else None, tables)
    check, report = Checks(), {}
    for name, compare, other in (
        ("step", steps_compared, "token matrices"),
        ("gradient", gradients_compared, "automatic differentiation"),
    ):
        report[name] = found = compare()
        print(f"milliseconds a {name}: " + ", ".join(f"{key} {ms:.3f}" for key, ms in found["milliseconds"].items()))
        times, least = found["ratio"], TARGETS[name]
        check(f"a {name}, {other}: {times:.1f} times our time, at least {least:.0f}", times >= least)
        worst = found["difference"]
        check(f"the same numbers: {worst:.1e}, at most {SAME:.0e}", worst <= SAME)
    times = [0.0, *np.geomspace(1.0, LAST, 81)]
    report["flow"] = found = {"seconds": median(seconds(lambda: reduced_flow(D, N, times)) for _ in range(3))}
    check(f"a flow to t = {LAST:.0e}: {found['seconds']:.2f} s, at most {BUDGET:.0f}", found["seconds"] <= BUDGET)
    report["rivals"] = rivals.measure(check, one_nn_rivals)
    report["passed"] = check.all()
    if record:
        settings = {"d": D, "N": N, "batch": BATCH, "lr": LR, "sigma": SIGMA, "steps": STEPS, "rows": ROWS}
        report = {"tables": tables(report), **report}
        write(RECORD, report, "python benchmarks/one_nn.py --record", settings | {"rounds": ROUNDS})
    return 0 if check.all() else 1


if __name__ == "__main__":
    sys.exit(main())
