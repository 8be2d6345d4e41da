"""What several claims of the chapter need: random classes, a trained decoder, the gradient that arrives at attention.

Chapter `scan_snap`. The decoder here was trained; no prediction of `lib.theory` enters but the definition of overlaps.
"""

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scan_snap.runs import decoder_inputs, rates, replace_gradient
from lib import optim
from lib.attention import softmax
from lib.models import scan_snap as ss
from lib.train import train

Array = NDArray[np.float64]


def random_classes(K: int, M: int, seed: int, C: int = 24) -> ss.Task:
    """K random laws over C tokens, one query for all; each weighs its own C / K tokens more, by a factor of four."""
    rng = np.random.default_rng(seed)
    weights = rng.random((K, C)) * np.where(np.arange(C) * K // C == np.arange(K)[:, None], 4.0, 1.0)
    return ss.Task(weights / weights.sum(axis=1, keepdims=True), np.zeros(K, dtype=int), M, None)


def largest(*differences: Array | float) -> float:
    """The largest entry in size."""
    return max(float(np.abs(d).max()) for d in differences)


def residuals(logits: Array) -> Array:
    """delta_n = e_n - softmax(row n) of logits (..., K, M) whose row n belongs to class n."""
    alpha = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.eye(*logits.shape[-2:]) - alpha / alpha.sum(axis=-1, keepdims=True)


def trained(task: ss.Task, lr_Y: float, steps: int, replaced: bool = True) -> tuple[Array, Array]:
    """Decoder inputs f_n (K, C) at rest, and the folded decoder after `steps` population steps from zero."""
    optimiser = rates(lr_Y, 0.0, optim.sgd)
    if replaced:
        optimiser = optim.chain(replace_gradient(task), optimiser)
    run = train(ss.Transformer(task), ss.zero_start(task), optimiser, steps)
    return decoder_inputs(ss.zero_start(task), task)[0], run.params.Y[0]


def arriving(f: Array, Y: Array, task: ss.Task) -> Array:
    """g_n = Y delta_n (K, C), the gradient that arrives at the decoder input of every class; Y folded."""
    mass = softmax(f @ Y + np.log(ss.output_weights(Y.shape[-1], task)))  # of the last column: of all its outputs
    return (np.eye(*mass.shape) - mass) @ Y.T
