"""Inner products of the paper, over columns of V and rows of A, and what V says beyond mu.

Chapter `scb`. Paper: Ren, Wang, Lee (2024), arXiv 2410.23438, definition of alpha_V, alpha_A, Delta_V, Delta_A and
their recursions (proof overview of Theorem 3.1). Attention is stored by rows: A[..., k, :] = a^(k).
A point is V (..., N, N) and A (..., N, T), its task mu (..., N), P (..., N, N) and Q (..., N, T).
"""

import numpy as np
from numpy.typing import ArrayLike

from lib.errors import require
from lib.theory._arrays import Array, floats


def inner_V(mu: ArrayLike, M: ArrayLike, W: ArrayLike) -> Array:
    """Column-weighted inner product sum_k mu_k <M[:, k], W[:, k]> of matrices (..., N, N); unit 1.

    Source: the paper's <., .>_mu.
    """
    product = np.sum(floats(M) * floats(W), axis=-2)  # (..., N)
    return np.sum(floats(mu) * product, axis=-1)


def inner_A(mu: ArrayLike, A: ArrayLike, B: ArrayLike) -> Array:
    """Weighted inner product sum_k mu_k <a^(k), b^(k)> of attentions stored by rows (..., N, T); unit 1.

    Source: the paper's <., .>_mu, whose columns are our rows.
    """
    return np.sum(floats(mu) * np.sum(floats(A) * floats(B), axis=-1), axis=-1)


def centred(V: ArrayLike, mu: ArrayLike) -> Array:
    """Return U = V - (V mu) 1^T, shape (..., N, N): V without its mean output (U mu = 0).

    Source: the notation of the paper's R = P - mu 1^T, applied to V.
    """
    V = floats(V)
    require(V.ndim >= 2 and V.shape[-1] == V.shape[-2], "V", "shape (..., N, N)", V.shape)
    return V - np.einsum("...ij,...j->...i", V, floats(mu))[..., None]
