"""Exact expectations of the sparse contextual bigram: gradients, loss, the law of generated tokens; nothing samples.

Chapter `scb`. Paper: Ren, Wang, Lee (2024), arXiv 2410.23438, population gradients in the proof overview of Theorem
3.1; the form with U for V mu != mu, the exact loss, and labels fed back as tokens are beyond the paper.
A point is V (..., N, N) and A (..., N, T), its task mu (..., N), P (..., N, N) and Q (..., N, T). Gradients and loss,
in squared error, need unit column sums of V and unit row sums of A, and hold for every such point.
"""

import numpy as np
from numpy.typing import ArrayLike

from lib.errors import require
from lib.theory._arrays import Array, floats, positive
from lib.theory.scb.coordinates import centred, inner_A, inner_V

_SUMS = 1e-6  # allows the rounding of long float32 runs, refuses a wrong layout


def expected_gradient_V(
    V: ArrayLike, A: ArrayLike, mu: ArrayLike, P: ArrayLike, Q: ArrayLike, keep_marginal: bool = False
) -> Array:
    """Expected preconditioned gradient of V (..., N, N): |A|^2 U - <A,Q> R + (V mu - mu) 1^T.

    `keep_marginal` is with the right projector I - mu 1^T, which drops the last term and keeps V mu.

    Raises:
        InputError: if the sums of V or A are not one.

    Source: the paper's population gradient of V.
    """
    V, A, mu = _point(V, A, mu)
    U, R = centred(V, mu), centred(P, mu)
    gradient = inner_A(mu, A, A)[..., None, None] * U - inner_A(mu, A, Q)[..., None, None] * R
    if keep_marginal:
        return gradient
    return gradient + (np.einsum("...ij,...j->...i", V, mu) - mu)[..., :, None]


def expected_gradient_A(V: ArrayLike, A: ArrayLike, mu: ArrayLike, P: ArrayLike, Q: ArrayLike) -> Array:
    """Expected preconditioned, projected gradient of A (..., N, T): |U|^2 (A - 1/T) - <U,R> (Q - 1/T).

    Raises:
        InputError: if the sums of V or A are not one.

    Source: the paper's population gradient of A (eq. 10 is its entry t on the signal line).
    """
    V, A, mu = _point(V, A, mu)
    U, R = centred(V, mu), centred(P, mu)
    T = A.shape[-1]
    return inner_V(mu, U, U)[..., None, None] * (A - 1.0 / T) - inner_V(mu, U, R)[..., None, None] * (
        floats(Q) - 1.0 / T
    )


def irreducible_loss(mu: ArrayLike, P: ArrayLike, Q: ArrayLike) -> Array:
    """Loss of the best model, L* = (1 - |mu|^2 - K_P |Q|_mu^2) / 2, shape (...), squared error.

    Source: beyond the paper (exact form).
    """
    mu, R = floats(mu), centred(P, floats(mu))
    return 0.5 * (1.0 - np.sum(mu * mu, axis=-1) - inner_V(mu, R, R) * inner_A(mu, Q, Q))


def population_loss(V: ArrayLike, A: ArrayLike, mu: ArrayLike, P: ArrayLike, Q: ArrayLike) -> Array:
    """Exact expected loss (...), squared error: rank-one tensor factorisation of R (x) Q, plus L* and a marginal term.

    Raises:
        InputError: if the sums of V or A are not one.

    Source: beyond the paper (exact form for all V, A).
    """
    V, A, mu = _point(V, A, mu)
    U, R = centred(V, mu), centred(P, mu)
    marginal = np.einsum("...ij,...j->...i", V, mu) - mu
    tensor = (
        inner_A(mu, A, A) * inner_V(mu, U, U)
        - 2.0 * inner_A(mu, A, Q) * inner_V(mu, U, R)
        + inner_A(mu, Q, Q) * inner_V(mu, R, R)
    )
    return irreducible_loss(mu, P, Q) + 0.5 * np.sum(marginal**2, axis=-1) + 0.5 * tensor


def excess_loss(
    alpha_V: ArrayLike,
    alpha_A: ArrayLike,
    K_P: ArrayLike,
    K_Q: ArrayLike,
    T: ArrayLike,
    delta_U2: ArrayLike = 0.0,
    delta_A2: ArrayLike = 0.0,
) -> Array:
    """Exact L - L* (...), squared error, from signal coordinates and energies beside the lines (for V mu = mu).

    Args:
        alpha_V, alpha_A: (...).
        K_P, K_Q: transition and attention signal (...).
        T: context length in tokens (...).
        delta_U2, delta_A2: |Delta_U|_mu^2 and |Delta_A|_mu^2 (...); where they are 0 the loss is
            K_P K_Q (1 - alpha_A alpha_V)^2 / 2 + K_P (1 - alpha_V)^2 / (2T).

    Raises:
        InputError: if K_P, K_Q or T is not positive.

    Source: the paper's population process; the two energies are beyond the paper.
    """
    x, y = floats(alpha_V), floats(alpha_A)
    K_P, K_Q, T = positive(K_P, "K_P"), positive(K_Q, "K_Q"), positive(T, "T")
    u, e = floats(delta_U2), floats(delta_A2)
    on_lines = K_P * K_Q * (1.0 - x * y) ** 2 + K_P * (1.0 - x) ** 2 / T
    beside = e * x**2 * K_P + u * (1.0 / T + y**2 * K_Q + e)
    return 0.5 * (on_lines + beside)


def mirror_excess_loss(K_P: ArrayLike, T: ArrayLike) -> Array:
    """L - L* at the mirror solution alpha_V = alpha_A = -1: exactly 2 K_P / T, shape (...), squared error.

    Source: beyond the paper.
    """
    return 2.0 * positive(K_P, "K_P") / positive(T, "T")


def _point(V: ArrayLike, A: ArrayLike, mu: ArrayLike) -> tuple[Array, Array, Array]:
    V, A = floats(V), floats(A)
    require(np.allclose(V.sum(-2), 1.0, rtol=0, atol=_SUMS), "V", "column sums of 1", V.sum(-2))
    require(np.allclose(A.sum(-1), 1.0, rtol=0, atol=_SUMS), "A", "row sums of 1 (rows are attentions)", A.sum(-1))
    return V, A, floats(mu)
