"""Claims SNAP-15, 16: when attention moves fastest, how slowly it goes on, and which ratio of rates is sparsest.

Chapter `scan_snap`. Source: arXiv 2305.16380, Theorem 4 and Sections 6 and 8, tested in joint gradient flow.
"""

import numpy as np

from hal.chapters.scan_snap.runs.late_times import entropy_by_ratio, late
from hal.chapters.scan_snap.runs.stage_times import timing
from hal.claims import Part, Result, claim, result
from lib.theory import scan_snap as theory

_LR_Y = 0.1  # it only scales time
_RATIOS = (0.3, 1.0, 3.0, 10.0, 30.0)


@claim(
    "SNAP-15",
    where="Theorem 4 (time of the phase transition), in joint training",
    says=r"Joint training moves attention fastest between half of $K\ln M/\eta_Y$ and the time at which the paper's "
    "second stage begins, for all numbers of classes, vocabularies, ratios of rates and queries tried, and "
    r"later by $K/\eta_Y$ for each unit of $\ln M$. The reference dynamics are fastest before their speed "
    "coefficient peaks. Logits first grow like the square of time or faster, and end slower than its square "
    "root.",
    control={"sizes": (None,)},
    breaks="no never-next tokens, $M=K$: the decoder has nothing but the classes to tell apart",
)
def _check_15(sizes: tuple[int | None, ...] = (34, 1000)) -> Result:
    runs = [
        (timing(K, M or K, ratio, _LR_Y, "own" if own else "shared"), float(theory.speed_peak(K, M or K, _LR_Y).time))
        for K in (2, 10)
        for M in sizes
        for ratio in (1.0, 10.0)
        for own in (True, False)
    ]
    peaks = np.array([run.peak for run, _ in runs])
    before = max(float(run.peak[1]) * run.unit / peak for run, peak in runs)
    early, late = (np.array([run.exponent[run.times.searchsorted(at)] for run, _ in runs]) for at in (0.0, 29.0))
    return result(
        Part("earliest fastest move, in K ln M / lr_Y", peaks[:, 0].min(), 0.5, 0, "at least"),
        Part(
            "latest fastest move, in K ln M / lr_Y",
            peaks[:, 0].max(),
            2 * (1 + float(theory.omega_1(34))),
            0,
            "at most",
        ),
        Part("delay per unit of ln M, M = 1000 to 100000, in K / lr_Y", _delay(sizes[-1]), 1, 0.1),
        Part("reference dynamics: latest fastest move over the peak of gamma", before, 1, 0.02, "at most"),
        Part("the same: least power of time in the top logit at 0.05 K ln M / lr_Y", early[:, 1].min(), 2, 0.05),
        Part("joint training: least power of time there", early[:, 0].min(), 2, 0, "at least"),
        Part("joint training: largest power of time at 29 K ln M / lr_Y", late[:, 0].max(), 0.5, 0, "at most"),
    )


def _delay(M: int | None) -> float:
    """How much later, in K / lr_Y, attention moves fastest for each unit of ln M, from M to 100 M."""
    first = 2 if M is None else M
    runs = [(timing(2, m, lr_Y=_LR_Y), np.log(m)) for m in (first, 100 * first)]
    late_by = [float(run.peak[0]) * scale for run, scale in runs]
    return (late_by[1] - late_by[0]) / (runs[1][1] - runs[0][1])


@claim(
    "SNAP-16",
    where="Theorem 4 (after the transition) and Section 8 (threshold of the ratio), in joint training",
    says=r"After the snap the logits follow $\ln\ln t$: each decade of time gains less. At a fixed time attention is "
    "sparsest at a middle ratio of rates: below it the decoder is not ready, above it attention has snapped.",
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
        Part("ratio lr_Y / lr_Z with the smallest entropy", _RATIOS[best], 3, 1),
        Part("entropy above that at ratio 0.3, nats", entropy[0] - entropy[best], 0.01, 0, "at least"),
        Part("entropy above that at ratio 30, nats", entropy[-1] - entropy[best], 0.01, 0, "at least"),
    )
