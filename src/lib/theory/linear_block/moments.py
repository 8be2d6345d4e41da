r"""The moments of a prompt that every risk is made of: $\tau$, $\phi$, $\bar\Omega$, $E[SAS]$.

Chapter `linear_block`. Source: Zhang, Wu, Bartlett, arXiv 2402.14951, Lemma H.4 (Gaussian moments); the others are
ours. $S = X^\top X/M$, $\delta = \tilde\beta - \beta^*$, $\xi = \lVert X\delta + \varepsilon\rVert^2/M$.
"""

from typing import Protocol

import numpy as np

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


def signal_spectrum(task: Task) -> Array:
    r"""(d,) eigenvalues $\phi_1 \ge \dots \ge \phi_d$ of $\Psi^{1/2}H\Psi^{1/2}$, those of $H^{1/2}\Psi H^{1/2}$.

    Source: arXiv 2402.14951, Theorem 5.2.
    """
    return np.clip(np.linalg.eigvalsh(task.Psi_root @ task.H @ task.Psi_root)[::-1], 0.0, None)


def sandwich(A: Array, H: Array, M: int) -> Array:
    r"""$E[SAS]$ for $S = X^\top X/M$ of M Gaussian rows.

    Args:
        A: (d, d), symmetric or not.
        H: (d, d) covariance of a row.
        M: rows, at least 1.

    Returns:
        (d, d) $HAH + \frac1M(HA^\top H + \mathrm{tr}(HA)H)$.

    Source: arXiv 2402.14951, Lemma H.4; the form for matrices that are not symmetric is ours.
    """
    return H @ A @ H + (H @ A.T @ H + np.sum(H * A.T) * H) / M


def step_moment(task: Task, A: Array) -> Array:
    r"""$B(A) = \frac{M+1}{M}HAH + \frac{\mathrm{tr}(HA) + \sigma^2}{M}H$: moment of $S\delta + X^\top\varepsilon/M$.

    Args:
        task: the task.
        A: (..., d, d) second moment of $\delta$, symmetric; Psi gives $\bar\Omega$.

    Source: arXiv 2402.14951, Lemma H.4.
    """
    H, M = task.H, task.M
    trace = np.sum(H * A, axis=(-2, -1)) + task.sigma**2
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
