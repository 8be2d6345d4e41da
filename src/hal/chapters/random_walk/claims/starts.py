"""Claims RW-10 and RW-11: random starts, and what the average of the tokens tells.

Chapter `random_walk`. Source: arXiv 2511.23239, Section 6.
"""

from typing import Any

import numpy as np

from hal.chapters.random_walk.runs import answer, learn
from hal.chapters.random_walk.theory.parity import parity_projection
from hal.claims import Part, Result, claim, result, seed_block
from lib.models import random_walk as rw
from lib.sampling import generators

_SIGMA = 0.01


@claim(
    "RW-10",
    where="random initialisation, p = 1/2; the criterion is beyond the paper",
    says=(
        "On a circle of 6 nodes a random start decides whether attention turns to odd or to even lags, and one "
        "projection of V and g says which; on a circle of 5 nodes it nearly always finds the node before the target."
    ),
    control={"N": 25},
    breaks="walks of 25 nodes, where the parent alone outweighs the start",
)
def _check_10(N: int = 97, block: int = 0) -> Result:
    seeds = seed_block(block, 8)
    kind: dict[str, Any] = {"sigma": _SIGMA, "unit_length": True}
    found = learn(rw.Walk(6, N, 0.5), seeds, lr=10.0, steps=200, **kind)
    start = found.model.init(len(seeds), generators(seeds, 2))
    said = parity_projection(start.V, start.g, 1000, _SIGMA)
    odd = found.run["odd"][:, -1]
    terms = [parity_projection(a * start.V, b * start.g, 1000, _SIGMA) for a, b in ((0, 1), (1, 0))]
    by_places, by_values, _ = np.linalg.lstsq(np.stack([*terms, np.ones(8)], axis=1), odd, rcond=None)[0]
    five = learn(rw.Walk(5, N, 0.5), seeds[:3], lr=10.0, steps=300, **kind).run["lag"][:, -1]
    agreed, wrong, near = (float(np.sum(runs)) for runs in ((said > 0) == (odd > 0), odd < 0, five == 1))
    weight = by_places / by_values
    return result(
        Part("runs of eight that turn where the projection says", agreed, 6, 0, "at least", drift=1),
        Part("weight of the places over that of V in what starts turn to, over theory", weight, 1, 0.3, drift=0.05),
        Part("runs with more attention on even lags", wrong, 1, 0, "at least", drift=1),
        Part("runs of three on 5 nodes that attend to the node before the target", near, 2, 0, "at least", drift=1),
        seeds=seeds,
    )


@claim(
    "RW-11",
    where="questions and answers; that tokens have length 1 is our reading",
    says=(
        "After 100 steps from a random start the layer answers every question of task 1, whose word average tells the "
        "answer, and guesses at task 2, whose average is always the same."
    ),
    control={"lr": 0.001},
    breaks="a learning rate a hundred times smaller",
)
def _check_11(lr: float = 0.1, block: int = 0) -> Result:
    seeds = seed_block(block, 10)
    one, two = (answer(task, seeds, lr) for task in (1, 2))
    return result(
        Part("smallest accuracy, task 1", one["accuracy"][:, -1].min(), 1.0, 1e-9),
        Part("mean accuracy, task 2", two["accuracy"][:, -1].mean(), 0.75, 0, "at most", drift=0.1),
        Part("mean divergence in nats, task 2", two["divergence"][:, -1].mean(), np.log(2), 0.05, drift=0.02),
        seeds=seeds,
    )
