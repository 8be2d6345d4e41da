"""Claims SNAP-15, 16: when attention moves fastest, how slowly it goes on, and which ratio of rates is sparsest.

Chapter `scan_snap`. Source: arXiv 2305.16380, Theorem 4, Section 5.2 and Section 6, tested in joint gradient flow.
"""

from __future__ import annotations

import numpy as np

from lib.chapters.scan_snap.runs.late_times import entropy_by_ratio, late
from lib.chapters.scan_snap.runs.stage_times import timing
from lib.claims import Part, Result, claim, result
from lib.theory import scan_snap as theory

_RATIOS = (0.3, 1.0, 3.0, 10.0, 30.0)


@claim(
    "SNAP-15",
    where="Theorem 4 (time of the phase transition), in joint training",
    says=(
        "Joint training moves attention fastest at 0.75 to 2.4 times K ln M / lr_Y, for all numbers of classes, "
        "vocabularies, ratios of rates and queries tried; the reference dynamics are fastest before K ln M / lr_Y."
    ),
    control={"sizes": (None,)},
    breaks="no never-next tokens, M = K: the decoder has nothing but the classes to tell apart",
)
def _check_15(sizes: tuple[int | None, ...] = (34, 100, 1000)) -> Result:
    runs = [
        (K, ratio, timing(K, M or K, ratio, queries="own" if own else "shared"))
        for K in (2, 5, 10)
        for M in sizes
        for ratio in (1.0, 10.0)
        for own in (True, False)
    ]
    peaks = np.array([run.peak for _, _, run in runs])
    steady = {
        ratio: max(float(run.exponent[run.times >= 10, 0].max()) for _, r, run in runs if r == ratio)
        for ratio in (1.0, 10.0)
    }
    return result(
        Part("earliest fastest move, in K ln M / lr_Y", peaks[:, 0].min(), 0.75, 0, "at least"),
        Part("latest fastest move, in K ln M / lr_Y", peaks[:, 0].max(), 2.4, 0, "at most"),
        Part("delay per unit of ln M, M = 1000 to 100000, in K / lr_Y", _delay(sizes[-1]), 1, 0.1),
        Part("reference dynamics: latest fastest move, in K ln M / lr_Y", peaks[:, 1].max(), 1, 0, "at most"),
        Part("power of time in the top logit after 10 K ln M / lr_Y, equal rates", steady[1.0], 0.25, 0, "at most"),
        Part("the same, decoder ten times faster", steady[10.0], 0.7, 0, "at most"),
    )


def _delay(M: int | None) -> float:
    """How much later, in K / lr_Y, attention moves fastest for each unit of ln M, from M to 100 M."""
    first = 2 if M is None else M
    runs = [(timing(2, m), np.log(m)) for m in (first, 100 * first)]
    late_by = [float(run.peak[0]) * scale for run, scale in runs]
    return (late_by[1] - late_by[0]) / (runs[1][1] - runs[0][1])


@claim(
    "SNAP-16",
    where="Theorem 4 (after the transition) and Section 6 (threshold of the ratio), in joint training",
    says=(
        "After the snap the logits follow ln ln t: each decade of time gains less. At a fixed time attention is "
        "sparsest at a middle ratio of rates: below it the decoder is not ready, above it attention has snapped."
    ),
    control={"lr": 1e-3, "first": 5.0, "time": 20.0},
    breaks="before the transition: the three decades up to it, and a budget of 20 steps",
)
def _check_16(lr: float = 1.0, first: float | None = None, time: float = 3000.0) -> Result:
    snap = float(theory.transition_times(2, 34, 1.0)[1])
    run = late(10 * snap if first is None else first, lr=lr)
    entropy = entropy_by_ratio(_RATIOS, time)
    best = int(entropy.argmin())
    return result(
        Part(
            "most that one decade of time gains over the decade before, nats",
            np.diff(run.per_decade).max(),
            0,
            0,
            "at most",
        ),
        Part("R^2 of the top logit against ln ln t", run.fit_loglog, 0.97, 0, "at least"),
        Part("by how much that beats ln t", run.fit_loglog - run.fit_log, 0.01, 0, "at least"),
        Part("ratio lr_Y / lr_Z with the smallest entropy", _RATIOS[best], 3, 2),
        Part("entropy above that at ratio 0.3, nats", entropy[0] - entropy[best], 0.01, 0, "at least"),
        Part("entropy above that at ratio 30, nats", entropy[-1] - entropy[best], 0.01, 0, "at least"),
    )
