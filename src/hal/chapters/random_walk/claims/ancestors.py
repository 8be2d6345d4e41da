"""Claims RW-12, RW-16 and RW-18: which ancestor of the target wins.

Chapter `random_walk`. Source: arXiv 2511.23239, theorem on 0 < p < 1; the lag signal is ours.
"""

import numpy as np
from numpy.typing import NDArray

from hal.chapters.random_walk.runs import learn, learn_turns
from hal.claims import Part, Result, claim, result, seed_block
from lib.models import random_walk as rw
from lib.sampling import generators
from lib.theory import random_walk as theory
from lib.train import GivenBatches, train


@claim(
    "RW-12",
    where="beyond the paper",
    says=(
        "On many walks the second step scores the lags by a signal in closed form. From K = 5 to 17 the parent has "
        "the largest, for p from 0.5 to 0.95; for a strong drift on a larger circle lag 3 or 5 has."
    ),
    control={"turned": True},
    breaks="walks read from their other end",
)
def _check_12(turned: bool = False, block: int = 0) -> Result:
    seeds, parts = seed_block(block, 1), []
    for K, N, p in ((12, 201, 0.6), (16, 151, 0.7), (20, 101, 0.8)):
        found = _second_scores(rw.Walk(K, N, p), seeds, turned)[0]
        expected = theory.second_scores(K, p, N, 1000)
        slope = (found @ expected) / (expected @ expected)
        name = f"scores of all lags after two steps over theory, K = {K}, N = {N}, p = {p}"
        parts.append(Part(name, slope, 1.0, 0.15))
    cells = [(K, p) for K in range(5, 18) for p in np.linspace(0.5, 0.95, 10)]
    parts.append(Part("largest best lag, K = 5 to 17", max(theory.best_lag(K, p, 1201) for K, p in cells), 1))
    for K, p, N, lag in ((20, 0.8, 5001, 3), (30, 0.7, 601, 5)):
        parts.append(Part(f"best lag, K = {K}, p = {p}, N = {N}", theory.best_lag(K, p, N), lag))
    return result(*parts, seeds=seeds)


def _second_scores(walk: rw.Walk, seeds: range, turned: bool) -> NDArray[np.float64]:
    """How far the scores of all lags lie below the parent's after two steps on 30,000 walks, (R, N - 1)."""
    model = rw.CirculantTransformer(K=walk.K, N=walk.N, M=1000)
    batch = rw.turns(walk.sample(30_000, generators(seeds)), walk.K)
    if turned:
        batch = batch._replace(D=batch.D[..., ::-1])
    start = model.init(len(seeds))
    g = train(GivenBatches(model, [batch]), start, model.optimiser(1.0), 2, record_at=[0, 2]).params.g[:, -2::-1]
    return g[:, :1] - g


@claim(
    "RW-16",
    where="theorem for 0 < p < 1, items 1 and 4",
    says=(
        "On a circle of 30 nodes, p = 0.75, training attends to the node before the target and is right in three of "
        "four cases."
    ),
    control={"p": 0.5},
    breaks="a walk without drift",
    verdict="fails",
    regime="it settles on lag 3 or 5 and is right in two of five cases",
)
def _check_16(p: float = 0.75, block: int = 0) -> Result:
    seeds = seed_block(block, 1)
    _, run = learn_turns(rw.Walk(30, 301, p), seeds, steps=12, n=10_000, M=5300)
    return result(
        Part("lag of the most attended token", run["lag"][0, -1], 1, drift=2),
        Part("accuracy", run["accuracy"][0, -1], float(theory.best_accuracy(p)), 0.03, drift=0.05),
        seeds=seeds,
    )


@claim(
    "RW-18",
    where="theorem for 0 < p < 1, item 4, at the talk's size",
    says="At K = 20, N = 101 and p = 0.8, five steps on 1000 walks put attention on the parent in ten of twelve runs.",
    control={"p": 0.5},
    breaks="a walk without drift",
    verdict="fails",
    regime="two of three runs settle on the token at lag 3 and are right in half of the cases",
)
def _check_18(p: float = 0.8, block: int = 0) -> Result:
    seeds = seed_block(block, 12)
    lags = learn(rw.Walk(20, 101, p), seeds, steps=5).run["lag"][:, -1]
    name = "runs of twelve that attend most to the node before the target"
    return result(Part(name, float(np.sum(lags == 1)), 10, 0, "at least", drift=2), seeds=seeds)
