"""Claims LTB-14 to LTB-16 and LTB-21: Bayes, how near one step comes, other lengths.

Chapter `linear_block`. Source: arXiv 2402.14951, Lemma 6.1 and Corollary 6.2; constants and lengths are ours.
"""

from functools import partial

import numpy as np

from hal.chapters.linear_block.models.bayes import bayes_output
from hal.chapters.linear_block.models.one_step import Step, random_task, step_output
from hal.chapters.linear_block.runs import query_errors
from hal.chapters.linear_block.theory.rivals import long_risk
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


@claim(
    "LTB-15",
    where="Section 6",
    says=(
        "The Bayes risk lies above its bound by Jensen and below the risk of the best step. At 64 examples its excess "
        "over the noise is within 30 % of the bound's (d = 4)."
    ),
    control={"noise": 10.0},
    breaks="an estimator that believes the noise to be ten times as strong",
)
def _check_15(noise: float = 1.0, block: int = 0) -> Result:
    (seed,) = seeds = seed_block(block, 1)
    task = random_task(generators([seed], 1)[0])
    long = task.but(M=64)
    found = _bayes(task, seed, task.but(sigma=noise * task.sigma))
    late = _bayes(long, seed, long.but(sigma=noise * task.sigma), 400_000) - task.sigma**2
    return result(
        Part("Jensen's bound over the risk on 100,000 prompts", theory.bayes_floor(task) / found, 1.0, 0, "at most"),
        Part("that risk over the best step's", found / theory.best_risk(task), 1.0, 0, "at most"),
        Part(
            "excess over the noise on 400,000 prompts of 64 examples, over the bound's",
            late / (theory.bayes_floor(long) - task.sigma**2),
            1.0,
            0.3,
        ),
        seeds=seeds,
    )


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
    "LTB-21",
    where="beyond the paper",
    says=(
        "A step made for 32 examples has a known risk at every length: 13.06 at 4, worse than reading nothing (9), and "
        "1.454 at the end, above the noise of 1 (d = 8)."
    ),
    control={"summed": True},
    breaks="attention adds examples up where it should average them",
)
def _check_21(summed: bool = False, block: int = 0) -> Result:
    (seed,) = seeds = seed_block(block, 1)
    base = lb.power_task()
    step, parts = theory.best_step(base), [Part("risk of reading nothing", theory.prior_risk(base), 9.0, 1e-9)]
    for M, stated in ((4, 13.063), (128, 1.816)):
        used = step * (M / base.M if summed else 1.0)
        params, task = Step(base.mean[None], used[None]), base.but(M=M)
        found = query_errors(partial(step_output, params), task, 100_000, seed).mean()
        known = float(theory.step_risk(task, base.mean, step))
        parts.append(Part(f"risk at {M} examples, on 100,000 prompts", found, known, 0.03, "relative"))
        parts.append(Part(f"theory at {M} examples", float(theory.step_risk(task, base.mean, used)), stated, 0.001))
    parts.append(Part("theory on endless prompts", long_risk(base, base.mean, step), 1.454, 0.001))
    return result(*parts, seeds=seeds)
