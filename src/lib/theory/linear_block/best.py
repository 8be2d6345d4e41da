r"""The best step, and the rivals that need no search: the step from zero, Bayes, least squares, their rates.

Chapter `linear_block`. Source: arXiv 2402.14951, Theorem 5.2 (best step), Lemma 6.1 (Bayes), Corollary 6.2 (rate); the
forms that need no inverse of a covariance, the explicit constants and least squares' risk are ours (the last is
textbook knowledge). Covariances may be singular.
"""

from __future__ import annotations

import math

import numpy as np

from lib.errors import require

from .._arrays import Array, floats
from .moments import Task, label_variance, signal_spectrum


def best_step(task: Task) -> Array:
    r"""The step matrix of the best one-step estimator, which starts at the prior mean (Theorem 5.2).

    Returns:
        (d, d) $\Gamma^* = \Psi^{1/2}(\frac{M+1}{M}\Psi^{1/2}H\Psi^{1/2} + \frac\tau MI)^{-1}\Psi^{1/2}$, symmetric;
        zero where $\tau = 0$, as every step is best there.
    """
    return _best_step(task, task.Psi_root)


def best_risk(task: Task) -> float:
    r"""$R^* = \sigma^2 + \sum_i\frac{\phi_i(\tau + \phi_i)}{\tau + (M+1)\phi_i}$, of the best step and best block."""
    return _best_risk(signal_spectrum(task), task)


def zero_start_step(task: Task) -> Array:
    r"""The best step matrix (d, d) from $\beta = 0$: `best_step` with $\Psi + \beta^*\beta^{*\top}$ for $\Psi$."""
    return _best_step(task, _with_mean(task))


def zero_start_risk(task: Task) -> float:
    """The risk of the best step from zero."""
    F = _with_mean(task)
    return _best_risk(np.clip(np.linalg.eigvalsh(F.T @ task.H @ F), 0.0, None), task)


def prior_risk(task: Task) -> float:
    r"""The risk $\tau$ of the predictor $x^\top\beta^*$, which reads no example."""
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
    """
    return float(np.mean(bayes_risks(task, normals)))


def bayes_risks(task: Task, normals: Array) -> Array:
    """The Bayes risk (n,) given each context; arguments and errors as in `bayes_risk`."""
    shape = (task.M, len(task.H))
    require(
        np.ndim(normals) == 3 and normals.shape[1:] == shape, "normals", f"(n, {shape[0]}, {shape[1]})", normals.shape
    )
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
    r"""Below the Bayes risk, by Jensen: $\sigma^2 + \sum_i\frac{\phi_i\sigma^2}{\sigma^2 + M\phi_i}$."""
    phi, noise = signal_spectrum(task), task.sigma**2
    read = noise + task.M * phi
    return float(noise + np.sum(np.divide(phi * noise, read, out=np.zeros_like(phi), where=read > 0)))


def least_squares_risk(task: Task) -> float:
    r"""Risk of the least-squares estimator of smallest norm.

    For $M \ge d + 2$ and any invertible H: $\sigma^2(1 + \frac d{M-d-1})$. For $M \le d - 2$ and $H = I$:
    $\sigma^2 + (1 - \frac Md)(\mathrm{tr}\Psi + \lVert\beta^*\rVert^2) + \sigma^2\frac M{d-M-1}$. Between them it is
    infinite, unless the noise is zero.

    Raises:
        InputError: if H is singular, or M <= d - 2 and H is not the identity.
    """
    H, M, d, noise = task.H, task.M, len(task.H), task.sigma**2
    spare = M - d
    if spare >= 2:
        require(np.linalg.matrix_rank(H) == d, "H", "an invertible covariance", H)
        return float(noise * (1 + d / (spare - 1)))
    if spare >= 0 and noise == 0:
        return 0.0
    if spare >= -1 and noise > 0:
        return math.inf
    require(np.array_equal(H, np.eye(d)), "H", f"the identity for M = {M} below d = {d}", H)
    missed = (1 - M / d) * (np.trace(task.Psi) + task.mean @ task.mean)
    return float(noise + missed + (noise * M / (d - M - 1) if noise > 0 else 0.0))


def rate_bounds(task: Task) -> tuple[Array, Array, Array]:
    r"""The terms of $R^* - \sigma^2$ with their bounds (Corollary 6.2 with constants).

    Returns:
        Terms (d,), and below and above them (d,): half and twice $\min\{\phi_i, \tau/(M+1)\}$.
    """
    phi, tau, M = signal_spectrum(task), label_variance(task), task.M
    small = np.minimum(phi, tau / (M + 1))
    return _terms(phi, tau, M), small / 2, 2 * small


def bayes_ratio_bound(task: Task) -> float:
    r"""$(\tau + \phi_1)/\sigma^2$: at most so many times the excess of Bayes is that of the best step, over $\sigma^2$.

    Isotropic tasks reach it as M grows. Infinite where the noise is zero.
    """
    noise = task.sigma**2
    return (label_variance(task) + float(signal_spectrum(task)[0])) / noise if noise > 0 else math.inf


def _with_mean(task: Task) -> Array:
    r"""A factor F (d, d + 1) of $\Psi + \beta^*\beta^{*\top} = FF^\top$."""
    return np.concatenate([task.Psi_root, floats(task.mean)[:, None]], axis=1)


def _best_step(task: Task, F: Array) -> Array:
    r"""`best_step` where the second moment of the task about the start is $FF^\top$."""
    inner, M = F.T @ task.H @ F, task.M
    tau = task.sigma**2 + np.trace(inner)
    if tau == 0:
        return np.zeros_like(task.H)
    step = F @ np.linalg.solve((M + 1) / M * inner + tau / M * np.eye(len(inner)), F.T)
    return (step + step.T) / 2


def _best_risk(phi: Array, task: Task) -> float:
    noise = task.sigma**2
    return float(noise + np.sum(_terms(phi, float(noise + np.sum(phi)), task.M)))


def _terms(phi: Array, tau: float, M: int) -> Array:
    return phi * (tau + phi) / (tau + (M + 1) * phi) if tau > 0 else np.zeros_like(phi)
