r"""Risks in closed form: of any block, of one gradient step, at any length of the prompt.

Chapter `linear_block`. Source: ours, from arXiv 2402.14951, Section 3 (the block, the risk) and Lemma H.4 (moments).
With $a = \alpha - \beta^*$, $w = v + c\beta^*$, $N = Q^\top + q\beta^{*\top}$, $p = cq$ and $\tilde\Gamma = cQ^\top +
q(w + c\beta^*)^\top$ the error of a block is $x^\top[a + NSw + p\xi] + x^\top[\tilde\Gamma(S\delta +
X^\top\varepsilon/M) - \delta]$: one part even in $(\delta, \varepsilon)$, one odd, so uncorrelated. A risk is a mean
squared error at the query, label noise included.
"""

from typing import NamedTuple

import numpy as np

from lib.theory._arrays import Array
from lib.theory.linear_block import portable
from lib.theory.linear_block.moments import Task, signal_spectrum, step_moment


class Effective(NamedTuple):
    """What the output of a block depends on; leading axes are blocks."""

    alpha: Array  #: (..., d) what the residual copy of the query is worth
    v: Array  #: (..., d) value of an example by its features
    c: Array  #: (...,) value of an example by its label
    Q: Array  #: (..., d, d) score of an example's features for the query
    q: Array  #: (..., d) score of an example's label for the query


def block_risk(task: Task, block: Effective) -> Array:
    """Risk (...,) of blocks; see `block_risk_and_gradient`.

    Source: beyond the paper, by its Section 3 and Lemma H.4.
    """
    return block_risk_and_gradient(task, block)[0]


def block_risk_and_gradient(task: Task, block: Effective) -> tuple[Array, Effective]:
    """The risk of blocks on the whole population, and its gradient: a polynomial in the five parameters.

    Args:
        task: the task.
        block: effective parameters, see `Effective`.

    Returns:
        The risk (...,), and the gradient, shaped like the block.

    Source: beyond the paper, by its Section 3 and Lemma H.4.
    """
    H, Psi, mean, M = task.H, task.Psi, task.mean, task.M
    phi, Omega = signal_spectrum(task).tolist(), step_moment(task, Psi)
    tau, spread = portable.label_variance(phi, task.sigma), portable.square_variance(phi, task.sigma, float(M))
    alpha, v, c, Q, q = (np.asarray(x, dtype=float) for x in block)
    w, p = v + c[..., None] * mean, c[..., None] * q
    N = _transposed(Q) + _outer(q, mean)
    G = c[..., None, None] * _transposed(Q) + _outer(q, w + c[..., None] * mean)
    Hw, HPHw = w @ H, w @ (H @ Psi @ H)
    u = _times(N, Hw)
    m = alpha - mean + u + tau * p
    HN, HG, Hu, Hm, Hp = H @ N, H @ G, u @ H, m @ H, p @ H
    ww, NN = _dot(w, Hw), np.sum((HN @ H) * N, axis=(-2, -1))
    risk = tau - 2 * np.sum(HG * (Psi @ H), axis=(-2, -1)) + np.sum((HG @ Omega) * G, axis=(-2, -1))
    risk = risk + _dot(m, Hm) + (_dot(u, Hu) + ww * NN) / M + 4 / M * _dot(p, _times(HN, HPHw)) + spread * _dot(p, Hp)

    dG = 2 * (HG @ Omega - H @ Psi @ H)
    dm = 2 * Hm
    du = dm + 2 / M * Hu
    dp = tau * dm + 4 / M * _times(HN, HPHw) + 2 * spread * Hp
    dN = 2 / M * ww[..., None, None] * (HN @ H) + _outer(du, Hw) + 4 / M * _outer(Hp, HPHw)
    dw = 2 / M * NN[..., None] * Hw + _times(_transposed(N), du) @ H
    dw = dw + 4 / M * _times(_transposed(N), Hp) @ (H @ Psi @ H) + _times(_transposed(dG), q)
    dc = np.sum(_transposed(Q) * dG, axis=(-2, -1)) + _dot(q, _times(dG, mean)) + _dot(dp, q) + dw @ mean
    dq = _times(dG, w + c[..., None] * mean) + _times(dN, mean) + c[..., None] * dp
    dQ = _transposed(c[..., None, None] * dG + dN)
    return risk, Effective(dm, dw, dc, dQ, dq)


def step_risk(task: Task, beta: Array, Gamma: Array) -> Array:
    r"""Risk of one gradient step from $\beta$ with step matrix $\Gamma$, evaluated at the task's length M.

    Args:
        task: the task; at another length than the one that $\Gamma$ was made for, the risk there.
        beta: (..., d) start.
        Gamma: (..., d, d) step matrix.

    Returns:
        (...,) $\sigma^2 + \mathrm{tr}(HA) - 2\mathrm{tr}(H\Gamma HA) + \mathrm{tr}(H\Gamma B(A)\Gamma^\top)$ with
        $A = \Psi + (\beta - \beta^*)(\beta - \beta^*)^\top$.

    Source: beyond the paper, by its equation 5.1 and Lemma H.4.
    """
    H, Delta = task.H, np.asarray(beta, dtype=float) - task.mean
    A = task.Psi + _outer(Delta, Delta)
    HG = H @ np.asarray(Gamma, dtype=float)
    risk = task.sigma**2 + np.sum(H * A, axis=(-2, -1)) - 2 * np.sum((HG @ H) * A, axis=(-2, -1))
    return risk + np.sum((HG @ step_moment(task, A)) * Gamma, axis=(-2, -1))


def long_risk(task: Task, beta: Array, Gamma: Array) -> float:
    r"""The risk of a given step on endless prompts: $\sigma^2 + \mathrm{tr}(H(I - \Gamma H)A(I - \Gamma H)^\top)$.

    Source: beyond the paper.
    """
    H, Delta = task.H, beta - task.mean
    left = np.eye(len(H)) - Gamma @ H
    A = task.Psi + np.outer(Delta, Delta)
    return float(task.sigma**2 + np.sum((H @ left @ A) * left))


def _outer(a: Array, b: Array) -> Array:
    return a[..., :, None] * b[..., None, :]


def _dot(a: Array, b: Array) -> Array:
    return np.sum(a * b, axis=-1)


def _times(A: Array, x: Array) -> Array:
    return np.matmul(A, x[..., None])[..., 0]


def _transposed(A: Array) -> Array:
    return np.swapaxes(A, -1, -2)
