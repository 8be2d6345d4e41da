"""Claims ATL-6 and ATL-7: what a step of one size for every entry cannot hear.

Chapter `atlas`. Source: our own; Theorem 2.
"""

import numpy as np

from hal.chapters.atlas import theory
from hal.claims import Part, Result, claim, result, seed_block
from lib import optim
from lib.models import random_walk as rw
from lib.sampling import generators
from lib.train import GivenBatches, train

_OURS = "our own; Theorem 2 of the chapter"
_K, _N, _WALKS = 6, 97, 500
_SIGN = (0.0, 0.0, 0.0)  # Adam without memory is sign descent


def _walks(block: int) -> tuple[rw.MinimalTransformer, rw.Walks, tuple[int, ...]]:
    seeds = tuple(seed_block(block, 1))
    return rw.MinimalTransformer(K=_K, N=_N), rw.Walk(_K, _N, 0.5).sample(_WALKS, generators(seeds)), seeds


@claim(
    "ATL-6",
    where=_OURS,
    says="On random walks sign descent learns nothing: after 300 steps every entry of V is the same number, and "
    "attention on the walk is uniform, while the loss has fallen.",
    control={"centred": True},
    breaks="each output's mean over the nodes is taken from the read-out's gradient before its sign",
)
def _check_6(centred: bool = False, block: int = 0) -> Result:
    layer, walks, seeds = _walks(block)
    step = optim.adam(0.02, *_SIGN)
    rule = optim.per_field(V=optim.chain(optim.project_affine(-1), step) if centred else step, u=step, g=step)
    run = train(GivenBatches(layer, [walks]), None, rule, steps=300, record_at=[0, 300])
    V, S = run.params.V[0], layer.attention(run.params, walks)[0, :, :-1]
    return result(
        Part("difference of the largest and the smallest entry of V", np.ptp(V), 1e-12, kind="rounding"),
        Part("difference of attention weights within a walk, largest", np.ptp(S, axis=1).max(), 1e-12, kind="rounding"),
        Part("loss after 300 steps over the first, nats", run["loss"][0, -1] / run["loss"][0, 0], 1.0, kind="at most",
             drift=0.01),
        seeds=seeds,
    )  # fmt: skip


@claim(
    "ATL-7",
    where=_OURS,
    says="Of the read-out's first gradient on random walks softmax attention hears about a thousandth, and of its sign "
    "nothing.",
    control={"centred": True},
    breaks="each output's mean over the nodes is taken from the gradient first",
)
def _check_7(centred: bool = False, block: int = 0) -> Result:
    layer, walks, seeds = _walks(block)
    _, slope = layer.loss_and_gradient(layer.init(1), walks)
    G = slope.V[0] - centred * slope.V[0].mean(axis=-1, keepdims=True)
    heard = float(theory.hearing(G))
    return result(
        Part("share that is heard of the sign", float(theory.hearing(np.sign(G))), 1e-12, kind="rounding"),
        Part("share that is heard of the gradient", heard, 0.002, kind="at most", drift=1e-6),
        Part("the same", heard, 0.0005, kind="at least", drift=1e-6),
        seeds=seeds,
    )
