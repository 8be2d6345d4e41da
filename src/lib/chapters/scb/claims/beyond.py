"""Claims SCB-26 to SCB-29: a random start, screening by counting, softmax attention, outputs fed back.

Chapter `scb`. Beyond arXiv 2410.23438, which asks these questions (Sections 5.2 and 6, conjecture after Theorem 3.1).
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from lib.chapters.scb.runs import learn
from lib.chapters.scb.runs.escape import first_reach
from lib.chapters.scb.runs.feedback import Continued, drift
from lib.chapters.scb.runs.screening import screened_share
from lib.chapters.scb.runs.softmax import learn_softmax
from lib.chapters.scb.runs.starts import learn_from, random_start
from lib.claims.base import Claim, Part, Result, result
from lib.models import scb
from lib.theory import scb as theory

_LR = 0.02


@lru_cache(maxsize=1)
def _standard_escape() -> float:
    """Median step at which the paper's start leaves Stage 1."""
    task = scb.ring_task(1024, rng=0)
    return float(np.nanmedian(learn_from(task, None, range(8))[1]))


def _check_26(size: float = 1.0) -> Result:
    task, seeds = scb.ring_task(1024, rng=0), range(24)
    _, escape, mirrored, support = learn_from(task, random_start(task, seeds, size), seeds)
    return result(
        Part(
            "median escape over that of the paper's start", np.nanmedian(escape) / _standard_escape(), 0.3, 0, "at most"
        ),
        Part("share of mirrored runs", mirrored.mean(), 0.5, 0.25, drift=1 / len(seeds)),
        Part("share with the support found, up to the mirror", support.mean(), 0.9, 0, "at least", 1 / len(seeds)),
        seeds=seeds,
    )


def _check_27(samples: int = 1200) -> Result:
    parts = []
    for T, seeds in ((64, 12), (1024, 12), (16384, 5)):
        share = screened_share(scb.ring_task(T, rng=0), samples, range(seeds))
        parts.append(Part(f"share of seeds with the support found, T = {T}", share, 0.9, 0, "at least", 1 / seeds))
    return result(*parts, seeds=range(12))


_T_SOFT = 200


@lru_cache(maxsize=1)
def _linear_error() -> float:
    """Median |A - Q| of plain SGD with linear attention after 700 steps."""
    task = scb.ring_task(_T_SOFT, rng=0)
    run = learn(task, range(6), lr=_LR, batch=64, steps=700, record_at=[0, 700])
    return float(np.median(run["distance_A"][:, -1]))


@lru_cache(maxsize=1)
def _mirrored_shares() -> tuple[float, float]:
    """Share of mirrored runs at T = 512 and batch 3: linear, softmax with logit step 12."""
    task = scb.ring_task(512, rng=0)
    steps = int(1.3 * float(theory.escape_time(0.3, _LR, task.K_Q, task.T)))
    linear = learn(task, range(100), lr=_LR, batch=3, steps=steps, record_at=[0, steps])
    soft = learn_softmax(task, range(24), lr=_LR, lr_w=12.0, batch=3, steps=2400, record_at=[0, 2400])
    return float((linear["alpha_A"][:, -1] < 0).mean()), float((soft["alpha_A"][:, -1] < 0).mean())


