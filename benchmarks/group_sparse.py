"""Speed of chapter `group_sparse`: the library against the ordinary way to write the same training, in one process.

`python benchmarks/group_sparse.py` prints times and ratios and fails (exit 1) if a target is missed or if two
implementations disagree; `--record` also writes hal/results/group_sparse/benchmarks.json.

What is timed, on one thread: steps of gradient descent at d = 4, D = 6 on 2,000 given examples, with the library's
closed gradient, with its six numbers, and with torch's automatic differentiation through the whole attention; and the
population's step in two numbers, by quadrature. Dense and automatic training must follow the same path; the loss of the
two numbers is held to an adaptive integration. Times are processor time, medians of repeats taken in turns.
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
from parts import group_sparse_rivals, rivals
from parts import group_sparse_slow as slow
from parts.group_sparse_tables import tables
from parts.report import Checks, seconds, write

from hal import results
from hal.chapters.group_sparse.runs import learn_pair
from lib import optim
from lib.models import group_sparse as gs
from lib.sampling import generators
from lib.theory import group_sparse as theory
from lib.train import GivenBatches, train

RECORD = results.path_of("group_sparse", "benchmarks")
D, d, N, LR = 6, 4, 2000, 0.1
STEPS, ROUNDS = 10, 9
TARGETS = {"pair": 37.0, "autograd": 1.0}  # least ratios: dense over pair, autograd over dense
SAME = 1e-10  # largest difference of v and W after STEPS steps
SAME_LOSS = 1e-10  # of the quadrature, nats


def examples(n: int = N) -> gs.Examples:
    """The examples that all see."""
    return gs.Task(D=D, d=d).sample(n, generators([0]))


def dense(batch: gs.Examples, steps: int = STEPS) -> gs.Params:
    """The library's training of value and matrix."""
    problem = GivenBatches(gs.GroupTransformer(gs.Task(D=D, d=d)), [batch])
    return train(problem, None, optim.sgd(LR), steps, record_at=[0, steps]).params


def six(reduced: gs.Reduced, steps: int = STEPS) -> gs.SixParams:
    """The library's training of six numbers."""
    problem = gs.SymmetricTransformer(gs.Task(D=D, d=d))
    return train(GivenBatches(problem, [reduced]), None, problem.optimiser(LR), steps, record_at=[0, steps]).params


def automatic(batch: gs.Examples, steps: int = STEPS) -> slow.Autograd:
    """The same training by automatic differentiation."""
    model = gs.GroupTransformer(gs.Task(D=D, d=d))
    other = slow.Autograd(model.tokens(batch.X)[0], batch.y[0])
    for _ in range(steps):
        other.step(LR)
    return other


def same_path(n: int = N, steps: int = STEPS) -> float:
    """Largest difference of v and W between the library's dense training and torch's."""
    batch = examples(n)
    ours, other = dense(batch, steps), automatic(batch, steps)
    v, W = other.v.detach().numpy(), other.W.detach().numpy()
    return float(max(np.abs(ours.v[0] - v).max(), np.abs(ours.W[0] - W).max()))


def same_loss() -> float:
    """Largest difference of the quadrature's loss from an adaptive integration, at three places on the way."""
    pair, worst = gs.PairTransformer(D), 0.0
    for alpha, b in ((0.3, 0.5), (1.5, 3.0), (6.0, 5.0)):
        params = gs.Pair(np.array([alpha]), np.array([b]))
        loss, s = pair.loss_and_gradient(params)[0][0], float(pair.attention(params)[0])
        worst = max(worst, abs(loss - theory.population_loss(alpha, s, D)))
    return worst


def steps_compared() -> dict[str, Any]:
    """Milliseconds a step, taken in turns."""
    batch = examples()
    reduced = gs.SymmetricTransformer(gs.Task(D=D, d=d)).reduce(batch)
    work = {
        "pair": (lambda: learn_pair(D, LR, 100, [0, 100]), 100),
        "six": (lambda: six(reduced), STEPS),
        "dense": (lambda: dense(batch), STEPS),
        "autograd": (lambda: automatic(batch), STEPS),
    }
    times: dict[str, list[float]] = {name: [] for name in work}
    for run, _ in work.values():
        run()
    for _ in range(ROUNDS):
        for name, (run, count) in work.items():
            times[name].append(1e3 * seconds(run) / count)
    return {"milliseconds": {name: median(values) for name, values in times.items()}}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", action="store_true", help="write hal/results/group_sparse/benchmarks.json")
    parser.add_argument("--rivals", action="store_true", help="the race alone; the rest of the record stays")
    given = parser.parse_args()
    record = given.record
    torch.set_num_threads(1)
    if given.rivals:
        return rivals.alone(group_sparse_rivals, RECORD if record else None, tables)
    check = Checks()
    report: dict[str, Any] = {"step": steps_compared()}
    ms = report["step"]["milliseconds"]
    print("milliseconds a step: " + ", ".join(f"{name} {value:.3f}" for name, value in ms.items()))
    report["step"]["ratios"] = {"pair": ms["dense"] / ms["pair"], "autograd": ms["autograd"] / ms["dense"]}
    for name, what in (("pair", "the whole matrix over two numbers"), ("autograd", "automatic over closed gradient")):
        times, least = report["step"]["ratios"][name], TARGETS[name]
        check(f"{what}: {times:.2f} times, at least {least:.1f}", times >= least)
    report["difference"], report["loss"] = same_path(), same_loss()
    check(f"the same path: {report['difference']:.1e}, at most {SAME:.0e}", report["difference"] <= SAME)
    check(f"the same loss: {report['loss']:.1e}, at most {SAME_LOSS:.0e}", report["loss"] <= SAME_LOSS)
    report["rivals"] = rivals.measure(check, group_sparse_rivals)
    report["passed"] = check.all()
    if record:
        settings = {"d": d, "D": D, "n": N, "lr": LR, "steps": STEPS, "rounds": ROUNDS}
        write(RECORD, {"tables": tables(report), **report}, "python benchmarks/group_sparse.py --record", settings)
    return 0 if check.all() else 1


if __name__ == "__main__":
    sys.exit(main())
