"""Whose Adam is it: each layer of a task with an optimiser of its own, many seeds in one call.

Chapter `atlas`. Source: our own. The rates are those at which each optimiser does best on its task.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lib import optim
from lib.errors import require
from lib.models import random_walk as rw
from lib.models import scan_snap as ss
from lib.sampling import generators
from lib.train import GivenBatches, train

Array = NDArray[np.float64]

GRADIENT, ADAM, CENTRED, SIGN = "gradient descent", "Adam", "Adam, centred", "sign descent"
_SIGN = (0.0, 0.0, 0.0)  # Adam without memory is sign descent


def _chosen(what: str, name: str, rules: dict[str, optim.Transform]) -> optim.Transform:
    require(name in rules, what, f"one of {', '.join(rules)}", repr(name))
    return rules[name]


def parent_on_walks(read_out: str, attention: str, seeds: Sequence[int], p: float = 0.8, walks: int = 2000) -> Array:
    """Train chapter 5's layer on walks over 6 nodes of 97 tokens for 200 steps: attention on the parent, (seeds,).

    Args:
        read_out: optimiser of V: gradient descent at 1, Adam at 0.02, or Adam of the gradient of which each output's
            mean over the nodes was taken first.
        attention: of u and g: gradient descent at 1 for W, or Adam at 0.05.
        seeds: of the walks.
        p: chance of a step clockwise.
        walks: in the training set.

    Raises:
        InputError: if an optimiser is unknown.
    """
    layer = rw.MinimalTransformer(K=6, N=97, M=1000)
    few = rw.Walk(6, 97, p).sample(walks, generators(seeds))
    adam = optim.adam(0.02)
    out = _chosen("read_out", read_out, {GRADIENT: optim.sgd(1.0), ADAM: adam,
                                         CENTRED: optim.chain(optim.project_affine(-1), adam)})  # fmt: skip
    slow = optim.adam(0.05)
    u = _chosen("attention", attention, {GRADIENT: optim.sgd(layer.rho), ADAM: slow})
    g = optim.sgd(layer.rho**2) if attention == GRADIENT else slow
    run = train(GivenBatches(layer, [few]), layer.init(len(seeds)), optim.per_field(V=out, u=u, g=g), steps=200)
    return np.asarray(layer.attention(run.params, few)[..., -2].mean(axis=1))


def entropy_of_the_scan(read_out: str, attention: str, seeds: Sequence[int]) -> tuple[Array, Array]:
    """Train chapter 2's layer for 200 steps of 128: entropy of attention among distinct tokens, nats, (seeds,) each.

    Args:
        read_out: optimiser of the decoder: gradient descent at 1, Adam at 0.05, sign descent at 0.02.
        attention: of Z, likewise.
        seeds: of the sequences.

    Returns:
        At the start and at the end, mean over keys.

    Raises:
        InputError: if an optimiser is unknown.
    """
    rules = {GRADIENT: optim.sgd(1.0), ADAM: optim.adam(0.05), SIGN: optim.adam(0.02, *_SIGN)}
    task = ss.base_task()
    model = ss.Transformer(task)
    rule = optim.per_field(Y=_chosen("read_out", read_out, rules), Z=_chosen("attention", attention, rules))
    run = train(model, model.init(len(seeds)), rule, 200, 128, generators(seeds),
                {"entropy": lambda p: ss.entropy(p, task)}, record_at=[0, 200])  # fmt: skip
    return run["entropy"][:, 0], run["entropy"][:, -1]
