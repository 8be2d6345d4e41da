"""Parameters, gradients and a table of optimisers for the tests of `lib.optim`."""

from typing import NamedTuple

import numpy as np

from lib import optim
from lib.optim import chain


class Params(NamedTuple):
    V: np.ndarray  # (R, 2, 2)
    A: np.ndarray  # (R, 2, 301): longer than the blocks in which NumPy adds


def draw(rng, runs=3):
    return Params(rng.normal(size=(runs, 2, 2)), rng.normal(size=(runs, 2, 301)))


def steps(optimiser, params, gradients, state=None):
    """Apply the optimiser to a list of gradients; the parameters after each, and the last state."""
    state = optimiser.init(params) if state is None else state
    path = []
    for gradient in gradients:
        updates, state = optimiser.update(gradient, state, params)
        params = optim.apply_updates(params, updates)
        path.append(params)
    return path, state


def same(a, b):
    return all(np.array_equal(x, y) for x, y in zip(a, b, strict=True))


def take(tree, r):
    return type(tree)(*(x[r : r + 1] for x in tree))


RATES = np.array([0.1, 0.02, 0.3])

# name -> optimiser from one rate or one rate a run; every transform is in at least one row
OPTIMISERS = {
    "sgd": optim.sgd,
    "scale": lambda lr: optim.scale(-lr),
    "momentum": optim.momentum,
    "momentum, decay per run": lambda lr: optim.momentum(0.1, decay=lr),
    "nesterov": lambda lr: optim.momentum(lr, 0.8, nesterov=True),
    "adam": optim.adam,
    "adam, betas and eps per run": lambda lr: optim.adam(0.1, b1=lr, b2=1 - lr, eps=lr),
    "sgd, scheduled": lambda lr: optim.sgd(optim.piecewise_constant([2, 4], [lr, 0.5 * lr, 0.1 * lr])),
    "cosine": lambda lr: optim.momentum(optim.cosine(lr, 6, warmup=2)),
    "exponential": lambda lr: optim.sgd(optim.exponential(lr, 0.5, 3)),
    "prox": lambda lr: chain(optim.sgd(lr), optim.prox_l1(lr)),
    "prox, sums kept": lambda lr: chain(optim.sgd(lr), optim.prox_l1(lr, keep_sums=-1)),
    "AdamW": lambda lr: chain(
        optim.scale_by_adam(), optim.add_decayed_weights(lr), optim.scale_by_learning_rate(lr), optim.scale(0.5)
    ),
    "clip": lambda lr: chain(optim.clip_by_global_norm(80 * lr), optim.sgd(lr)),
    "precondition": lambda lr: chain(optim.precondition(lambda x: 1 / (1 + x * x)), optim.sgd(lr)),
    "SCB": lambda lr: optim.per_field(
        V=chain(optim.precondition([[2.0, 0.5]]), optim.sgd(lr)),
        A=chain(optim.project_affine(-1), optim.sgd(lr), optim.prox_l1(0.1), optim.restore_affine(1.0, -1)),
    ),
    "half frozen": lambda lr: optim.per_field(V=optim.freeze(), A=chain(optim.identity(), optim.adam(lr))),
}
