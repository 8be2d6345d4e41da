r"""Gradient flow of one learned step: its slopes, its curvature, its rates, the largest stable rate.

Chapter `linear_block`. Source: arXiv 2402.14951, Section 6 and Lemma G.2 (the flow), Theorem 6.3 (it converges); the
curvature bound, rates and step sizes are ours. Time is in steps of gradient descent times their rate; the loss is the
risk, without a factor one half. Directions that a singular H does not see stay where they start.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from lib.errors import require
from lib.integrate import integrate
from lib.theory._arrays import Array, floats
from lib.theory.linear_block.moments import Task, step_moment
from lib.theory.linear_block.risks import step_risk


class FlowPath(NamedTuple):
    """A path of the flow."""

    times: Array  #: (T,)
    beta: Array  #: (T, d)
    Gamma: Array  #: (T, d, d)
    risk: Array  #: (T,)


def curvature(task: Task, Gamma: Array) -> Array:
    r"""$K(\Gamma)$ (d, d): the risk is quadratic in $\beta$, with Hessian $2K$.

    $H - H\Gamma H - H\Gamma^\top H + \frac{M+1}MH\Gamma^\top H\Gamma H + \frac1M\mathrm{tr}(H\Gamma H\Gamma^\top)H$; at
    least $\frac2{M+2}H$ whatever the step.

    Args:
        task: the task.
        Gamma: (d, d) step matrix.

    Source: arXiv 2402.14951, Section 6 (the matrix); the bound is ours.
    """
    H, M = task.H, task.M
    once = H @ Gamma @ H
    return H - once - once.T + (M + 1) / M * once.T @ Gamma @ H + np.sum(once * Gamma) / M * H


def flow_slopes(task: Task, beta: Array, Gamma: Array) -> tuple[Array, Array]:
    r"""Minus the risk's gradient: $\dot\beta = -2K(\Gamma)(\beta - \beta^*)$, $\dot\Gamma = 2(HAH - H\Gamma B(A))$.

    Args:
        task: the task.
        beta: (d,) start of the step.
        Gamma: (d, d) step matrix.

    Returns:
        (d,) and (d, d).

    Source: arXiv 2402.14951, Lemma G.2.
    """
    H, Delta = task.H, beta - task.mean
    A = task.Psi + np.outer(Delta, Delta)
    return -2 * curvature(task, Gamma) @ Delta, 2 * (H @ A @ H - H @ Gamma @ step_moment(task, A))


def step_flow(task: Task, times: ArrayLike, beta: ArrayLike | None = None, Gamma: ArrayLike | None = None) -> FlowPath:
    """Gradient flow of the start and the step on the whole population.

    Args:
        task: the task.
        times: increasing times of at least 0, (T,).
        beta: (d,) start at time 0; default zero.
        Gamma: (d, d) step matrix at time 0; default zero.

    Raises:
        InputError: if a shape or a time is out of range.
        DivergedError: if the solver fails.

    Source: arXiv 2402.14951, Section 6.
    """
    d = len(task.mean)
    first = np.zeros(d) if beta is None else floats(beta)
    step = np.zeros((d, d)) if Gamma is None else floats(Gamma)
    require(first.shape == (d,), "beta", f"shape ({d},)", first.shape)
    require(step.shape == (d, d), "Gamma", f"shape ({d}, {d})", step.shape)

    def slope(t: float, state: Array) -> Array:
        moved = flow_slopes(task, state[:d], state[d:].reshape(d, d))
        return np.concatenate([moved[0], moved[1].ravel()])

    path = integrate(slope, np.concatenate([first, step.ravel()]), times, what="theory of linear_block")
    b, G = path.states[:, :d], path.states[:, d:].reshape(-1, d, d)
    return FlowPath(path.times, b, G, step_risk(task, b, G))


def start_bound(task: Task, times: ArrayLike) -> Array:
    r"""At most so much of $\lVert\beta(0) - \beta^*\rVert^2$ is left, (T,): $e^{-8\lambda_{\min}(H)t/(M+2)}$.

    Source: arXiv 2402.14951, Theorem 6.3; the rate is ours.
    """
    return np.exp(-8 * max(float(np.linalg.eigvalsh(task.H)[0]), 0.0) * floats(times) / (task.M + 2))


def stable_rate(task: Task, beta: ArrayLike | None = None) -> float:
    r"""$1/(\lambda_{\max}(H)\lambda_{\max}(B(A_0)))$: gradient descent from $\Gamma = 0$ was always stable below it.

    Args:
        task: the task; H not zero.
        beta: (d,) start, default zero.

    Source: beyond the paper.
    """
    Delta = (np.zeros_like(task.mean) if beta is None else floats(beta)) - task.mean
    B = step_moment(task, task.Psi + np.outer(Delta, Delta))
    return float(1 / (np.linalg.eigvalsh(task.H)[-1] * np.linalg.eigvalsh(B)[-1]))
