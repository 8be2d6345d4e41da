"""What one minibatch step does to the signal coordinates: expectation plus the noise that the batch brought.

Used by chapter SCB and claim SCB-8. Paper: Ren, Wang, Lee (2024), arXiv 2410.23438, recursions of alpha and Delta in
the proof overview; the exact form with Delta_U is beyond the paper.
"""

import numpy as np
from numpy.typing import ArrayLike

from lib.theory._arrays import Array, floats
from lib.theory.scb.coordinates import Coordinates, centred, inner_A, inner_V, signal_coordinates


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
    """Exact coordinates after one plain step from (V, A), given the batch noise (zero: the expected part).

    Args:
        V: (..., N, N), unit column sums.
        A: (..., N, T), unit row sums.
        mu: (..., N).
        P: (..., N, N).
        Q: (..., N, T).
        eta_V: layer step of V (...).
        eta_A: layer step of A (...).
        xi_V: minibatch minus expected preconditioned gradient of V (..., N, N).
        xi_A: the same for A (..., N, T), rows sum to zero.

    Returns:
        `Coordinates` after the step. Its delta_V is rebuilt from delta_U and the step of V mu.

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
