"""The reference dynamics: attention under a decoder solved in closed form, by integrating the logits alone.

Chapter `scan_snap`. Paper: Tian, Wang, Chen, Du (2023), arXiv 2305.16380, Lemmas 3 to 6 and Theorem 1. The
decoder enters attention only as the factor gamma(t), so that in the time Gamma = lr_Z int gamma dt (closed form,
Theorem 4) the logits obey an autonomous equation. It is not stiff against ln(1 + Gamma): logits grow like logarithms.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from lib.integrate import integrate
from lib.theory._arrays import Array, floats
from lib.theory.scan_snap import (
    Ints,
    data_law,
    gram,
    operational_time,
    query_matrix,
    speed,
    unit_inputs,
    velocity_of,
)  # fmt: skip

_RTOL, _ATOL = 1e-9, 1e-12


class ReferencePath(NamedTuple):
    """A run of the reference dynamics, recorded at T times."""

    times: Array  # (T,) steps
    z: Array  # (T, Q, C) attention logits
    attention: Array  # (T, K, C) c_n
    inputs: Array  # (T, K, C) f_n
    B: Array  # (T, K) growth exponent (lr_Z / K) int xi
    gamma: Array  # (T,) speed coefficient
    Gamma: Array  # (T,) operational time lr_Z int gamma
    S: Array  # (T, K) what 1/score^2 of every distinct token has lost, 2 (lr_Z / K) int xi / |scores|^2


def reference_run(
    P: ArrayLike,
    query: ArrayLike,
    M: int,
    lr_Y: float,
    lr_Z: float,
    times: ArrayLike,
    Z0: ArrayLike | None = None,
) -> ReferencePath:
    """Run the reference dynamics on any infinitely long data. Section 5 and Lemma 4.

    Args:
        P: probabilities of contextual tokens (K, C); no two classes attend to the same tokens alike.
        query: query token of each class (K,).
        M: output tokens.
        lr_Y, lr_Z: learning rates of decoder and attention.
        times: increasing times to record (T,); the run starts at 0 whether that is recorded or not.
        Z0: attention logits at time 0, (Q, C); zero by default.

    Returns:
        `ReferencePath`, accurate to better than 1e-7 in the logits; `DivergedError` if the solver gives up.
    """
    p, q = data_law(P, query)
    t, K = floats(times), len(p)
    start = np.zeros((int(q.max()) + 1, p.shape[1])) if Z0 is None else floats(Z0)
    Gamma = operational_time(t, K, M, lr_Y, lr_Z)
    z, B, S = _integrate(p, q, float(M), start, Gamma)
    f = unit_inputs(p, z, q)
    return ReferencePath(t, z, f / np.sum(f, axis=-1, keepdims=True), f, B, speed(t, K, M, lr_Y), Gamma, S)


def _integrate(P: Array, query: Ints, M: float, start: Array, Gamma: Array) -> tuple[Array, Array, Array]:
    """Logits (T, Q, C), growth exponents (T, K) and losses S (T, K) at rising values of Gamma (T,)."""
    K, size = len(P), start.size
    belongs = query_matrix(query, len(start))

    def motion(now: float, state: Array) -> Array:
        del now
        scores = P * np.exp(state[:size].reshape(start.shape)[query])
        square = np.sum(scores * scores, axis=-1)
        f = scores / np.sqrt(square)[:, None]
        move, drive = velocity_of(f, gram(f), belongs, M)
        return np.concatenate([move.ravel(), drive / K, 2.0 * drive / (K * square)])

    stops, where = np.unique(Gamma, return_inverse=True)  # late times may share a Gamma in floating point
    first = np.concatenate([start.ravel(), np.zeros(2 * K)])
    path = integrate(motion, first, stops, method="explicit", rtol=_RTOL, atol=_ATOL, what="reference dynamics")
    states = path.states[where]
    return states[:, :size].reshape(-1, *start.shape), states[:, size : size + K], states[:, size + K :]
