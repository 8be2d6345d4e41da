"""Claims RW-7, RW-8 and RW-13: the deterministic walk, the theorem's failure, and how easily it ends.

Chapter `random_walk`. Source: arXiv 2511.23239, theorem on p = 0 and 1.
"""

import numpy as np
from numpy.typing import NDArray

from hal.chapters.random_walk.runs import learn, learn_population
from hal.claims import Part, Result, claim, result, seed_block
from lib.models import random_walk as rw
from lib.theory import random_walk as theory
from lib.train import GivenBatches, train

Array = NDArray[np.float64]
_RATES = np.array([0.1, 1.0, 10.0])


@claim(
    "RW-7",
    where="theorem for p = 0 and 1",
    says=(
        "For p = 1 and N = rK + 1 all of V and all scores of tokens 1 to N - 1 stay equal, and one answer in K is "
        "right, for the log, square, logistic and hinge loss at learning rates 0.1, 1 and 10 (100 steps, exact "
        "population)."
    ),
    control={"N": 98},
    breaks="one more node in each walk",
)
def _check_7(N: int = 97) -> Result:
    parts, walk = [], rw.Walk(6, N, 1.0)
    for loss in rw.LOSSES:
        model = rw.MinimalTransformer(N=N)
        found = learn_population(walk, lr=_RATES, steps=100, start=model.init(3), loss=loss).run
        V, u, g = found.params
        scores = np.ptp(g[:, :-1], axis=1) + np.ptp(u, axis=1)
        spread = max(np.ptp(V, axis=(1, 2)).max(), scores.max())
        parts += [
            Part(f"largest spread of V and of scores, {loss} loss", spread, 1e-9, kind="rounding"),
            Part(f"largest accuracy, {loss} loss", found["accuracy"][:, -1].max(), 1 / 6, 1e-9),
        ]
    return result(*parts)


@claim(
    "RW-8",
    where="beyond the paper",
    says="For p = 1 and N - 1 no multiple of K, one step from zero on the population gives accuracy 1.",
    control={"extra": 0},
    breaks="walks that visit every node equally often",
)
def _check_8(extra: int = 1) -> Result:
    parts = []
    for K, N in ((6, 97), (6, 13), (20, 101), (5, 11)):
        run = learn_population(rw.Walk(K, N + extra, 1.0), steps=1).run
        parts.append(Part(f"accuracy after one step, K = {K}, N = {N} + 1", run["accuracy"][0, -1], 1.0, 1e-9))
    return result(*parts)


def _difference(size: float, K: int, N: int, M: int, pattern: Array) -> rw.Minimal:
    """Values of 0.4, and places and values that differ along the direction that grows, by `size` nats.

    The empty token has no attention, as after two steps.
    """
    k, rho = np.arange(K), (M + 1) / 2
    lags = np.arange(N - 1, 0, -1)
    g = np.concatenate([size * pattern[lags % K], [-1e5]])
    V = 0.4 + size * np.sqrt(N - 1) / (K * rho) * pattern[(k[:, None] - k) % K]
    return rw.Minimal(V[None], np.zeros((1, K)), g[None])


@claim(
    "RW-13",
    where="beyond the paper",
    says=(
        "The ridge of the deterministic walk is unstable. At learning rate 1 and M = 1000 a difference between places "
        "grows twelve- to eighteenfold a step, as theory says; so the rounding of sums taken in other orders is "
        "enough for accuracy 1 after 8 to 40 steps on 1000 walks."
    ),
    control={"loss": "square"},
    breaks="the square loss, whose slope vanishes on the ridge",
)
def _check_13(loss: str = "log", block: int = 0) -> Result:
    K, N, M, steps = 6, 97, 1000, 7
    seeds, walk, at = seed_block(block, 2), rw.Walk(6, 97, 1.0), range(8)
    pattern = np.random.default_rng(block).normal(size=K)
    start = _difference(1e-10, K, N, M, pattern - pattern.mean())
    model = rw.MinimalTransformer(K=K, N=N, M=M, loss=loss)
    walks = walk.population()
    record = {"g": lambda p: np.ptp(p.g[:, :-1], axis=1)}
    run = train(GivenBatches(model, [walks]), start, model.optimiser(1.0), steps, record=record, record_at=at)
    found = run["g"][0, 1:] / run["g"][0, :-1]
    expected = theory.growth(K, N, M, 1.0, theory.even_output(K, steps, 1.0, start=0.4))[:-1]
    far = learn(walk, seeds, steps=40, record_at=range(41), sums="rolled", loss=loss).run["accuracy"]
    right = np.where((far > 0.99).any(axis=1), (far > 0.99).argmax(axis=1), 99)
    first = "first step of accuracy 1 with sums in other orders"
    return result(
        *(
            Part(f"growth of a small difference in step {k}", m, e, 0.02, "relative", drift=0.01 * abs(e))
            for k, (m, e) in enumerate(zip(found, expected, strict=True), 1)
        ),
        Part(f"{first}, earliest run", right.min(), 8, 0, "at least", drift=9),
        Part(f"{first}, latest run", right.max(), 40, 0, "at most", drift=9),
        seeds=seeds,
    )
