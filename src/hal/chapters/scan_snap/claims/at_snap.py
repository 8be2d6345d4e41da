"""Claim SNAP-47: entropy of attention at the snap, over two decades of the ratio of learning rates.

Chapter `scan_snap`. Beyond the paper; arXiv 2305.16380, Theorem 4 has the time and the dependence on the ratio.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scan_snap.runs import learn, rates
from hal.claims import Part, Result, claim, result, seed_block
from lib import optim
from lib.models import scan_snap as ss
from lib.theory import scan_snap as theory

_RATIOS, _DECODERS = (0.1, 1.0, 10.0), (0.8, 0.4)


def _entropies(lr_Y: float, seeds: Sequence[int], step: int) -> NDArray[np.float64]:
    """(ratios,) median over seeds of the entropy (nats) at a step of plain gradient descent from zero on Syn-Small, at
    a rate of the decoder; 0 for the step of t_0. All ratios of a seed see the same samples."""
    task, each = ss.base_task(L=127), np.repeat(_RATIOS, len(seeds))
    end = step or round(float(theory.transition_times(task.K, task.M, lr_Y)[1]))
    run = learn(task, list(seeds) * len(_RATIOS), rates(lr_Y, lr_Y / each, optim.sgd), steps=end, record_at=[0, end])
    return np.median(run["entropy"][:, 1].reshape(len(_RATIOS), -1), axis=1)


@claim(
    "SNAP-47",
    where="Theorem 4 and Section 8; beyond the paper",
    says="At the snap, $t_0$, plain gradient descent on Syn-Small has the sparser attention the smaller the ratio of "
    "the learning rates, from 10 down to 0.1, and the entropy knows the learning rates through their ratio alone: no "
    "ratio is best.",
    control={"steps": 100},
    breaks="all runs stop after 100 steps, whenever their snap is",
)
def _check_47(steps: int = 0, block: int = 0) -> Result:
    """`steps`: at which attention is read; 0 for that of the snap."""
    seeds = seed_block(block, 8)
    fast, slow = (_entropies(lr, seeds, steps) for lr in _DECODERS)
    return result(
        Part("entropy at ratio 1 above that at 0.1 (nats)", fast[1] - fast[0], 0.04, 0, "at least", 0.002),
        Part("entropy at ratio 10 above that at 1 (nats)", fast[2] - fast[1], 0.025, 0, "at least", 0.002),
        Part(
            "entropy at ratio 1, between two pairs of rates (nats)", abs(fast[1] - slow[1]), 0.003, 0, "at most", 0.001
        ),
        seeds=seeds,
    )
