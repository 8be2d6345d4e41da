"""Claim RW-28: which lag wins on drawn walks.

Chapter `random_walk`. Source: ours, beyond arXiv 2511.23239.
"""

import numpy as np

from hal.chapters.random_walk.models.circulant import turns
from hal.chapters.random_walk.runs import learn_turns
from hal.claims import Part, Result, claim, result, seed_block
from lib.models import random_walk as rw
from lib.sampling import generators
from lib.theory import random_walk as theory


@claim(
    "RW-28",
    where="beyond the paper",
    says=(
        "Which lag attention settles on is told by the signal of the walks that are drawn, 1000 with all their turns, "
        "in nearly every run at K = 20, N = 101 and p = 0.8 or 0.7; the signal of the population has one answer for "
        "all."
    ),
    control={"own": False},
    breaks="the layer trains on other walks than those whose signal is taken",
)
def _check_28(own: bool = True, block: int = 0) -> Result:
    seeds, parts = seed_block(block, 24), []
    for p in (0.8, 0.7):
        walk = rw.Walk(20, 101, p)
        lag = learn_turns(walk, seeds, steps=10, n=1000, M=1000)[1]["lag"][:, -1]
        drawn = turns(walk.sample(1000, generators(seeds if own else range(seeds[-1] + 1, seeds[-1] + 25))), 20)
        told = 1 + np.argmax(theory.drawn_signal(drawn.D, 20), axis=1)
        agreed = f"runs of 24 on the lag of their own walks, p = {p}"
        parts.append(Part(agreed, float(np.sum(lag == told)), 22, 0, "at least", drift=1))
    return result(*parts, seeds=seeds)
