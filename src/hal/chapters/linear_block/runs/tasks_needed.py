"""How many tasks a learned start and step need: the pair that fits n prompts best, and its risk on all prompts.

Chapter `linear_block`. Source: the first open question of arXiv 2402.14951, Section 7; the measurement is ours.
"""

import numpy as np

from lib.models import linear_block as lb
from lib.sampling import generators
from lib.theory import linear_block as theory

__all__ = ["excess_of_fitted_step", "predicted_excess"]


def excess_of_fitted_step(task: lb.Task, n: int, seed: int, rounds: int = 15) -> float:
    """The risk above the best one of the start and step with the least squared error on n prompts, one task each.

    The answer is linear in the step for a given start, and linear in the start for a given step; least squares
    alternates between the two, `rounds` times, from the zero start.

    Args:
        task: of which prompts are drawn.
        n: prompts, more than d^2 + d.
        seed: of the prompts.
        rounds: pairs of fits.
    """
    prompts, d = task.sample(n, generators([seed], 2)), task.d
    X, y, x, target = prompts.X[0], prompts.y[0], prompts.x[0], prompts.target[0]
    S = np.einsum("bmi,bmj->bij", X, X) / task.M
    s = np.einsum("bmi,bm->bi", X, y) / task.M
    beta = np.zeros(d)
    for _ in range(rounds):
        moved = np.einsum("bi,bj->bij", x, s - S @ beta).reshape(n, -1)
        Gamma = np.linalg.lstsq(moved, target - x @ beta, rcond=None)[0].reshape(d, d)
        left = x - np.einsum("bji,kj,bk->bi", S, Gamma, x)
        beta = np.linalg.lstsq(left, target - np.einsum("bi,ij,bj->b", x, Gamma, s), rcond=None)[0]
    return float(theory.step_risk(task, beta, Gamma) - theory.best_risk(task))


def predicted_excess(task: lb.Task, n: int, seed: int, drawn: int = 100_000) -> float:
    """What the fit of n prompts should cost, to first order in 1/n: tr(A^-1 B) / n.

    A is the second moment of the answer's slope in start and step at their best, B the same with the squared error of
    each prompt as weight, both from `drawn` prompts of their own (textbook knowledge, the sandwich of M-estimation).
    """
    prompts, Gamma = task.sample(drawn, generators([seed], 3)), theory.best_step(task)
    X, y, x, target = prompts.X[0], prompts.y[0], prompts.x[0], prompts.target[0]
    S = np.einsum("bmi,bmj->bij", X, X) / task.M
    pulled = np.einsum("bmi,bm->bi", X, y) / task.M - S @ task.mean
    slopes = np.hstack(
        [x - np.einsum("bji,kj,bk->bi", S, Gamma, x), np.einsum("bi,bj->bij", x, pulled).reshape(drawn, -1)]
    )
    error = x @ task.mean + np.einsum("bi,ij,bj->b", x, Gamma, pulled) - target
    A, B = slopes.T @ slopes / drawn, (slopes * error[:, None] ** 2).T @ slopes / drawn
    return float(np.trace(np.linalg.solve(A, B))) / n
