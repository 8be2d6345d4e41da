"""Entropy of attention at the snap, over two decades of the ratio of learning rates, and at three and ten times it.

Chapter `scan_snap`, beyond the paper (arXiv 2305.16380, Theorem 4 and Section 8). The snap is t_0 of the clock.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scan_snap.runs.learning import learn, rates
from lib import optim
from lib.models import scan_snap as ss
from lib.theory import scan_snap as theory

SEEDS, TIMES, DECODERS = range(8000, 8016), (1, 3, 10), (0.2, 0.8)  # seeds; times in units of t_0; rates eta_Y


def snap_step(lr_Y: float, task: ss.Task) -> int:
    """The step of t_0 at a decoder's learning rate."""
    return round(float(theory.transition_times(task.K, task.M, lr_Y)[1]))


def entropies(
    lr_Y: float, ratios: Sequence[float], seeds: Sequence[int], at: Sequence[int]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Plain gradient descent from zero on Syn-Small, batch 128, 127 contextual tokens.

    Args:
        lr_Y: learning rate of the decoder; attention's is it over the ratio.
        ratios: of the learning rates.
        seeds: R seeds; all ratios of a seed see the same samples.
        at: steps at which attention is read.

    Returns:
        (ratios, R, steps) entropy on distinct tokens, nats; (ratios, R) whether a run diverged.

    Raises:
        InputError: if a rate or step is out of range.
    """
    task, each = ss.base_task(L=127), np.repeat(np.asarray(ratios, float), len(seeds))
    rule = rates(lr_Y, lr_Y / each, optim.sgd)
    run = learn(task, list(seeds) * len(ratios), rule, steps=max(at), record_at=[0, *at])
    shape = (len(ratios), len(seeds))
    return run["entropy"][:, 1:].reshape(*shape, -1), (run.diverged_at >= 0).reshape(shape)
