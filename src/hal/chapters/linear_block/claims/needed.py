"""Claim LTB-43: how near single contexts are to the Bayes rate.

Chapter `linear_block`. Source: arXiv 2402.14951, Lemma 6.1; the numbers are our own measurement.
"""

import numpy as np

from hal.claims import Part, Result, claim, result, seed_block
from lib.models import linear_block as lb
from lib.sampling import generators
from lib.theory import linear_block as theory


@claim(
    "LTB-43",
    where="Lemma 6.1",
    says=(
        "Where $\\operatorname{tr}\\Phi$ is at most $\\sigma^2$, the Bayes risk given a context exceeds the noise by "
        "between half and twice $\\sum_i\\min\\{\\phi_i,\\sigma^2/M\\}$ on at least 999 of 1000 contexts "
        "(d = 8 with M = 32, equal variances; d = 16 with M = 64, variances $1/i$)."
    ),
    control={"sigma": 0.1, "M": 8},
    breaks="little noise, and as many examples as features",
)
def _check_43(sigma: float | None = None, M: int | None = None, block: int = 0) -> Result:
    (seed,) = seeds = seed_block(block, 1)
    rng, parts = generators([seed], 1)[0], []
    for d, length, noise, decay in ((8, 32, 3.0, 0.0), (16, 64, 2.0, 1.0)):
        task = lb.power_task(d=d, M=M or length, sigma=sigma or noise, decay=decay)
        contexts = rng.standard_normal((4000, task.M, d))
        rate = np.minimum(theory.signal_spectrum(task), task.sigma**2 / task.M).sum()
        over = (theory.bayes_risks(task, contexts) - task.sigma**2) / rate
        near = float(np.mean((over >= 0.5) & (over <= 2.0)))
        parts.append(Part(f"proportion of 4000 contexts within a factor of two, d = {d}", near, 0.999, 0, "at least"))
    return result(*parts, seeds=seeds)
