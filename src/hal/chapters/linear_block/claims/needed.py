"""Claims LTB-42 and LTB-43: how many tasks a learned step needs, and how near single contexts are to the Bayes rate.

Chapter `linear_block`. Source: arXiv 2402.14951, Lemma 6.1 and the first open question of Section 7; the numbers are
our own measurement.
"""

import numpy as np

from hal.chapters.linear_block.runs.tasks_needed import excess_of_fitted_step, predicted_excess
from hal.claims import Part, Result, claim, result, seed_block
from lib.models import linear_block as lb
from lib.sampling import generators
from lib.theory import linear_block as theory


@claim(
    "LTB-42",
    where="Section 7, an open question",
    says=(
        "Start and step with the least squared error on n training prompts, one task each, cost "
        "$\\operatorname{tr}(A^{-1}B)/n$ above the best risk: one over the number of tasks, and the same for a prior "
        "mean of norm 2 and of norm 6 (d = 4, M = 20, n = 4096)."
    ),
    control={"repeat": 4},
    breaks="every training prompt stands four times among the n",
)
def _check_42(repeat: int = 1, block: int = 0) -> Result:
    seeds, n, parts = seed_block(block, 8), 4096, []
    for norm in (2.0, 6.0):
        task = lb.power_task(d=4, M=20, sigma=0.5, norm=norm)
        found = np.mean([excess_of_fitted_step(task, n // repeat, seed) for seed in seeds])
        name = f"mean excess over the prediction, prior mean of norm {norm:.0f}"
        parts.append(Part(name, float(found) / predicted_excess(task, n, seeds[0]), 1.0, 0.4))
    return result(*parts, seeds=seeds)


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
