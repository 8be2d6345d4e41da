"""Claim SNAP-47: a piece of the recorded entropies at the snap, on other seeds.

Chapter `scan_snap`. Beyond the paper; arXiv 2305.16380, Theorem 4 has the time and the dependence on the ratio.
"""

import numpy as np

from hal.chapters.scan_snap.runs.at_snap import entropies, snap_step
from hal.claims import Part, Result, claim, result, seed_block
from lib.models import scan_snap as ss

_RATIOS, _DECODERS = (0.1, 1.0, 10.0), (0.8, 0.4)


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
    seeds, task = seed_block(block, 8), ss.base_task(L=127)
    found = [entropies(lr, _RATIOS, seeds, [steps or snap_step(lr, task)])[0][..., 0] for lr in _DECODERS]
    fast, slow = (np.median(one, axis=1) for one in found)
    return result(
        Part("entropy at ratio 1 above that at 0.1 (nats)", fast[1] - fast[0], 0.04, 0, "at least", 0.002),
        Part("entropy at ratio 10 above that at 1 (nats)", fast[2] - fast[1], 0.025, 0, "at least", 0.002),
        Part(
            "entropy at ratio 1, between two pairs of rates (nats)", abs(fast[1] - slow[1]), 0.003, 0, "at most", 0.001
        ),
        seeds=seeds,
    )
