r"""The best step, and the rivals that need no search: the step from zero, Bayes, least squares, their rates.

Chapter `linear_block`. Source: arXiv 2402.14951, Theorem 5.2 (best step), Lemma 6.1 (Bayes), Corollary 6.2 (rate); the
forms that need no inverse of a covariance, the explicit constants and least squares' risk are ours (the last is
textbook knowledge). Covariances may be singular.
"""

import math

import numpy as np

from lib.errors import require
from lib.theory._arrays import Array, floats
from lib.theory.linear_block import portable
from lib.theory.linear_block.risks import Task, check_normals, label_variance, signal_spectrum


def best_step(task: Task) -> Array:
    r"""The step matrix (d, d) of the best one-step estimator, which starts at the prior mean.

    $\Gamma^* = \Psi^{1/2}(\frac{M+1}{M}\Psi^{1/2}H\Psi^{1/2} + \frac\tau MI)^{-1}\Psi^{1/2}$, symmetric; zero where
    $\tau = 0$, as every step is best there.

    Source: arXiv 2402.14951, Theorem 5.2.
    """
    if label_variance(task) == 0:
        return np.zeros_like(task.H)
    value, vector = np.linalg.eigh(task.Psi_root @ task.H @ task.Psi_root)
    gains = portable.best_gains(np.clip(value, 0.0, None).tolist(), 1.0, task.sigma, float(task.M))
    root = task.Psi_root @ vector
    step = root * gains @ root.T
    return (step + step.T) / 2


def best_risk(task: Task) -> float:
    r"""$R^* = \sigma^2 + \sum_i\frac{\phi_i(\tau + \phi_i)}{\tau + (M+1)\phi_i}$, of the best step and best block.

    Source: arXiv 2402.14951, Theorems 5.2 and 5.3.
    """
    return portable.best_risk(signal_spectrum(task).tolist(), task.sigma, float(task.M))


def zero_start_risk(task: Task) -> float:
    r"""The risk of the best step from zero: that of the best step with $\Psi + \beta^*\beta^{*\top}$ for $\Psi$.

    Source: beyond the paper.
    """
    F = np.concatenate([task.Psi_root, floats(task.mean)[:, None]], axis=1)  # FF' is that moment
    phi = np.clip(np.linalg.eigvalsh(F.T @ task.H @ F)[::-1], 0.0, None)
    return portable.best_risk(phi.tolist(), task.sigma, float(task.M))


def prior_risk(task: Task) -> float:
    r"""The risk $\tau$ of the predictor $x^\top\beta^*$, which reads no example.

    Source: arXiv 2402.14951, Section 3.
    """
    return label_variance(task)


def bayes_risk(task: Task, normals: Array) -> float:
    r"""The Bayes risk, averaged over contexts: far less noisy than an average of squared errors.

    Args:
        task: the task.
        normals: (n, M, d) standard normal numbers; context i is `normals[i] @ task.H_root`. The same numbers at two
            settings make the difference of the two risks smooth.

    Returns:
        Mean of $\sigma^2 + \sigma^2\mathrm{tr}(\Psi^{1/2}H\Psi^{1/2}(\Psi^{1/2}X^\top X\Psi^{1/2} + \sigma^2I)^{-1})$,
        and its limit where $\sigma = 0$.

    Raises:
        InputError: if the normals are not (n, M, d).

    Source: arXiv 2402.14951, Lemma 6.1.
    """
    return float(np.mean(bayes_risks(task, normals)))


def bayes_risks(task: Task, normals: Array) -> Array:
    """The Bayes risk (n,) given each context; arguments and errors as in `bayes_risk`.

    Source: arXiv 2402.14951, Lemma 6.1.
    """
    check_normals(task, normals)
    Z = normals @ (task.H_root @ task.Psi_root)
    value, vector = np.linalg.eigh(np.swapaxes(Z, -1, -2) @ Z)
    value = np.clip(value, 0.0, None)
    signal = np.einsum("nij,ik,nkj->nj", vector, task.Psi_root @ task.H @ task.Psi_root, vector)
    noise = task.sigma**2
    if noise > 0:
        unread = noise / (value + noise)
    else:  # what no example points to stays unknown
        unread = (value <= 1e-10 * np.maximum(value.max(axis=-1, keepdims=True), 1e-300)).astype(float)
    return noise + np.sum(unread * signal, axis=-1)


def bayes_floor(task: Task) -> float:
    r"""Below the Bayes risk, by Jensen: $\sigma^2 + \sum_i\frac{\phi_i\sigma^2}{\sigma^2 + M\phi_i}$.

    Source: arXiv 2402.14951, Section 6; this form is ours.
    """
    return portable.bayes_floor(signal_spectrum(task).tolist(), task.sigma, float(task.M))


def least_squares_risk(task: Task) -> float:
    r"""Risk of the least-squares estimator of smallest norm.

    For $M \ge d + 2$ and any invertible H: $\sigma^2(1 + \frac d{M-d-1})$. For $M \le d - 2$ and $H = I$:
    $\sigma^2 + (1 - \frac Md)(\mathrm{tr}\Psi + \lVert\beta^*\rVert^2) + \sigma^2\frac M{d-M-1}$. Between them it is
    infinite, unless the noise is zero.

    Raises:
        InputError: if H is singular, or M <= d - 2 and H is not the identity.

    Source: textbook knowledge (moments of inverse Wishart matrices).
    """
    H, M, d = task.H, task.M, len(task.H)
    require(d + 2 > M or np.linalg.matrix_rank(H) == d, "H", "an invertible covariance", H)
    h, psi = np.linalg.eigvalsh(H).tolist(), float(np.trace(task.Psi)) / d
    risk = portable.least_squares_risk(h, psi, floats(task.mean).tolist(), task.sigma, M)
    require(not math.isnan(risk), "H", f"the identity for M = {M} below d = {d}", H)
    return risk


def rate_bounds(task: Task) -> tuple[Array, Array, Array]:
    r"""Terms (d,) of $R^* - \sigma^2$, and below and above them (d,): half and twice $\min\{\phi_i, \tau/(M+1)\}$.

    Source: arXiv 2402.14951, Corollary 6.2; the constants are ours.
    """
    phi = signal_spectrum(task)
    small = np.minimum(phi, label_variance(task) / (task.M + 1))
    return floats(portable.best_terms(phi.tolist(), task.sigma, float(task.M))), small / 2, 2 * small


def bayes_ratio_bound(task: Task) -> float:
    r"""$(\tau + \phi_1)/\sigma^2$: at most so many times the excess of Bayes is that of the best step, over $\sigma^2$.

    Isotropic tasks reach it as M grows. Infinite where the noise is zero.

    Source: arXiv 2402.14951, Corollary 6.2; the constant is ours.
    """
    return portable.bayes_ratio_bound(signal_spectrum(task).tolist(), task.sigma)
