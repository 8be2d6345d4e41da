"""Claims SCB-27 and SCB-28: screening by counting, softmax attention.

Chapter `scb`. Beyond arXiv 2410.23438, which asks these questions (Sections 5.2 and 6, conjecture after Theorem 3.1).
"""

from functools import lru_cache

import numpy as np

from hal.chapters.scb import theory as beyond
from hal.chapters.scb.runs import learn
from hal.chapters.scb.runs.beyond import (
    first_reach,
    learn_softmax,
    screened_share,
)
from hal.claims import Part, Result, claim, result, seed_block
from lib.models import scb
from lib.theory import scb as theory

_LR = 0.02


@claim(
    "SCB-27",
    where=r"beyond the paper (evidence on the conjecture that $\mathrm{poly}(T)$ is unavoidable)",
    says="Counting pairs (token at $t$, label) for each last token finds all useful positions with 1200 samples, "
    "from $T=64$ to $T=16384$.",
    control={"samples": 120},
    breaks="a tenth of the samples",
)
def _check_27(samples: int = 1200, block: int = 0) -> Result:
    """`samples`: of all last tokens together."""
    parts, runs = [], seed_block(block, 24)
    for T in (64, 1024, 16384):
        share = screened_share(scb.ring_task(T, rng=0), samples, runs)
        parts.append(Part(f"share of seeds with the support found, T = {T}", share, 0.8, 0, "at least", 1 / 24))
    return result(*parts, seeds=runs)


_T_SOFT = 200


@lru_cache(maxsize=2)
def _linear_error(block: int) -> float:
    """Median |A - Q| of plain SGD with linear attention after 700 steps."""
    task = scb.ring_task(_T_SOFT, rng=0)
    run = learn(task, seed_block(block, 6), lr=_LR, batch=64, steps=700, record_at=[0, 700])
    return float(np.median(run["distance_A"][:, -1]))


@lru_cache(maxsize=2)
def _mirrored_shares(block: int) -> tuple[float, float]:
    """Share of mirrored runs at T = 256 and batch 2: linear, softmax with logit step 12."""
    task = scb.ring_task(256, rng=0)
    steps = int(1.3 * float(theory.escape_time(0.3, _LR, task.K_Q, task.T)))
    linear = learn(task, seed_block(block, 120), lr=_LR, batch=2, steps=steps, record_at=[0, steps])
    soft = learn_softmax(task, seed_block(block, 20), lr=_LR, lr_w=12.0, batch=2, steps=1600, record_at=[0, 1600])
    return float((linear["alpha_A"][:, -1] < 0).mean()), float((soft["alpha_A"][:, -1] < 0).mean())


@claim(
    "SCB-28",
    where="Section 5.2 (relation to softmax); the formulas beyond the paper",
    says="Softmax attention escapes later than the linear model if its logit step is far below the one that matches "
    r"it, $\eta_AT^2$, in a time that falls like one over the square root of that step; then it ends closer to $S$ "
    "than plain linear SGD, and is never mirrored.",
    control={"matched": True},
    breaks="the logit step that matches the linear model at initialisation: a row locks onto one position",
)
def _check_28(matched: bool = False, block: int = 0) -> Result:
    """`matched`: whether the first step equals that of the linear model."""
    task = scb.ring_task(_T_SOFT, rng=0)
    # Two runs a rate are enough: escapes of sixteen blocks lie from 0.93 to 0.96 of the law.
    count, seeds = 2, seed_block(block, 6)
    rates, steps = np.array([3.0, 6.0, 12.0]), 2500
    if matched:
        rates, steps = float(beyond.matched_eta_w(_LR / task.K_P, _T_SOFT)) * rates / 6, 700
    at = np.unique(np.r_[np.arange(0, steps, max(1, steps // 250)), steps])
    run = learn_softmax(task, seeds, lr=_LR, lr_w=np.repeat(rates, count), batch=64, steps=steps, record_at=at)
    escape = np.nanmedian(first_reach(run.steps, run["alpha_A"], 0.3).reshape(3, count), axis=1)
    law = beyond.softmax_escape_time(_T_SOFT, _LR / task.K_Q, rates[1], task.K_P, task.Q.max())
    middle = run["distance_A"][count : 2 * count, -1]
    linear, soft = _mirrored_shares(block)
    return result(
        Part(f"escape at logit step {rates[1]:.0f}, steps, against the law", escape[1], float(law), 0.25, "relative"),
        Part("exponent of the escape in the logit step", np.polyfit(np.log(rates), np.log(escape), 1)[0], -0.5, 0.12),
        Part("median |A - Q| over that of linear SGD", np.median(middle) / _linear_error(block), 0.8, 0, "at most"),
        Part("mirrored runs at T = 256, batch 2, linear", linear, 0.05, 0, "at least", 0.02),
        Part("mirrored runs at T = 256, batch 2, softmax", soft, 0.04, 0, "at most", 1 / 20),
        seeds=seeds,
    )
