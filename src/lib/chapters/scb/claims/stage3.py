"""Claims SCB-22 and SCB-33: Stage 3, and what a refit adds.

Chapter `scb`. Source: arXiv 2410.23438, Section 3.4, Appendix F and Algorithm 1.
"""

from __future__ import annotations

import numpy as np

from lib.chapters.scb.claims._default import BATCH, LR, SEEDS, errors, tasks, thresholds
from lib.chapters.scb.runs import finish
from lib.chapters.scb.runs.refit import refit
from lib.claims.base import Claim, Part, Result, result
from lib.models import scb


def _check_22(keep: float = 0.25) -> Result:
    last = finish(tasks(), thresholds()[0.05], SEEDS, lr=LR, batch=BATCH, steps=400, keep=keep, record_at=[0, 400])
    V, A = errors(last.params)
    return result(
        Part("median |V - P| after Stage 3", V, 0.03, 0, "at most"),
        Part("median |A - Q| after Stage 3", A, 0.06, 0, "at most"),
        seeds=SEEDS,
    )


def _check_33(restrict: bool = True) -> Result:
    task = tasks()
    rounded, refitted = refit(task, thresholds()[0.05], SEEDS, lr=LR, batch=BATCH, steps=400, restrict=restrict)
    before, after = (np.sqrt(np.mean(scb.distance_A(p, task) ** 2)) for p in (rounded, refitted))
    return result(
        Part(
            "|A - Q| of rounded attention over that after the refit, root mean square",
            before / after,
            1.3,
            0,
            "at least",
        ),
        seeds=SEEDS,
    )


CLAIMS = [
    Claim(
        "SCB-22",
        "scb",
        "Section 3.4, Appendix F and Algorithm 1 (Stage 3)",
        "Rounding the attention, freezing it and training V alone finishes the job: both matrices end near P and Q.",
        _check_22,
        lambda: _check_22(keep=1e-9),
        "small entries are kept: only negative ones are dropped before the normalisation",
    ),
    Claim(
        "SCB-33",
        "scb",
        "beyond the paper",
        "After rounding, training the surviving weights once more without threshold removes the bias it left.",
        _check_33,
        lambda: _check_33(restrict=False),
        "all entries are trained, not the surviving ones alone",
    ),
]
