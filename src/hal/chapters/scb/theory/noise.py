"""How noisy one minibatch gradient is: at the start exactly, later to leading order in the context length T.

Chapter `scb`: why plain SGD pays for long contexts, why entrywise thresholding works. All of it is beyond the paper
(Ren, Wang, Lee 2024, arXiv 2410.23438), which bounds these quantities. A point is V (..., N, N) and A (..., N, T), its
task mu (..., N), P (..., N, N) and Q (..., N, T); `batch` counts samples a step (...), one by default. Energies are
squared norms in the weights mu, no unit; a batch or rate that is not positive is refused (`InputError`).
"""

import numpy as np
from numpy.typing import ArrayLike

from lib.theory._arrays import Array, floats, positive
from lib.theory.scb import centred, inner_V


def attention_coordinate_variance(
    V: ArrayLike, A: ArrayLike, mu: ArrayLike, P: ArrayLike, Q: ArrayLike, batch: ArrayLike = 1
) -> Array:
    """Variance (..., N) of one entry of the attention gradient of row k, tr(M E_k) / (mu_k B): it does not grow with T.

    M = U D U^T, and E_k = S + |a|^2 M - <a, q> (U D R^T + R D U^T) is the covariance of the residual; leading order in
    T.
    """
    mu, A = floats(mu), floats(A)
    U, R = centred(V, mu), centred(P, mu)
    S = mu[..., :, None] * np.eye(mu.shape[-1]) - mu[..., :, None] * mu[..., None, :]
    M = np.einsum("...ij,...j,...kj->...ik", U, mu, U)
    UDR = np.einsum("...ij,...j,...kj->...ik", U, mu, R)
    norm_a2 = np.sum(A * A, axis=-1)[..., None, None]  # (..., N, 1, 1)
    overlap = np.sum(A * floats(Q), axis=-1)[..., None, None]
    cross = (UDR + np.swapaxes(UDR, -1, -2))[..., None, :, :]
    E = S[..., None, :, :] + norm_a2 * M[..., None, :, :] - overlap * cross
    return np.einsum("...ij,...kji->...k", M, E) / (mu * positive(batch, "batch")[..., None])


def attention_noise_energy(
    V: ArrayLike, A: ArrayLike, mu: ArrayLike, P: ArrayLike, Q: ArrayLike, batch: ArrayLike = 1
) -> Array:
    """Mean squared norm E|g_A|_mu^2 (...) of the attention gradient noise, T sum_k tr(M E_k) / B: it grows like T.

    Leading order in T.
    """
    variance = attention_coordinate_variance(V, A, mu, P, Q, batch)
    return np.shape(A)[-1] * np.sum(floats(mu) * variance, axis=-1)


def start_noise_energy_V(
    mu: ArrayLike, P: ArrayLike, T: float, batch: ArrayLike = 1, keep_marginal: bool = False
) -> Array:
    """Exact E|g_V|_mu^2 (...) at the start: (1 - |mu|^2) (1 + (N-1)/T) - 2 mu^T R 1 / T^2 for one sample.

    The last term is zero for uniform tokens: it comes from labels that are likelier after some tokens. The squared mean
    K_P / T^2 does not average out with the batch and is included. With the right projector, `keep_marginal`, the
    leading 1 goes and only (N-1)/T remains in the bracket. The attention gradient at the start is zero for every
    sample.
    """
    mu, R = floats(mu), centred(P, mu)
    mean2, label = inner_V(mu, R, R) / T**2, 2.0 * np.einsum("...i,...ij->...", mu, R) / T**2
    tr_S = 1.0 - np.sum(mu * mu, axis=-1)
    single = tr_S * ((mu.shape[-1] - 1) / T + (0.0 if keep_marginal else 1.0)) - label
    return mean2 + (single - mean2) / positive(batch, "batch")
