"""Speed of chapter `random_walk`: the library against the whole matrices, in one process, on the same walks.

`python benchmarks/random_walk.py` prints times, ratios and memory, and fails (exit 1) if the target is missed or if two
implementations disagree; `--record` also writes hal/results/random_walk/benchmarks.json.

What is timed, on one thread: a step of gradient descent on 300 walks at the paper's sizes, K = 6, N = 97, M = 1000, by
the library's minimal numbers; by whole matrices with closed gradients, as one writes them first; and by the library's
own dense model, which knows that all sequences share the query. All start at zero and must follow the same path. The
dense ones hold 0.23 GB of tokens. Times are processor time, medians of repeats taken in turns.
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
from parts import random_walk_rivals, rivals
from parts import random_walk_slow as slow
from parts.random_walk_tables import tables
from parts.report import Checks, seconds, write

from hal import results
from lib import optim
from lib.models import random_walk as rw
from lib.sampling import generators
from lib.train import GivenBatches, train

RECORD = results.path_of("random_walk", "benchmarks")
K, N, M, P, LR, WALKS = 6, 97, 1000, 0.5, 1.0, 300
STEPS, SHARE, ROUNDS, SAME_STEPS = 200, 3, 7, 4
TARGET = 124.0  # least speed-up against whole matrices
SAME = 1e-9  # largest difference of V, and of scores relative to the largest, after SAME_STEPS steps


class Rivals:
    """The same walks for all, and who steps on them."""

    def __init__(self, walks: int = WALKS, M: int = M) -> None:
        self.walks = rw.Walk(K, N, P).sample(walks, generators([0]))
        self.model, self.dense_model = rw.MinimalTransformer(K=K, N=N, M=M), rw.DenseTransformer(K=K, N=N, M=M)
        self.batch = self.dense_model.tokens(self.walks)

    def ours(self, steps: int) -> rw.Minimal:
        fixed = GivenBatches(self.model, [self.walks])
        return train(fixed, None, self.model.optimiser(LR), steps, record_at=[0, steps]).params

    def dense(self, steps: int) -> rw.Minimal:
        fixed = GivenBatches(self.dense_model, [self.batch])
        found = train(fixed, self.dense_model.init(), optim.sgd(LR), steps, record_at=[0, steps]).params
        return self.dense_model.reduce(found)

    def ordinary(self, steps: int) -> rw.Minimal:
        other = slow.Dense(self.batch[0][0], self.walks.s[0, :, -1], K)
        for _ in range(steps):
            other.step(LR)
        return self.dense_model.reduce(rw.Dense(other.V[None], other.W[None]))

    def difference(self, steps: int = SAME_STEPS) -> float:
        """Largest difference from ours after training, relative to the largest number of its kind."""
        mine = self.ours(steps)
        return max(
            float(np.abs(x - y).max() / np.abs(x).max())
            for other in (self.dense(steps), self.ordinary(steps))
            for x, y in zip(mine, other, strict=True)
        )

    def milliseconds(self) -> dict[str, float]:
        """Of a step, taken in turns."""
        other = slow.Dense(self.batch[0][0], self.walks.s[0, :, -1], K)
        work: dict[str, tuple[Any, int]] = {
            "minimal": (lambda: self.ours(STEPS), STEPS),
            "dense": (lambda: self.dense(SHARE), SHARE),
            "ordinary": (lambda: [other.step(LR) for _ in range(SHARE)], SHARE),
        }
        times: dict[str, list[float]] = {name: [] for name in work}
        for _ in range(ROUNDS):
            for name, (run, count) in work.items():
                times[name].append(1e3 * seconds(run) / count)
        return {name: median(values) for name, values in times.items()}

    def megabytes(self) -> dict[str, float]:
        """Of walks or tokens, and of parameters."""
        m = self.dense_model
        parameters = {"minimal": K**2 + K + N, "dense": K**2 + (K + m.M) ** 2}
        data = {"minimal": self.walks.s.nbytes, "dense": self.batch[0].nbytes}
        return {name: (data[name] + 8 * parameters[name]) / 1e6 for name in data}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", action="store_true", help="write hal/results/random_walk/benchmarks.json")
    parser.add_argument("--rivals", action="store_true", help="the race alone; the rest of the record stays")
    given = parser.parse_args()
    record = given.record
    torch.set_num_threads(1)
    if given.rivals:
        return rivals.alone(random_walk_rivals, RECORD if record else None, tables)
    check, others = Checks(), Rivals()
    report: dict[str, Any] = {"milliseconds": others.milliseconds(), "megabytes": others.megabytes()}
    times = report["milliseconds"]
    print("milliseconds a step: " + ", ".join(f"{name} {ms:.3f}" for name, ms in times.items()))
    print("megabytes: " + ", ".join(f"{name} {size:.2f}" for name, size in report["megabytes"].items()))
    print(f"the library's dense model: {times['dense'] / times['minimal']:.0f} times our time")
    report["ratio"] = ratio = times["ordinary"] / times["minimal"]
    check(f"whole matrices: {ratio:.0f} times our time, at least {TARGET:.0f}", ratio >= TARGET)
    report["difference"] = worst = others.difference()
    check(f"the same path: {worst:.1e}, at most {SAME:.0e}", worst <= SAME)
    report["rivals"] = rivals.measure(check, random_walk_rivals)
    report["passed"] = check.all()
    if record:
        settings = {"K": K, "N": N, "M": M, "p": P, "walks": WALKS, "lr": LR, "rounds": ROUNDS}
        write(RECORD, {"tables": tables(report), **report}, "python benchmarks/random_walk.py --record", settings)
    return 0 if check.all() else 1


if __name__ == "__main__":
    sys.exit(main())
