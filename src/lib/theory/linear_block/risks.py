r"""Moments of a prompt, and risks in closed form: of any block, of one gradient step, at any length of the prompt.

Chapter `linear_block`. Source: arXiv 2402.14951, Section 3 (the block, the risk), Lemma H.4 (Gaussian moments); the
others are ours. $S = X^\top X/M$, $\delta = \tilde\beta - \beta^*$, $\xi = \lVert X\delta + \varepsilon\rVert^2/M$.
With $a = \alpha - \beta^*$, $w = v + c\beta^*$, $N = Q^\top + q\beta^{*\top}$, $p = cq$ and $\tilde\Gamma = cQ^\top +
q(w + c\beta^*)^\top$ the error of a block is $x^\top[a + NSw + p\xi] + x^\top[\tilde\Gamma(S\delta +
X^\top\varepsilon/M) - \delta]$: one part even in $(\delta, \varepsilon)$, one odd, so uncorrelated. A risk is a mean
squared error at the query, label noise included.
"""

from typing import NamedTuple, Protocol

import numpy as np

from lib.errors import require
from lib.theory._arrays import Array
from lib.theory.linear_block import portable


class Task(Protocol):
    """What theory reads of a task; `lib.models.linear_block.Task` is one, and checks it."""

    @property
    def H(self) -> Array:
        """(d, d) feature covariance, positive semi-definite."""

    @property
    def Psi(self) -> Array:
        """(d, d) task covariance, positive semi-definite."""

    @property
    def H_root(self) -> Array:
        """(d, d) principal square root of H."""

    @property
    def Psi_root(self) -> Array:
        """(d, d) principal square root of Psi."""

    @property
    def mean(self) -> Array:
        """(d,) prior mean of the task vector."""

    @property
    def sigma(self) -> float:
        """Standard deviation of the label noise."""

    @property
    def M(self) -> int:
        """Labelled examples in a prompt."""


class Effective(NamedTuple):
    """What the output of a block depends on; leading axes are blocks."""

    alpha: Array  #: (..., d) what the residual copy of the query is worth
    v: Array  #: (..., d) value of an example by its features
    c: Array  #: (...,) value of an example by its label
    Q: Array  #: (..., d, d) score of an example's features for the query
    q: Array  #: (..., d) score of an example's label for the query


def isotropic(task: Task) -> float:
    r"""$\psi$, the variance of a task vector's entry, where $H = I$ and $\Psi = \psi I$.

    Raises:
        InputError: if the task is not isotropic.

    Source: ours.
    """
    d, psi = len(task.H), float(task.Psi[0, 0])
    require(np.array_equal(task.H, np.eye(d)), "H", "the identity", task.H)
    require(np.array_equal(task.Psi, psi * np.eye(d)), "Psi", "a multiple of the identity", task.Psi)
    return psi


def check_normals(task: Task, normals: Array) -> None:
    """Refuse standard normal numbers that are not (n, M, d), the features of n contexts.

    Raises:
        InputError: if they have another shape.

    Source: ours.
    """
    shape = (task.M, len(task.H))
    good = np.ndim(normals) == 3 and normals.shape[1:] == shape
    require(good, "normals", f"(n, {shape[0]}, {shape[1]})", np.shape(normals))


def signal_spectrum(task: Task) -> Array:
    r"""(d,) eigenvalues $\phi_1 \ge \dots \ge \phi_d$ of $\Psi^{1/2}H\Psi^{1/2}$, those of $H^{1/2}\Psi H^{1/2}$.

    Source: arXiv 2402.14951, Theorem 5.2.
    """
    return np.clip(np.linalg.eigvalsh(task.Psi_root @ task.H @ task.Psi_root)[::-1], 0.0, None)


def sandwich(A: Array, H: Array, M: int) -> Array:
    r"""$E[SAS] = HAH + \frac1M(HA^\top H + \mathrm{tr}(HA)H)$ (d, d) of M normal rows of covariance H, for A (d, d).

    Source: arXiv 2402.14951, Lemma H.4; the form for matrices that are not symmetric is ours.
    """
    return H @ A @ H + (H @ A.T @ H + np.sum(H * A.T) * H) / M


def step_moment(task: Task, A: Array, noise: bool = True) -> Array:
    r"""$B(A) = \frac{M+1}{M}HAH + \frac{\mathrm{tr}(HA) + \sigma^2}{M}H$: moment of $S\delta + X^\top\varepsilon/M$.

    Args:
        task: the task.
        A: (..., d, d) second moment of $\delta$, symmetric; Psi gives $\bar\Omega$.
        noise: without it $\varepsilon = 0$.

    Source: arXiv 2402.14951, Lemma H.4.
    """
    H, M = task.H, task.M
    trace = np.sum(H * A, axis=(-2, -1)) + task.sigma**2 * noise
    return (M + 1) / M * H @ A @ H + trace[..., None, None] / M * H


def label_variance(task: Task) -> float:
    r"""$\tau = \sigma^2 + \mathrm{tr}(H\Psi)$: variance of a label about the prior mean's, which is its risk.

    Source: arXiv 2402.14951, Theorem 5.2, where it damps the best step.
    """
    return portable.label_variance(signal_spectrum(task).tolist(), task.sigma)


def square_variance(task: Task) -> float:
    r"""$V_\xi = 2\kappa + \frac2M(\tau^2 + 2\kappa)$, the variance of $\xi$; $\kappa = \sum\phi_i^2$.

    Source: beyond the paper.
    """
    return portable.square_variance(signal_spectrum(task).tolist(), task.sigma, float(task.M))


def block_risk(task: Task, block: Effective) -> Array:
    """Risk (...,) of blocks.

    Source: beyond the paper, by its Section 3 and Lemma H.4.
    """
    return block_risk_and_gradient(task, block)[0]


def block_risk_and_gradient(task: Task, block: Effective) -> tuple[Array, Effective]:
    """The risk (...,) of blocks, a polynomial in the five parameters, and its gradient, shaped like the block.

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
    r"""Risk (...,) of a gradient step from $\beta$ (..., d) with step matrix $\Gamma$ (..., d, d).

    $\sigma^2 + \mathrm{tr}(HA) - 2\mathrm{tr}(H\Gamma HA) + \mathrm{tr}(H\Gamma B(A)\Gamma^\top)$ with $A = \Psi +
    (\beta - \beta^*)(\beta - \beta^*)^\top$. Of a step made for another length M it is the risk at this one.

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
