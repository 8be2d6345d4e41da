"""Claim SNAP-50: whom Adam selects, over its learning rate and by the layer that it trains.

Chapter `scan_snap`. Beyond the paper; arXiv 2305.16380, Section 8, Figure 5 has Adam at three learning rates.
"""

import numpy as np

from hal.chapters.scan_snap.runs.adam_rates import READ, selections
from hal.claims import Part, Result, claim, result, seed_block
from lib.models import scan_snap as ss

_RATES = (0.032, 0.32, 1.0)


@claim(
    "SNAP-50",
    where="Section 8, Figure 5; beyond the paper",
    says="Where the decoder has learned by Adam, the most frequent distinct token has no larger fraction of the "
    "attention on distinct tokens than before training, at learning rates from 0.03 to 1, and far less at most of "
    "them. Adam in attention alone, under a decoder of gradient descent, lets it gain as gradient descent does.",
    control={"who": "attention"},
    breaks="the decoder has gradient descent in all runs",
)
def _check_50(who: str = "both", block: int = 0) -> Result:
    seeds, law = seed_block(block, 8), ss.base_task().P[0, ss.base_task().distinct[0]]
    first, lead = law[-1] / law.sum(), READ.index("lead")
    parts = [
        Part(f"share of the most frequent one over that before training, Adam at {rate:g}",
             float(np.mean(selections(who, rate, seeds)["at"][0, lead])) / first, 1.01, 0, "at most", 0.01)
        for rate in _RATES
    ]  # fmt: skip
    others = (("attention", 0.056), ("none", 1.0))
    alone, plain = (selections(name, rate, seeds)["at"][0, lead].mean() for name, rate in others)
    return result(
        *parts,
        Part("the same with gradient descent in both layers", plain / first, 1.2, 0, "at least", 0.01),
        Part("Adam in attention alone, at 0.056, over gradient descent in both", alone / plain, 1.0, 0.06, drift=0.01),
        seeds=seeds,
    )
