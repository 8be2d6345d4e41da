"""Claims LTB-14, LTB-16 and LTB-43: Bayes, how near one step comes, and single contexts.

Chapter `linear_block`. Source: arXiv 2402.14951, Lemma 6.1 and Corollary 6.2; constants are ours.
"""

from functools import partial

import numpy as np

from hal.chapters.linear_block.models.one_step import bayes_output, random_task
from hal.chapters.linear_block.runs import query_errors
from hal.claims import Part, Result, claim, result, seed_block
from lib.models import linear_block as lb
from lib.sampling import generators
from lib.theory import linear_block as theory


def _bayes(task: lb.Task, seed: int, belief: lb.Task, count: int = 100_000) -> float:
    """Risk on drawn prompts of the Bayes estimator for what it believes the task to be."""
    return float(query_errors(partial(bayes_output, belief), task, count, seed).mean())


@claim(
    "LTB-14",
    where="Lemma 6.1",
    says="Ridge regression centred at the prior mean has the risk that the trace formula gives.",
    control={"centred": False},
    breaks="ridge regression centred at zero",
)
def _check_14(centred: bool = True, block: int = 0) -> Result:
    (seed,) = seeds = seed_block(block, 1)
    rng = generators([seed], 1)[0]
    task = random_task(rng, norm=2.0)
    trace = theory.bayes_risk(task, rng.standard_normal((20_000, task.M, task.d)))
    found = _bayes(task, seed, task if centred else task.but(mean=np.zeros(task.d)))
    return result(Part("risk on 100,000 prompts over the trace formula", found / trace, 1.0, 0.025), seeds=seeds)


def _step_terms(task: lb.Task, damped: bool) -> np.ndarray:
    """(d,) what the directions of a task with H diagonal and Psi = I add to the risk of a step above the noise."""
    h, tau = np.diag(task.H), theory.label_variance(task)
    gain = (np.diag(theory.best_step(task)) if damped else 1 / h) * h
    return h - 2 * gain * h + gain**2 * ((task.M + 1) * h + tau) / task.M


@claim(
    "LTB-16",
    where="Corollary 6.2; the constants are ours",
    says=(
        "Each direction adds to the best step's risk between half and twice $\\min\\{\\phi_i, \\tau/(M+1)\\}$, and its "
        "excess over the noise is at most $(\\tau + \\phi_1)/\\sigma^2$ times that of Bayes. All three bounds are "
        "reached within 1 % on prompts of 1000 examples and more: twice without noise (d = 1), half where "
        "$\\phi = \\tau/(M+1)$, the ratio to Bayes where all variances are equal."
    ),
    control={"damped": False},
    breaks="a step that inverts the covariance, as if prompts were endless",
)
def _check_16(damped: bool = True, block: int = 0) -> Result:
    seeds = seed_block(block, 200)
    above: list[float] = []
    below: list[float] = []
    ratios: list[float] = []

    def shares(task: lb.Task) -> tuple[float, float, float]:
        """Of the bounds: largest term over the upper one, least over the lower one, ratio to Bayes over its own."""
        terms, (_, low, high) = _step_terms(task, damped), theory.rate_bounds(task)
        ratio = terms.sum() / (theory.bayes_floor(task) - task.sigma**2)
        return np.max(terms / high), np.min(terms / low), ratio / theory.bayes_ratio_bound(task)

    for rng in generators(seeds, 1):
        d, M, sigma = int(rng.integers(2, 12)), int(rng.integers(1, 200)), float(rng.uniform(0.2, 3))
        h = np.arange(1, d + 1) ** -rng.uniform(0, 2)
        task = lb.Task(np.diag(h), np.eye(d), np.zeros(d), sigma, M)
        for share, found in zip(shares(task), (above, below, ratios), strict=True):
            found.append(share)
    calm, noisy = (lb.power_task(d=1, M=1000, sigma=sigma) for sigma in (0.01, 1000**0.5))
    even = lb.power_task(d=4, M=10**5, sigma=1.0)
    return result(
        Part("largest term over the upper bound", max(above), 1.0, 0, "at most"),
        Part("least term over the lower bound", min(below), 1.0, 0, "at least"),
        Part("largest ratio to Bayes over its bound", max(ratios), 1.0, 0, "at most"),
        Part("term over the upper bound without noise", shares(calm)[0], 1.0, 0.01),
        Part("term over the lower bound where phi is tau/(M+1)", shares(noisy)[1], 1.0, 0.01),
        Part("ratio to Bayes over its bound, equal variances", shares(even)[2], 1.0, 0.01),
        seeds=seeds,
    )


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
