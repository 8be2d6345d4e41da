"""Signal coordinates: how far V and A have gone along the lines to P and Q, what lies beside them, and one step.

Chapter `scb`. Paper: Ren, Wang, Lee (2024), arXiv 2410.23438, definition of alpha_V, alpha_A, Delta_V, Delta_A and
their recursions (proof overview of Theorem 3.1). Attention is stored by rows: A[..., k, :] = a^(k).
A point is V (..., N, N) and A (..., N, T), its task mu (..., N), P (..., N, N) and Q (..., N, T).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from lib.errors import require
from lib.theory._arrays import Array, floats


class Coordinates(NamedTuple):
    """Signal coordinates of (V, A) and the parts outside the two signal lines."""

    alpha_V: Array  #: (...)        0 at the start, 1 at P
    alpha_A: Array  #: (...)        0 at uniform attention, 1 at Q
    delta_V: Array  #: (..., N, N)  V minus its point on the line
    delta_A: Array  #: (..., N, T)  A minus its point on the line
    delta_U: Array  #: (..., N, N)  the same for U = V - (V mu) 1^T


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


def signal_coordinates(V: ArrayLike, A: ArrayLike, mu: ArrayLike, P: ArrayLike, Q: ArrayLike) -> Coordinates:
    """Least-squares `Coordinates` (no units) of V on the line mu 1^T -> P and of A on the line 1/T -> Q.

    Raises:
        InputError: if A and Q do not agree in their last axes.

    Source: the paper's proof overview; alpha_V is written with U, so it holds for V mu != mu too (beyond the paper).
    """
    A, Q, mu = floats(A), floats(Q), floats(mu)
    require(A.shape[-2:] == Q.shape[-2:], "A", f"last axes {Q.shape[-2:]} as Q", A.shape)
    T = Q.shape[-1]
    U, R, goal = centred(V, mu), centred(P, mu), Q - 1.0 / T
    alpha_V = inner_V(mu, U, R) / inner_V(mu, R, R)
    alpha_A = inner_A(mu, A - 1.0 / T, goal) / inner_A(mu, goal, goal)
    delta_U = U - alpha_V[..., None, None] * R
    delta_V = floats(V) - mu[..., :, None] - alpha_V[..., None, None] * R
    delta_A = A - 1.0 / T - alpha_A[..., None, None] * goal
    return Coordinates(alpha_V, alpha_A, delta_V, delta_A, delta_U)


def one_step(
    V: ArrayLike,
    A: ArrayLike,
    mu: ArrayLike,
    P: ArrayLike,
    Q: ArrayLike,
    eta_V: ArrayLike,
    eta_A: ArrayLike,
    xi_V: ArrayLike | None = None,
    xi_A: ArrayLike | None = None,
) -> Coordinates:
    """Exact `Coordinates` after one plain step from (V, A), given the batch noise (zero: the expected part).

    Args:
        V, A, mu, P, Q: the point, unit sums, and its task.
        eta_V, eta_A: layer steps (...).
        xi_V: minibatch minus expected preconditioned gradient of V (..., N, N).
        xi_A: the same for A (..., N, T), rows sum to zero.

    Returns:
        `Coordinates`; delta_V is rebuilt from delta_U and the step of V mu.

    Raises:
        InputError: if A and Q do not agree in their last axes.

    Source: the paper's one-step recursions; exact form beyond the paper.
    """
    V, A, mu, Q = floats(V), floats(A), floats(mu), floats(Q)
    T = Q.shape[-1]
    hV, hA = floats(eta_V), floats(eta_A)
    xi_V = np.zeros_like(V) if xi_V is None else floats(xi_V)
    xi_A = np.zeros_like(A) if xi_A is None else floats(xi_A)
    now = signal_coordinates(V, A, mu, P, Q)
    R, goal = centred(P, mu), Q - 1.0 / T
    K_P, K_Q = inner_V(mu, R, R), inner_A(mu, goal, goal)
    x, y = now.alpha_V, now.alpha_A
    e, u = inner_A(mu, now.delta_A, now.delta_A), inner_V(mu, now.delta_U, now.delta_U)
    noise_x, noise_y = inner_V(mu, xi_V, R) / K_P, inner_A(mu, xi_A, goal) / K_Q
    alpha_V = x + hV * (K_Q * y * (1.0 - x * y) + (1.0 - x) / T - e * x) - hV * noise_x
    alpha_A = y + hA * (K_P * x * (1.0 - x * y) - u * y) - hA * noise_y
    xi_U = centred(xi_V, mu)  # what the noise does to V mu does not reach U
    beside_V = xi_U - noise_x[..., None, None] * R
    beside_A = xi_A - noise_y[..., None, None] * goal
    delta_U = _wide(1.0 - hV * (1.0 / T + y**2 * K_Q + e)) * now.delta_U - _wide(hV) * beside_V
    delta_A = _wide(1.0 - hA * (x**2 * K_P + u)) * now.delta_A - _wide(hA) * beside_A
    off = np.einsum("...ij,...j->...i", V, mu) - mu
    off = off - hV[..., None] * (off + np.einsum("...ij,...j->...i", xi_V, mu))
    return Coordinates(alpha_V, alpha_A, delta_U + off[..., :, None], delta_A, delta_U)


def _wide(value: Array) -> Array:
    return value[..., None, None]
