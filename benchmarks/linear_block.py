"""Speed of chapter `linear_block`: the block without token matrices, and its risk without prompts.

`python benchmarks/linear_block.py` prints times and ratios, and fails (exit 1) if a target is missed or if two
implementations disagree; `--record` also writes hal/results/linear_block/benchmarks.json.

What is timed, on one thread: a step of SGD on 256 fresh prompts (d = 5, M = 20), by the library's effective parameters
and by the block as it is written, with torch's automatic differentiation, on the same prompts; and the risk of a block
(d = 8, M = 32), by its closed form and by drawing prompts until the standard error is one per cent. Times are processor
time, medians of repeats taken in turns; the number of prompts follows from the spread of their squared errors.
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
from parts import linear_block_rivals, rivals
from parts import linear_block_slow as slow
from parts.linear_block_tables import tables
from parts.report import Checks, seconds, write

from hal import results
from lib.models import linear_block as lb
from lib.optim import sgd
from lib.sampling import generators
from lib.theory import linear_block as theory
from lib.train import GivenBatches, train

RECORD = results.path_of("linear_block", "benchmarks")
TASK = lb.power_task(d=5, M=20, sigma=0.5, norm=2.0)
WIDE = lb.power_task()
BATCH, LR, STEPS, ROUNDS, SAME_STEPS = 256, 0.01, 100, 7, 5
ACCURACY, PILOT, RISKS = 0.01, 20_000, 200
TARGET, RISK_TARGET = 2.0, 20.0  # least speed-ups
SAME = 1e-9  # largest difference of a weight after SAME_STEPS steps


class Rivals:
    """The same prompts for both, and who steps on them."""

    def __init__(self, steps: int = STEPS, batch: int = BATCH) -> None:
        self.problem = lb.LinearBlock(TASK)
        self.start = self.problem.init(1, generators([0], 2))
        rngs = generators([0])
        self.batches = [TASK.sample(batch, rngs) for _ in range(steps)]

    def ours(self, steps: int) -> lb.Weights:
        fixed = GivenBatches(self.problem, self.batches)
        return train(fixed, self.start, sgd(LR), steps, record_at=[0, steps]).params

    def literal(self, steps: int) -> list[np.ndarray]:
        other = slow.Literal([W[0] for W in self.start])
        for batch in self.batches[:steps]:
            other.step(LR, tuple(part[0] for part in batch))
        return [W.detach().numpy() for W in other.weights]

    def difference(self, steps: int = SAME_STEPS) -> float:
        """Largest difference of a weight after training."""
        pairs = zip(self.ours(steps), self.literal(steps), strict=True)
        return max(float(np.abs(mine[0] - other).max()) for mine, other in pairs)

    def milliseconds(self) -> dict[str, float]:
        """Of a step, taken in turns; prompts are drawn beforehand."""
        work = {"ours": self.ours, "literal": self.literal}
        count = len(self.batches)
        times: dict[str, list[float]] = {name: [] for name in work}
        for _ in range(ROUNDS):
            for name, run in work.items():
                times[name].append(1e3 * seconds(lambda run=run: run(count)) / count)
        return {name: median(values) for name, values in times.items()}


class Risks:
    """The risk of one block, in closed form and over drawn prompts."""

    def __init__(self, pilot: int = PILOT) -> None:
        attention = theory.best_attention(WIDE)
        self.block, self.pilot = theory.as_block(WIDE, attention), pilot
        self.params = lb.EffectiveParams(*(np.asarray(x)[None] for x in self.block))

    def closed(self) -> float:
        return float(theory.block_risk(WIDE, self.block))

    def drawn(self) -> np.ndarray:
        """Squared errors of the pilot's prompts."""
        prompts = WIDE.sample(self.pilot, generators([1]))
        return (lb.block_output(self.params, prompts)[0] - prompts.target[0]) ** 2

    def prompts(self) -> int:
        """How many prompts a standard error of one per cent takes."""
        errors = self.drawn()
        return int(np.ceil(errors.var() / (ACCURACY * errors.mean()) ** 2))

    def milliseconds(self) -> dict[str, float]:
        """Of a risk, taken in turns; the drawn one by its share of the pilot."""
        share = self.prompts() / self.pilot
        times: dict[str, list[float]] = {"closed": [], "drawn": []}
        for _ in range(ROUNDS):
            times["closed"].append(1e3 * seconds(lambda: [self.closed() for _ in range(RISKS)]) / RISKS)
            times["drawn"].append(1e3 * share * seconds(self.drawn))
        return {name: median(values) for name, values in times.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", action="store_true", help="write hal/results/linear_block/benchmarks.json")
    parser.add_argument("--rivals", action="store_true", help="the race alone; the rest of the record stays")
    given = parser.parse_args()
    record = given.record
    torch.set_num_threads(1)
    if given.rivals:
        return rivals.alone(linear_block_rivals, RECORD if record else None, tables)
    check, others, risks = Checks(), Rivals(), Risks()
    report: dict[str, Any] = {"milliseconds": others.milliseconds(), "risk_milliseconds": risks.milliseconds()}
    times, both = report["milliseconds"], report["risk_milliseconds"]
    print("milliseconds a step: " + ", ".join(f"{name} {ms:.3f}" for name, ms in times.items()))
    print("milliseconds a risk: " + ", ".join(f"{name} {ms:.3f}" for name, ms in both.items()))
    report["prompts"] = risks.prompts()
    report["ratio"] = ratio = times["literal"] / times["ours"]
    check(f"the block as it is written: {ratio:.1f} times our time, at least {TARGET}", ratio >= TARGET)
    report["risk_ratio"] = ratio = both["drawn"] / both["closed"]
    check(
        f"{report['prompts']} prompts: {ratio:.0f} times the closed form, at least {RISK_TARGET:.0f}",
        ratio >= RISK_TARGET,
    )
    report["difference"] = worst = others.difference()
    check(f"the same path: {worst:.1e}, at most {SAME:.0e}", worst <= SAME)
    report["rivals"] = rivals.measure(check, linear_block_rivals)
    report["passed"] = check.all()
    if record:
        settings = {"batch": BATCH, "lr": LR, "steps": STEPS, "accuracy": ACCURACY, "rounds": ROUNDS}
        write(RECORD, {"tables": tables(report), **report}, "python benchmarks/linear_block.py --record", settings)
    return 0 if check.all() else 1


if __name__ == "__main__":
    sys.exit(main())