def _check_28(matched: bool = False) -> Result:
    task = scb.ring_task(_T_SOFT, rng=0)
    seeds = 3
    rates = np.array([3.0, 6.0, 12.0])
    steps = 2500
    if matched:  # what makes the first step equal to that of the linear model
        rates, steps = float(theory.matched_eta_w(_LR / task.K_P, _T_SOFT)) * rates / 6, 700
    at = np.unique(np.r_[np.arange(0, steps, max(1, steps // 250)), steps])
    lr_w = np.repeat(rates, seeds)
    run = learn_softmax(task, range(3 * seeds), lr=_LR, lr_w=lr_w, batch=64, steps=steps, record_at=at)
    escape = np.nanmedian(first_reach(run.steps, run["alpha_A"], 0.3).reshape(3, seeds), axis=1)
    law = theory.softmax_escape_time(_T_SOFT, _LR / task.K_Q, rates[1], task.K_P, task.Q.max())
    exact = theory.softmax_population_run(task.K_P, (0.6, 0.4), _T_SOFT, _LR / task.K_Q, rates[1], steps, record_at=at)
    middle = run["distance_A"][seeds : 2 * seeds, -1]
    linear, soft = _mirrored_shares()
    exact_escape = first_reach(exact.steps, exact.alpha_A[None], 0.3)[0]
    return result(
        Part(f"escape at logit step {rates[1]:.0f}, steps, against the law", escape[1], float(law), 0.25, "relative"),
        Part("the same, against the noiseless recursion", escape[1], exact_escape, 0.08, "relative"),
        Part("exponent of the escape in the logit step", np.polyfit(np.log(rates), np.log(escape), 1)[0], -0.5, 0.12),
        Part("median |A - Q| over that of linear SGD", np.median(middle) / _linear_error(), 0.8, 0, "at most"),
        Part("mirrored runs at T = 512, batch 3, linear", linear, 0.05, 0, "at least", 0.02),
        Part("mirrored runs at T = 512, batch 3, softmax", soft, 0.05, 0, "at most", 1 / 24),
        seeds=range(3 * seeds),
    )


@lru_cache(maxsize=1)
def _fed_back_errors() -> tuple[float, float]:
    """Median |A - Q| after plain SGD on consecutive windows of 64 chains, and on fresh contexts."""
    task = scb.random_task(256, 3, 2, 0.3, rng=3)
    found = []
    for model in (Continued(task, 64, range(8)), None):
        run = learn(
            task, range(8), lr=_LR, batch=64, steps=600, keep_mean=True, record={}, record_at=[0, 600], model=model
        )
        found.append(float(np.median(scb.distance_A(scb.unmirror(run.params, task), task))))
    return found[0], found[1]


def _check_29(fresh: bool = False) -> Result:
    task = scb.random_task(8, 3, 2, 0.3, rng=1)
    first, late = drift(task, tokens=24, chains=100_000, fresh=fresh)
    chains, independent = _fed_back_errors()
    return result(
        Part("law of the first generated token, L1 distance to mu", first, 0.012, 0, "at most"),
        Part("law of later tokens, L1 distance to mu, T = 8", late, 0.12, 0.08),
        Part("|A - Q| learned on chains over that on fresh contexts, T = 256", chains / independent, 1.0, 0.15),
        seeds=range(8),
    )


CLAIMS = [
    Claim(
        "SCB-26",
        "scb",
        "beyond the paper (initialisation)",
        "A random output layer has some signal by chance: Stage 1 is almost gone and the support is found, but the "
        "sign is a coin toss.",
        _check_26,
        lambda: _check_26(size=0.0),
        "the paper's start, whose sign the task itself decides",
    ),
    Claim(
        "SCB-27",
        "scb",
        "beyond the paper (evidence on the conjecture that poly(T) is unavoidable)",
        "Counting pairs (token at t, label) for each last token finds all useful positions with 1200 samples, from "
        "T = 64 to T = 16384.",
        _check_27,
        lambda: _check_27(samples=120),
        "a tenth of the samples, less than the chi-squared estimate asks for",
    ),
    Claim(
        "SCB-28",
        "scb",
        "Section 5.2 (relation to softmax); the laws beyond the paper",
        "Softmax attention with a constant logit step escapes later than the linear model, in a time that falls like "
        "one over the square root of that step; then it ends closer to Q than plain linear SGD, and is never mirrored.",
        _check_28,
        lambda: _check_28(matched=True),
        "the logit step that matches the linear model at the start: a row locks onto one position",
    ),
    Claim(
        "SCB-29",
        "scb",
        "beyond the paper (Sections 2.1 and 6 name the extension)",
        "Labels fed back as tokens: the first has law mu, later ones may not, and learning on such text works as well "
        "as on fresh contexts.",
        _check_29,
        lambda: _check_29(fresh=True),
        "a fresh token in place of the label, so that nothing is fed back",
    ),
]
