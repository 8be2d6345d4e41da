r"""Where training goes: the gradient flow of one learned step, and traps for the block itself.

Chapter `linear_block`. Source: arXiv 2402.14951, Section 6 and Lemma G.2 (the flow), Theorem 6.3 (it converges); the
curvature bound, rates and step sizes are ours, and so are the traps: the paper leaves the training of the block open.

Time is in steps of gradient descent times their rate; the loss is the risk, without a factor one half. With P the
projection onto the image of H, $(1 - P)\beta$ and $\Gamma - P\Gamma P$ stay where they start.

In a trap labels enter through the keys: with $c = 0$, $\alpha = \beta^*$, $Q^\top = -q\beta^{*\top}$ and $qv^\top =
\gamma H^{-1/2}uu^\top H^{-1/2}$, u the first eigenvector of $H^{1/2}\Psi H^{1/2}$, the block is the best step of rank
one, and a critical point of the risk.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from lib.errors import require
from lib.integrate import integrate
from lib.theory._arrays import Array, floats
from lib.theory.linear_block import portable
from lib.theory.linear_block.best import best_step
from lib.theory.linear_block.risks import Effective, Task, signal_spectrum, step_moment, step_risk

RANK = 1e-12  # an eigenvalue of H below so much of the largest is zero


class FlowPath(NamedTuple):
    """A path of the flow."""

    times: Array  #: (T,)
    beta: Array  #: (T, d)
    Gamma: Array  #: (T, d, d)
    risk: Array  #: (T,)


def curvature(task: Task, Gamma: Array) -> Array:
    r"""$K(\Gamma)$ (d, d) for a step matrix (d, d): the risk is quadratic in $\beta$, with Hessian $2K$.

    $H - H\Gamma H - H\Gamma^\top H + \frac{M+1}MH\Gamma^\top H\Gamma H + \frac1M\mathrm{tr}(H\Gamma H\Gamma^\top)H$; at
    least $\frac2{M+2}H$ whatever the step.

    Source: arXiv 2402.14951, Section 6 (the matrix); the bound is ours.
    """
    H, M = task.H, task.M
    once = H @ Gamma @ H
    return H - once - once.T + (M + 1) / M * once.T @ Gamma @ H + np.sum(once * Gamma) / M * H


def flow_slopes(task: Task, beta: Array, Gamma: Array) -> tuple[Array, Array]:
    r"""Minus the risk's gradient: $\dot\beta = -2K(\Gamma)(\beta - \beta^*)$, $\dot\Gamma = 2(HAH - H\Gamma B(A))$.

    The start of the step is (d,), its matrix (d, d), and so are the slopes.

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


def image_of_features(task: Task) -> Array:
    r"""The projection P (d, d) onto the image of H, the directions in which features vary.

    Source: arXiv 2402.14951, Section 6, before Theorem 6.3.
    """
    value, vector = np.linalg.eigh(task.H)
    seen = vector[:, value > RANK * value[-1]]
    return seen @ seen.T


def flow_end(task: Task, beta: ArrayLike, Gamma: ArrayLike) -> tuple[Array, Array]:
    r"""Where the flow from (d,) and (d, d) ends: $P\beta^* + (1-P)\beta$ and $P\Gamma^*P + \Gamma - P\Gamma P$.

    P projects onto the image of H. It is a best step; the only one if H is invertible. Labels must have a variance
    about the prior mean's.

    Source: arXiv 2402.14951, Theorem 6.3.
    """
    P, first, step = image_of_features(task), floats(beta), floats(Gamma)
    return first + P @ (task.mean - first), step + P @ (best_step(task) - step) @ P


def start_bound(task: Task, times: ArrayLike) -> Array:
    r"""At most so much of $\lVert P(\beta(0) - \beta^*)\rVert^2$ is left, (T,): $e^{-8\lambda t/(M+2)}$.

    P projects onto the image of H, and $\lambda$ is its least eigenvalue above zero; without one nothing is left.

    Source: arXiv 2402.14951, Theorem 6.3; the rate is ours.
    """
    value = np.linalg.eigvalsh(task.H)
    return np.exp(-8 * np.min(value[value > RANK * value[-1]], initial=np.inf) * floats(times) / (task.M + 2))


def stable_rate(task: Task, beta: ArrayLike | None = None) -> float:
    r"""$1/(\lambda_{\max}(H)\lambda_{\max}(B(A_0)))$: gradient descent from $\Gamma = 0$ was always stable below it.

    H is not zero; descent starts at `beta` (d,), default zero.

    Source: beyond the paper.
    """
    Delta = (np.zeros_like(task.mean) if beta is None else floats(beta)) - task.mean
    B = step_moment(task, task.Psi + np.outer(Delta, Delta))
    return float(1 / (np.linalg.eigvalsh(task.H)[-1] * np.linalg.eigvalsh(B)[-1]))


def trap_block(task: Task, which: int = 0) -> Effective:
    r"""The trap as effective parameters of a block; its scale between v and q is free, here they are equal.

    Args:
        task: the task.
        which: direction of the step, 0 the strongest; along others it is a critical point too.

    Source: beyond the paper.
    """
    value, vector = np.linalg.eigh(task.H_root @ task.Psi @ task.H_root)
    u, phi = vector[:, -1 - which], value[::-1].tolist()
    gain = portable.rank_one_gain(phi, which, task.sigma, float(task.M))
    along: Array = task.Psi @ task.H_root @ u / phi[which]  # H^(-1/2) u, without an inverse
    q = math.sqrt(gain) * along
    return Effective(np.array(task.mean, dtype=float), q, np.array(0.0), -np.outer(task.mean, q), q)


def trap_risk(task: Task) -> float:
    r"""$\tau - \gamma\phi_1$ with $\gamma = M\phi_1/(\tau + (M+1)\phi_1)$.

    Source: beyond the paper.
    """
    return portable.trap_risk(signal_spectrum(task).tolist(), task.sigma, float(task.M))


def trap_criterion(task: Task) -> float:
    r"""Above 1 the trap is a local minimum, below 1 a saddle.

    $\frac{\gamma^2}M(V_\xi - \frac2M\phi_1^2)/\sum_{j\ge2}\phi_j^2$; infinite where only one $\phi$ is not zero: there
    the trap is a global minimum.

    Source: beyond the paper.
    """
    return portable.trap_criterion(signal_spectrum(task).tolist(), task.sigma, float(task.M))
