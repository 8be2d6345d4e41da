r"""The best linear attention without the MLP, by a search in d dimensions, and the gap that it leaves.

Chapter `linear_block`. Source: ours; arXiv 2402.14951, Theorem 4.1 states the gap up to a constant. Without the MLP
$\alpha = 0$. With $c \ne 0$ the block reads examples as if tasks had the *virtual mean* $\omega = v/c + \beta^*$, and
uses squared labels (through $p = cq$) as a bias. For a given $\omega$ the risk is quadratic in
$\Theta = [\tilde\Gamma, p]$: a linear system gives its minimum, and the slope in $\omega$ at the minimum is the slope
at fixed $\Theta$.
"""

import math
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

from lib.theory._arrays import Array
from lib.theory.linear_block import Effective, Task, label_variance, square_variance, step_moment


class Attention(NamedTuple):
    """Linear attention without the MLP, best for its virtual mean."""

    risk: float
    omega: Array  #: (d,) virtual mean
    p: Array  #: (d,) weight of the mean squared label
    Gamma: Array  #: (d, d) step matrix


def attention_at(task: Task, omega: Array) -> Attention:
    r"""The best attention for a virtual mean (d,); `task.mean` with p = 0 would be a step from zero.

    Its risk is $\tau + \lVert\beta^*\rVert_H^2 - \mathrm{tr}(HKG^{-1}K^\top)$.
    """
    return _solved(task, np.asarray(omega, dtype=float))[0]


def best_attention(task: Task) -> Attention:
    """The best attention: quasi-Newton searches over the virtual mean, from starts on both of its scales.

    The risk is sure, the virtual mean is not: for large prior means it can grow without end at no cost.

    Example:
        >>> from lib.models.linear_block import power_task
        >>> round(best_attention(power_task(d=8, M=20, sigma=0.5, norm=3.0)).risk, 3)
        4.319
    """
    size = float(np.sqrt(task.mean @ task.H @ task.mean))
    if size == 0:
        return attention_at(task, np.zeros_like(task.mean))
    other = math.sqrt(label_variance(task)) / size
    starts = [scale * task.mean for scale in (1.0, 0.5, 2.0, other, 0.3 * other, 3.0 * other)]

    def work(z: Array) -> tuple[float, Array]:
        found, slope = _solved(task, z)
        return found.risk, slope

    loudest = np.linalg.eigh(task.H)[1][:, -1]  # it can stand in for a mean of quiet features
    starts.append(2 * np.linalg.norm(task.mean) * loudest)
    *ends, last = [minimize(work, start, jac=True, method="BFGS", options={"gtol": 1e-9}) for start in starts]
    found = min(ends, key=lambda end: float(end.fun))
    return attention_at(task, last.x if last.fun < found.fun * (1 - 1e-9) else found.x)


def as_block(task: Task, attention: Attention) -> Effective:
    """The attention as effective parameters of a block, with c = 1 and alpha = 0."""
    omega, p = attention.omega, attention.p
    Q = (attention.Gamma - np.outer(p, omega + task.mean)).T
    return Effective(np.zeros_like(omega), omega - task.mean, np.array(1.0), Q, p)


def _solved(task: Task, omega: Array) -> tuple[Attention, Array]:
    """The best attention for a virtual mean, and the slope (d,) of its risk in the virtual mean."""
    H, Psi, mean, M, d = task.H, task.Psi, task.mean, task.M, len(task.mean)
    tau, spread = label_variance(task), square_variance(task)
    HPH = H @ Psi @ H
    Ho, HPHo = H @ omega, HPH @ omega
    b, bias = float(omega @ Ho), float(omega @ HPHo)
    mu = np.append(Ho, tau - b)
    G = np.outer(mu, mu)
    G[:d, :d] += (np.outer(Ho, Ho) + b * H) / M + step_moment(task, Psi)
    mixed = 2 / M * (HPHo - b * Ho)
    G[:d, d] += mixed
    G[d, :d] += mixed
    G[d, d] += spread + 2 * b**2 / M - 4 / M * bias
    K = np.outer(mean, mu)
    K[:, :d] += Psi @ H
    Theta = np.linalg.lstsq(G, K.T, rcond=None)[0].T  # a singular H makes G singular; K lies in its range
    risk = tau + mean @ H @ mean - np.sum((H @ K) * Theta)
    Gamma, p = Theta[:, :d], Theta[:, d]
    m = Theta @ mu - mean
    Hm, Hp = H @ m, H @ p
    P, cross, own = Gamma.T @ H @ Gamma, Gamma.T @ Hp, float(p @ Hp)
    slope = 2 * (H @ Gamma.T @ Hm - 2 * Ho * (p @ Hm))
    slope += 2 / M * (H @ P @ Ho + Ho * np.sum(P * H))
    slope += 4 / M * (HPH @ cross - b * H @ cross - 2 * Ho * (cross @ Ho))
    slope += 8 / M * own * (b * Ho - HPHo)
    return Attention(float(risk), omega, p, Gamma), slope
