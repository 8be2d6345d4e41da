"""Claims RW-1 to RW-3: positions, the minimal numbers, and the first two steps from zero.

Chapter `random_walk`. Source: arXiv 2511.23239, Section 2.
"""

from typing import Any

import numpy as np

from hal.chapters.random_walk.models.circulant import CirculantTransformer, Turns, turns
from hal.chapters.random_walk.models.dense import DenseTransformer
from hal.chapters.random_walk.runs import learn_population
from hal.claims import Part, Result, claim, result, seed_block
from lib import optim
from lib.attention import sine_positions
from lib.models import random_walk as rw
from lib.sampling import generators
from lib.theory import random_walk as theory
from lib.train import GivenBatches, train


@claim(
    "RW-1",
    where="orthogonality lemma",
    says="The positional vectors are orthogonal, and all have the squared length (M + 1)/2.",
    control={"offset": 0.5},
    breaks="places counted half a place further along their sines",
)
def _check_1(offset: float = 0.0) -> Result:
    errors = []
    for N, M in ((97, 1000), (101, 1000), (40, 40), (7, 12)):
        P = sine_positions(N, M)
        if offset:
            P = np.sin(np.outer(np.arange(1, N + 1) + offset, np.arange(1, M + 1)) * np.pi / (M + 1))
        errors.append(np.abs(P @ P.T - (M + 1) / 2 * np.eye(N)).max())
    return result(Part("largest error of P P' = (M + 1)/2 I", max(errors), 1e-10, kind="rounding"))


@claim(
    "RW-2",
    where="beyond the paper",
    says=(
        "Gradient descent on value and key-query matrix is gradient descent on $K^2 + K + N$ numbers, from zero and "
        "from random starts; the other entries of W never matter."
    ),
    control={"content": 1.0},
    breaks="the last token has content of its own",
)
def _check_2(content: float = 0.0, block: int = 0) -> Result:
    seeds, parts = seed_block(block, 1), []
    random: dict[str, Any] = {"unit_length": True, "sigma": 0.01}
    walks = rw.Walk(K=6, N=97, p=0.5).sample(40, generators(seeds))
    for word, lr, kind in (("from zero", 1.0, {}), ("random start", 10.0, random)):
        dense, model = DenseTransformer(**kind), rw.MinimalTransformer(**kind)
        H, _ = dense.tokens(walks)
        H[..., -1, 0] += content
        start = dense.init(1, generators(seeds, 2))
        full = train(GivenBatches(dense, [(H, walks)]), start, optim.sgd(lr), 4).params
        small = train(GivenBatches(model, [walks]), dense.reduce(start), model.optimiser(lr), 4).params
        theirs = dense.reduce(full)
        error = max(np.abs(x - y).max() / np.abs(x).max() for x, y in zip(small, theirs, strict=True))
        moved = np.abs((full.W - start.W)[:, :, : dense.K]).max()
        parts += [
            Part(f"largest relative difference after 4 steps, {word}", error, 1e-9, kind="rounding"),
            Part(f"how far W_11 and W_21 moved, {word}", moved, 1e-12, kind="rounding"),
        ]
    return result(*parts, seeds=seeds)


@claim(
    "RW-3",
    where="beyond the paper",
    says=(
        r"From zero, one step makes V a multiple of $\sum_{m<N}(\Pi^\top)^m$; values then depend on the turn alone, "
        "and after two steps the node before the target has the largest score."
    ),
    control={"sigma": 0.3},
    breaks="a random start instead of zero",
)
def _check_3(sigma: float = 0.0) -> Result:
    parts = []
    for K, N, p in ((5, 11, 0.7), (6, 10, 0.5), (7, 9, 0.3)):
        walk = rw.Walk(K, N, p)
        layer: dict[str, Any] = {"M": 60, "sigma": sigma}
        one = learn_population(walk, steps=1, **layer).run.params.V[0]
        two = learn_population(walk, steps=2, **layer).run.params.g[0]
        late = learn_population(walk, steps=20, **layer).run.params.V[0]
        turn = CirculantTransformer(K=K, N=N, M=60)
        small = train(GivenBatches(turn, [_from_one_node(walk)]), None, turn.optimiser(1.0), 20)
        word = f"(K, N, p) = ({K}, {N}, {p})"
        first, best = theory.first_values(K, p, N), int(np.argmax(two[:-1]))
        other = np.abs(late - turn.spread_out(small.params).V[0]).max()
        parts += [
            Part(f"largest error of V after one step, {word}", np.abs(one - first).max(), 1e-12, kind="rounding"),
            Part(f"largest error of V by turns after 20 steps, {word}", other, 1e-9, kind="rounding"),
            Part(f"lag with the largest score after two steps, {word}", N - 1 - best, theory.best_lag(K, p, N)),
        ]
    return result(*parts)


def _from_one_node(walk: rw.Walk) -> Turns:
    """The walks that start at node 0: their turns are all the others."""
    s, weight = walk.population()
    count = s.shape[1] // walk.K
    return turns(rw.Walks(s[:, :count], walk.K * weight[:, :count]), walk.K)
