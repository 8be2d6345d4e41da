"""Claims GS-10, GS-12 and GS-16: the talk's figures, and right answers by a wrong mechanism.

Chapter `group_sparse`. Source: arXiv 2504.08638, Section 5; learning rates and steps are assumed.
"""

import numpy as np

from hal.chapters.group_sparse.runs import learn, learn_pair
from hal.claims import Part, Result, claim, result, seed_block
from lib.models import group_sparse as gs

_RUNS = 4


@claim(
    "GS-10",
    where="Section 5, figures of pretraining; learning rate and steps are assumed",
    says=(
        "Gradient descent on 500 examples of 6 groups of 4 (learning rate 0.1), or 200 of 4 groups of 2 (0.3), finds "
        "group and direction in 300 steps."
    ),
    control={"steps": 12},
    breaks="training stops after 12 steps",
)
def _check_10(steps: int = 300, block: int = 0) -> Result:
    seeds, parts = seed_block(block, _RUNS), []
    for n, d, D, lr in ((500, 4, 6, 0.1), (200, 2, 4, 0.3)):
        found = learn(gs.Task(D=D, d=d), seeds, n, lr, steps)
        word = f"n = {n}, d = {d}, D = {D}"
        parts += [
            Part(f"smallest cosine, {word}", found.cosine.min(), 0.996, 0, "at least", drift=1e-3),
            Part(f"smallest norm ratio, {word}", found.ratio.min(), 0.98, 0, "at least", drift=1e-3),
            Part(f"smallest mean attention, {word}", found.attention.min(), 0.8, 0, "at least", drift=1e-3),
            Part(f"smallest test accuracy, {word}", found.accuracy.min(), 0.94, 0, "at least", drift=2e-3),
        ]
    return result(*parts, seeds=seeds)


@claim(
    "GS-12",
    where="beyond the paper",
    says=(
        "Too fast for the mechanism: at the learning rate 2 (500 examples, D = 6) at least four of five runs end with "
        "less than half of their attention on the group, and a value that reads positions."
    ),
    control={"lr": 0.2},
    breaks="a learning rate below the limit 16/(D (D + 1)) = 0.38 of the value's positions",
)
def _check_12(lr: float = 2.0, block: int = 0) -> Result:
    seeds = seed_block(block, 5)
    found = learn(gs.Task(D=6, d=4), seeds, 500, lr, 300)
    return result(
        Part(
            "runs of five with less than half of attention on the group",
            float(np.sum(found.attention < 0.5)),
            4,
            0,
            "at least",
            drift=1,
        ),
        Part("median norm ratio", float(np.median(found.ratio)), 0.5, 0, "at most", drift=np.inf),
        seeds=seeds,
    )


@claim(
    "GS-16",
    where="Theorem 3.1, which asks for a learning rate of order one",
    says="A learning rate of order one serves every D: in the population attention finds the group within 200 steps.",
    control={"per_D": True},
    breaks="a learning rate of 8/D instead of 1",
    verdict="fails",
    regime="Only up to lr D of about 16: at lr = 1 and D = 64 attention leaves the group for good.",
)
def _check_16(per_D: bool = False) -> Result:
    found = {D: float(learn_pair(D, 8 / D if per_D else 1.0, 200)["attention"][0, -1]) for D in (8, 16, 64)}
    return result(*(Part(f"attention on the group, D = {D}", s, 0.9, 0, "at least") for D, s in found.items()))
