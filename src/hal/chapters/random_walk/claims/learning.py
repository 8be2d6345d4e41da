"""Claims RW-4 to RW-6, RW-12 and RW-16 to RW-18: what is learned, which ancestor wins, and where V points.

Chapter `random_walk`. Source: arXiv 2511.23239, theorem on 0 < p < 1, and Section 5; the lag signal is ours.
"""

import numpy as np
from numpy.typing import NDArray

from hal.chapters.random_walk.models.circulant import Circulant, CirculantTransformer, Turns, turns
from hal.chapters.random_walk.runs import learn, learn_turns
from hal.claims import Part, Result, claim, result, seed_block
from lib.models import random_walk as rw
from lib.sampling import generators
from lib.theory import random_walk as theory
from lib.train import GivenBatches, Trajectory, train

_WALKS = ((6, 97, 0.5), (6, 97, 0.7), (20, 101, 0.5), (20, 101, 0.9))
_LATE = 20_000
_CHANCES = (0.5, 0.7, 0.9)


@claim(
    "RW-4",
    where="theorem for 0 < p < 1, item 1, and its experiments",
    says=(
        "Five steps on 1000 walks from zero give the best accuracy, max(p, 1 - p), in most runs (K = 6, N = 97, "
        "p = 0.5, 0.7; K = 20, N = 101, p = 0.5, 0.9)."
    ),
    control={"M": 101},
    breaks="positional vectors of length 101, as short as they can be",
)
def _check_4(M: int = 1000, block: int = 0) -> Result:
    seeds, parts = seed_block(block, 5), []
    for K, N, p in _WALKS:
        run = learn(rw.Walk(K, N, p), seeds, record_at=[0, 5, 20], steps=20, M=M).run
        for k, step in ((1, 5), (2, 20)):
            name = f"median accuracy of five runs at step {step}, K = {K}, p = {p}"
            found = float(np.median(run["accuracy"][:, k]))
            parts.append(Part(name, found, float(theory.best_accuracy(p)), 0.05, drift=5e-3))
    return result(*parts, seeds=seeds)


@claim(
    "RW-5",
    where="theorem for 0 < p < 1, item 4, and its experiments",
    says=(
        "After five steps on 1000 walks all attention is on the node before the target, in at least two thirds of the "
        "runs, at K = 20 and p = 0.9 in at least half; in the others it is on an earlier one."
    ),
    control={"M": 101},
    breaks="positional vectors of length 101, as short as they can be",
)
def _check_5(M: int = 1000, block: int = 0) -> Result:
    seeds, parts = seed_block(block, 12), []
    for K, N, p in _WALKS:
        run = learn(rw.Walk(K, N, p), seeds, record_at=[0, 5], steps=5, M=M).run
        name = f"runs of twelve with attention on the parent above 0.999, K = {K}, p = {p}"
        least = 6 if p == 0.9 else 8
        parts.append(Part(name, float(np.sum(run["parent"][:, 1] > 0.999)), least, 0, "at least", drift=2))
    return result(*parts, seeds=seeds)


