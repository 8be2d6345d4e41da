"""Claims SCB-22 and SCB-33: Stage 3, and what a refit adds.

Chapter `scb`. Source: arXiv 2410.23438, Section 3.4, Appendix F and Algorithm 1.
"""

import numpy as np

from hal.chapters.scb.claims import _default as default
from hal.chapters.scb.runs import finish
from hal.chapters.scb.runs.refit import refit
from hal.claims import Part, Result, claim, result
from lib.models import scb


def _error(values: np.ndarray) -> float:
    """Root mean square over the runs."""
    return float(np.sqrt(np.mean(np.square(values))))


@claim(
    "SCB-22",
    where="Section 3.4, Appendix F and Algorithm 1 (Stage 3)",
    says="Rounding the attention, freezing it and training $V$ alone finishes the job: both matrices end near $P$ "
    "and $Q$.",
    control={"keep": 1e-9},
    breaks="small entries are kept: only negative ones are dropped before the normalisation",
)
def _check_22(keep: float = 0.25, block: int = 0) -> Result:
    """Keep: entries below this fraction of a row's largest are set to 0."""
    task, seeds = default.tasks(block), default.seeds(block)
    before = default.stage2(block, 0.05).params
    last = finish(task, before, seeds, lr=default.LR, batch=default.BATCH, steps=300, keep=keep, record_at=[0, 300])
    return result(
        Part("|V - P| after Stage 3, root mean square", _error(scb.distance_V(last.params, task)), 0.03, 0, "at most"),
        Part("|A - Q| after Stage 3, root mean square", _error(scb.distance_A(last.params, task)), 0.06, 0, "at most"),
        seeds=seeds,
    )


@claim(
    "SCB-33",
    where="beyond the paper",
    says="After rounding, training the surviving weights once more without threshold removes the bias it left.",
    control={"restrict": False},
    breaks="all entries are trained, not the surviving ones alone",
)
def _check_33(restrict: bool = True, block: int = 0) -> Result:
    """Restrict: whether the entries that rounding set to 0 stay there."""
    task, seeds = default.tasks(block), default.seeds(block)
    before = default.stage2(block, 0.05).params
    rounded, refitted = refit(task, before, seeds, lr=default.LR, batch=default.BATCH, steps=400, restrict=restrict)
    ratio = _error(scb.distance_A(rounded, task)) / _error(scb.distance_A(refitted, task))
    name = "|A - Q| of rounded attention over that after the refit, root mean square"
    return result(Part(name, ratio, 1.3, 0, "at least"), seeds=seeds)
