"""Claims SCB-5 to SCB-7: what a step keeps, the signal coordinates, the plane of the population flow.

Chapter `scb`. Source: arXiv 2410.23438, Section 2.3, Section 3.1 and Appendix C.
"""

import numpy as np

from hal.chapters.scb.claims._measure import (
    Array,
    WholePopulation,
    gradients,
    largest,
    random_point,
    repeat,
    single_samples,
)
from hal.chapters.scb.runs import learn
from hal.claims import Part, Result, claim, result, seed_block
from lib.models import scb
from lib.theory import scb as theory


def _left_projector(params: scb.Params, task: scb.Task, seed: int) -> float:
    """Largest change that I - 11^T/N from the left makes to the gradient of V, over 200 samples."""
    many = repeat(params, 200)
    grad = gradients(task, many, single_samples(task, 200, seed))[1].V
    return largest(grad.mean(axis=-2))


@claim(
    "SCB-5",
    where=r"Section 2.3, equations (4) and (5); the distribution of $V\mu$ and the right projector: beyond the paper",
    says=r"Column sums of $V$ and row sums of $A$ stay one, and the paper's projector on $V$ changes nothing. $V\mu$ "
    r"wanders off $\mu$ by a known small amount; a projector from the right stops it.",
    control={"column_sum": 1.1},
    breaks="the columns of $V$ do not sum to one at initialisation",
)
def _check_5(column_sum: float = 1.0, block: int = 0) -> Result:
    """`column_sum`: of V, where training starts."""
    task = scb.ring_task(64, skew=0.5, rng=0)
    lr, batch, seeds = 0.02, 16, seed_block(block, 24)
    record = {
        "off": lambda p: np.square(np.matmul(p.V, task.mu) - task.mu).sum(-1),
        "column": lambda p: np.abs(p.V.sum(-2) - 1).max(-1),
        "row": lambda p: np.abs(p.A.sum(-1) - 1).max(-1),
    }
    start = scb.LinearTransformer(task).init(len(seeds))
    start = scb.Params(start.V * column_sum, start.A)
    at = range(0, 501, 10)
    runs = {
        keep: learn(
            task, seeds, lr=lr, batch=batch, steps=500, record=record, record_at=at, keep_mean=keep, start=start
        )
        for keep in (False, True)
    }
    plain = runs[False]
    late = plain.steps >= 200  # V mu forgets its start in K_Q / lr = 26 steps
    predicted = float(theory.marginal_error(lr / task.K_Q, batch, plain["loss"][:, late].mean()))
    point = random_point(task, seeds[0], False)
    change = _left_projector(scb.Params(point.V * column_sum, point.A), task, seeds[0])
    column, row = (max(run[name].max() for run in runs.values()) for name in ("column", "row"))
    return result(
        Part("left projector, largest change of a gradient", change, 1e-12, kind="rounding"),
        Part("largest drift of a column sum of V", column, 1e-12, kind="rounding"),
        Part("largest drift of a row sum of A", row, 1e-12, kind="rounding"),
        Part("mean |V mu - mu|^2 without right projector", plain["off"][:, late].mean(), predicted, 0.15, "relative"),
        Part("largest |V mu - mu|^2 with right projector", runs[True]["off"].max(), 1e-24, kind="rounding"),
        seeds=seeds,
    )


def _fit(target: Array, line: Array, weight: Array) -> float:
    """Weighted least-squares coefficient of `target` on `line`, by a general solver."""
    root = np.sqrt(weight)
    return float(np.linalg.lstsq((line * root).reshape(-1, 1), (target * root).ravel(), rcond=None)[0][0])


@claim(
    "SCB-6",
    where="Section 3.1 and Appendix C",
    says="The signal coordinates are least-squares fits on the lines to $P$ and to $Q$, the remainders are "
    r"orthogonal to $P$ and $Q$, and squared norms add up, as long as $V\mu=\mu$.",
    control={"keep_mean": False},
    breaks=r"$V\mu\neq\mu$, as in plain training",
)
def _check_6(keep_mean: bool = True, block: int = 0) -> Result:
    """`keep_mean`: whether V mu = mu."""
    fit, right_angle, pythagoras = [], [], []
    for seed in seed_block(block, 6):
        task = scb.random_task(64, 5, 3, skew=0.6, rng=seed)
        p = random_point(task, seed, keep_mean)
        mu, T = task.mu, task.T
        R, goal = task.P - mu[:, None], task.Q - 1 / T
        a_V, a_A = scb.alpha_V(p, task)[0], scb.alpha_A(p, task)[0]
        d_V, d_A = scb.delta_V(p, task)[0], scb.delta_A(p, task)[0]
        fit += [a_V - _fit(p.V[0] - mu[:, None], R, mu[None, :]), a_A - _fit(p.A[0] - 1 / T, goal, mu[:, None])]
        right_angle += [scb.mu_inner(d_V, task.P, mu), scb.mu_inner_rows(d_A, task.Q, mu)]
        norm_V, norm_A = scb.mu_norm(p.V[0], mu) ** 2, scb.mu_norm_rows(p.A[0], mu) ** 2
        sides_V = mu @ mu + a_V**2 * task.K_P + scb.mu_norm(d_V, mu) ** 2
        sides_A = 1 / T + a_A**2 * task.K_Q + scb.mu_norm_rows(d_A, mu) ** 2
        pythagoras += [norm_V / sides_V - 1, norm_A / sides_A - 1]
    off = largest(np.array(fit))
    return result(
        Part("alpha_V, alpha_A against least squares, largest difference", off, 1e-11, kind="rounding"),
        Part("largest |<Delta_V, P>|, |<Delta_A, Q>|", largest(np.array(right_angle)), 1e-11, kind="rounding"),
        Part("Pythagoras, largest relative error", largest(np.array(pythagoras)), 1e-11, kind="rounding"),
        seeds=seed_block(block, 6),
    )


@claim(
    "SCB-7",
    where="Section 3.1, equation (8)",
    says="With infinitely large batches the two matrices never leave a plane: training is a recursion of two scalars, "
    "exactly, step by step.",
    control={"noise": True},
    breaks="the noise of batches of 64 is added",
)
def _check_7(noise: bool = False) -> Result:
    """`noise`: whether the gradients have that of a minibatch."""
    task = scb.random_task(256, 5, 3, skew=0.4, rng=0)
    lr, steps = 0.03, 400
    model = scb.GaussianSurrogate(task) if noise else WholePopulation(task)
    record = {
        "alpha_V": lambda p: scb.alpha_V(p, task),
        "alpha_A": lambda p: scb.alpha_A(p, task),
        "off": lambda p: scb.distance_to_flow(p, task),
    }
    run = learn(task, [0], lr=lr, batch=64, steps=steps, record=record, record_at=range(steps + 1), model=model)
    path = theory.population_run(task.K_P, task.K_Q, task.T, lr, steps)
    return result(
        Part("alpha_V, largest difference", largest(run["alpha_V"][0] - path.alpha_V), 1e-12, kind="rounding"),
        Part("alpha_A, largest difference", largest(run["alpha_A"][0] - path.alpha_A), 1e-12, kind="rounding"),
        Part("largest distance from the plane", run["off"].max(), 1e-12, kind="rounding"),
        Part("alpha_A alpha_V at the end", float(run["alpha_V"][0, -1] * run["alpha_A"][0, -1]), 1.0, 0.01),
    )