def _settled(steps: int, loss: str, block: int) -> Trajectory:
    """Values of three walks (runs) that have seen 50 steps of the whole layer and then train on the parent alone."""
    seeds, start = seed_block(block, 1), []
    for p in _CHANCES:
        _, run = learn_turns(rw.Walk(6, 97, p), seeds, steps=50)
        start.append(run.params.nu[0])
    last = CirculantTransformer(K=6, N=2, M=1000, loss=loss)
    weight = np.array([[p, 1 - p] for p in _CHANCES])
    parent = Turns(np.tile([[[1], [5]]], (3, 1, 1)), weight)
    params = Circulant(np.stack(start), np.zeros(3), np.tile([1000.0, 0.0], (3, 1)))
    at = [0, steps // 4, steps]
    record = {"V": lambda p: last.spread_out(p).V}
    return train(GivenBatches(last, [parent]), params, last.optimiser(1.0), steps, record=record, record_at=at)


@claim(
    "RW-6",
    where="beyond the paper",
    says=(
        r"V turns towards the entrywise root of $\Pi^\top$, at the rate $t^{-1/2}$, and its largest entry grows as "
        r"$\sqrt{2\max(p, 1-p)t/K}$; so its distance from $\Pi^\top$ itself stops, except at p = 1/2."
    ),
    control={"loss": "square"},
    breaks="the square loss",
)
def _check_6(loss: str = "log", block: int = 0) -> Result:
    run = _settled(_LATE, loss, block)
    parts = []
    for r, p in enumerate(_CHANCES):
        V, root = run["V"][r], theory.root_target(6, p)
        near, far = (rw.direction_distance(V[k : k + 1], root)[0] for k in (1, 2))
        stays = rw.direction_distance(V[2:], root**2)[0]
        largest = float(theory.settled_value(_LATE, 6, p))
        apart = 0.0 if p == 0.5 else theory.law_distance(p)  # at 1/2 the root has the direction of the law
        parts += [
            Part(f"distance from the law, p = {p}", stays, apart, 0.012),
            Part(f"distance from the root, step 5000 over step 20,000, p = {p}", near / far, 2.0, 0.1),
            Part(f"largest entry of V, p = {p}", V[2].max(), largest, 0.02, "relative"),
        ]
    return result(*parts, seeds=seed_block(block, 1))


@claim(
    "RW-17",
    where="theorem for 0 < p < 1, item 3",
    says=r"The distance between the directions of V and $\Pi^\top$ falls as $T^{-1/2}$, here for p = 0.7.",
    control={"p": 0.5},
    breaks="a walk without drift, where the law and its root have one direction",
    verdict="fails",
    regime="it stops at 0.17; the statement holds for p = 1/2",
)
def _check_17(p: float = 0.7, block: int = 0) -> Result:
    run = _settled(_LATE, "log", block)
    V = run["V"][_CHANCES.index(p)]
    near, far = rw.direction_distance(V[1:], theory.step_matrix(6, p).T)
    return result(
        Part("distance at step 5000 over that at step 20,000", near / far, 2.0, 0.1), seeds=seed_block(block, 1)
    )


@claim(
    "RW-12",
    where="beyond the paper",
    says=(
        "On many walks the second step scores the lags by a signal in closed form. If they are long, the parent has "
        "the largest from K = 5 to 17, for p from 0.5 to 0.95; on larger circles lag 3 or 5 has, at some p."
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
        name, best = f"K = {K}, N = {N}, p = {p}", 1.0 + float(np.argmin(found))
        parts += [
            Part(f"scores of all lags after two steps over theory, {name}", slope, 1.0, 0.15),
            Part(f"lag of the largest score after two steps, {name}", best, theory.best_lag(K, p, N)),
        ]
    cells = [(K, p, 1201) for K in range(5, 18) for p in np.linspace(0.5, 0.95, 10)]
    older = sum(theory.best_lag(*cell) > 1 for cell in cells)
    name = "cells of the map from K = 5 to 17 in which another lag than the parent comes round most often"
    parts.append(Part(name, sum(_most_met(*cell) > 1 for cell in cells), older))
    for K, p, N in ((20, 0.8, 5001), (30, 0.7, 601), (30, 0.85, 601)):
        name = f"lag that comes round most often, K = {K}, p = {p}, N = {N}"
        parts.append(Part(name, _most_met(K, p, N), theory.best_lag(K, p, N)))
    return result(*parts, seeds=seeds)


def _most_met(K: int, p: float, N: int, lags: int = 30) -> int:
    """The lag at which a walk that goes on lies most often where it was before, counted step by step: both by p."""
    here, met, total = np.zeros(K), [], np.zeros(K)
    here[0] = 1.0
    for m in range(1, N):
        here = p * np.roll(here, 1) + (1 - p) * np.roll(here, -1)
        total += here
        met += [here] if m <= lags else []
    signal = np.array(met) @ total
    return 1 + int(np.argmax(signal >= signal.max() - 1e-9))


def _second_scores(walk: rw.Walk, seeds: range, turned: bool) -> NDArray[np.float64]:
    """How far the scores of all lags lie below the parent's after two steps on 30,000 walks, (R, N - 1)."""
    model = CirculantTransformer(K=walk.K, N=walk.N, M=1000)
    batch = turns(walk.sample(30_000, generators(seeds)), walk.K)
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
