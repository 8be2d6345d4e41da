"""Claims LTB-31 and LTB-32: what dies in the output with residual and MLP, and what the mask is worth.

Chapter `linear_block`. Source: ours, from arXiv 2402.14951, equation D.1.
"""

from functools import partial

import numpy as np
from scipy.optimize import minimize

from hal.chapters.linear_block.runs import draw_prompts, query_errors, told_apart
from hal.claims import Part, Result, claim, result, seed_block
from lib.models import linear_block as lb
from lib.sampling import generators
from lib.theory import linear_block as theory

_COUNT = 400_000  # prompts


@claim(
    "LTB-31",
    where="equation D.1; the parts are ours",
    says=(
        "The output without the mask has five parts, which changed prompts tell apart and whose mean squares are known "
        "(random matrices); without the residual, or without the MLP, the part of the query alone is zero, and the "
        "other four are not."
    ),
    control={"cut": False},
    breaks="nothing is cut: residual and MLP are both there",
)
def _check_31(cut: bool = True, block: int = 0) -> Result:
    (seed,) = seeds = seed_block(block, 1)
    rng = generators([seed], 1)[0]
    task = lb.random_task(rng)
    weights = lb.Weights(*(0.45 * rng.standard_normal((1, 5, 5)) for _ in range(6)))
    run = partial(lb.literal_output, weights, mask=False)
    squares = np.zeros(5)
    for prompts in draw_prompts(task, _COUNT, seed):
        squares += np.sum(told_apart(run, prompts)[:, 0] ** 2, axis=-1) / _COUNT
    known = theory.part_squares(task, theory.Effective(*lb.effective_of(weights)))[0]
    few = task.sample(200, generators([seed], 2))
    parts = [
        Part(f"mean square of the part {name!r} over theory", share, 1.0, 0.06)
        for name, share in zip(theory.PARTS, squares / known, strict=True)
    ]
    for name, without in (("residual", {"residual": not cut}), ("MLP", {"mlp": not cut})):
        sizes = np.abs(told_apart(partial(run, **without), few)).max(axis=(1, 2))
        dead, least = sizes[0] / sizes.max(), sizes[1:].min() / sizes.max()
        parts.append(Part(f"the query's part over the largest, no {name}", dead, 1e-10, kind="rounding"))
        parts.append(Part(f"the least of the others over the largest, no {name}", least, 1e-3, 0, "at least"))
    return result(*parts, seeds=seeds)


def _descent(task: lb.Task, alpha: bool, rng: np.random.Generator) -> float:
    """The risk without the mask at the end of a search over all of alpha, v, Q, q, with c = 1."""
    d = task.d

    def risk(z: np.ndarray) -> float:
        a, v, q, Q = np.split(z, [d, 2 * d, 3 * d])
        block = theory.Effective(a * alpha, v, np.array(1.0), Q.reshape(d, d), q)
        return float(theory.block_risk(task, block) + theory.unmasked_cost(task, block))

    return float(minimize(risk, 0.5 * rng.standard_normal(3 * d + d * d), method="BFGS").fun)


@claim(
    "LTB-32",
    where="beyond the paper: the block without its mask",
    says=(
        "The risk of the best block whose mask is cut is known. The best of all blocks without a mask is above the "
        "best step where the prior mean is not zero; searches over all parameters end there, with $\\alpha$ and "
        "without."
    ),
    control={"mask": True},
    breaks="the mask is there",
)
def _check_32(mask: bool = False, block: int = 0) -> Result:
    (seed,) = seeds = seed_block(block, 1)
    rng = generators([seed], 1)[0]
    task = lb.random_task(rng, M=4, norm=3.0)
    step = lb.Step(task.mean[None], theory.best_step(task)[None])
    weights = lb.one_step_weights(*step)
    found = query_errors(partial(lb.literal_output, weights, mask=mask), task, _COUNT, seed).mean()
    finished = theory.Effective(*lb.effective_of(weights))
    known = (theory.block_risk(task, finished) + theory.unmasked_cost(task, finished))[0]
    small = lb.power_task(3, int(rng.integers(3, 12)), float(rng.uniform(0.3, 1)), float(rng.uniform(1, 3)))
    best = {alpha: theory.best_cut(small, alpha, mask=False).risk for alpha in (True, False)}
    ends = {alpha: min(_descent(small, alpha, rng) for _ in range(4)) for alpha in best}
    return result(
        Part("risk of the best block on 400,000 prompts, its mask cut, over theory", found / known, 1.0, 0.05),
        *(
            Part(f"least end of four searches over the best risk, {name} alpha", ends[alpha] / best[alpha], 1.0, 1e-5)
            for alpha, name in ((True, "with"), (False, "without"))
        ),
        Part(
            "best risk without the mask over that of the best step",
            best[True] / theory.best_risk(small),
            1.0,
            0,
            "at least",
        ),
        seeds=seeds,
    )
