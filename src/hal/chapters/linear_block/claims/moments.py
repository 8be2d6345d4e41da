"""Claims LTB-1 to LTB-3 and LTB-5: moments of a prompt, the block that takes a step, what the output can see, its risk.

Chapter `linear_block`. Source: arXiv 2402.14951, Section 3, Lemma 5.1, Lemma H.4.
"""

from functools import partial

import numpy as np

from hal.chapters.linear_block.models.one_step import Step, literal_output, one_step_weights, random_task, step_output
from hal.chapters.linear_block.runs import draw_prompts, query_errors
from hal.claims import Part, Result, claim, result, seed_block
from lib.models import linear_block as lb
from lib.sampling import generators
from lib.theory import linear_block as theory


@claim(
    "LTB-1",
    where="Lemma H.4; the form for matrices that are not symmetric is ours",
    says=r"$E[SAS] = HAH + \frac1M(HA^\top H + \mathrm{tr}(HA)H)$ for the mean S of M outer products of normal rows.",
    control={"tails": True},
    breaks="rows with heavy tails and the same covariance",
)
def _check_1(tails: bool = False, block: int = 0) -> Result:
    (seed,) = seeds = seed_block(block, 1)
    rng = generators([seed], 1)[0]
    task, A = random_task(rng), rng.standard_normal((4, 4))
    total, count = np.zeros((4, 4)), 200_000
    for prompts in draw_prompts(task, count, seed, tails):
        S = np.matmul(prompts.X[0].swapaxes(-1, -2), prompts.X[0]) / task.M
        total += np.matmul(S @ A, S).sum(axis=0) / count
    expected = theory.sandwich(A, task.H, task.M)
    size, off = float(np.linalg.norm(expected)), float(np.linalg.norm(total - expected))
    return result(
        Part("its size along the formula", np.sum(total * expected) / size**2, 1.0, 0.02),
        Part("what is left beside it, over its size", off / size, 0.02, 0, "at most"),
        seeds=seeds,
    )


@claim(
    "LTB-2",
    where="Lemma 5.1; the widths are ours",
    says=(
        "A block whose keys have d rows, its values and its MLP one each, takes any gradient step from any start: "
        "its output is that of the one-step estimator on every prompt."
    ),
    control={"mlp": False},
    breaks="the block without its MLP: the residual copy of the query never reaches the output",
)
def _check_2(mlp: bool = True, block: int = 0) -> Result:
    seeds = seed_block(block, 4)
    rng = generators(seeds[:1], 1)[0]
    params = Step(rng.standard_normal((4, 4)), rng.standard_normal((4, 4, 4)))
    prompts = random_task(rng).sample(50, generators(seeds))
    known = step_output(params, prompts)
    found = literal_output(one_step_weights(*params), prompts, mlp)
    worst = np.abs(found - known).max() / np.abs(known).max()
    return result(Part("largest difference of outputs, over the largest", worst, 1e-10, kind="rounding"), seeds=seeds)


@claim(
    "LTB-3",
    where="Section 3 and equation D.1",
    says=(
        "The output sees only the last row of $W_2^\\top W_1$ and the first d columns of $W_K^\\top W_Q$: it is "
        "$\\alpha^\\top x + \\frac1M\\sum_i(v^\\top x_i + cy_i)(x_i^\\top Qx + y_iq^\\top x)$, and the other entries "
        "do nothing."
    ),
    control={"mask": False},
    breaks="no mask: the query is a key and a value of its own",
)
def _check_3(mask: bool = True, block: int = 0) -> Result:
    seeds = seed_block(block, 4)
    rng = generators(seeds[:1], 1)[0]
    prompts = random_task(rng).sample(50, generators(seeds))
    weights = lb.Weights(*(rng.standard_normal((4, rows, 5)) for rows in (5, 5, 3, 3, 6, 6)))
    known = lb.block_output(lb.effective_of(weights), prompts)
    other = weights._replace(Q=weights.Q.copy(), W2=weights.W2.copy())
    other.Q[..., 4] = rng.standard_normal((4, 5))
    other.W2[..., :4] = rng.standard_normal((4, 6, 4))
    size = np.abs(known).max()
    return result(
        *(
            Part(
                f"largest difference of outputs, over the largest{what}",
                np.abs(literal_output(changed, prompts, mask=mask) - known).max() / size,
                1e-10,
                kind="rounding",
            )
            for what, changed in (("", weights), (", other entries changed", other))
        ),
        seeds=seeds,
    )


@claim(
    "LTB-5",
    where="beyond the paper",
    says="The risk of any block is a polynomial in its effective parameters, known term by term.",
    control={"tails": True},
    breaks="features with heavy tails and the same covariance",
)
def _check_5(tails: bool = False, block: int = 0) -> Result:
    seeds, parts = seed_block(block, 3), []
    for i, seed in enumerate(seeds):
        rng = generators([seed], 1)[0]
        task = random_task(rng)
        shapes = [(1, 4), (1, 4), (1,), (1, 4, 4), (1, 4)]
        params = lb.EffectiveParams(*(0.4 * rng.standard_normal(shape) for shape in shapes))
        errors = query_errors(partial(lb.block_output, params), task, 400_000, seed, tails)
        expected = float(theory.block_risk(task, theory.Effective(*params))[0])
        parts.append(
            Part(f"risk of block {i + 1} of 3 on 400,000 prompts over theory", errors.mean() / expected, 1.0, 0.04)
        )
    return result(*parts, seeds=seeds)
