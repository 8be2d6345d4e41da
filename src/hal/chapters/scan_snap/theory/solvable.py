"""Joint gradient flow of both layers, solved: as many outputs as next tokens (M = K) and classes that look alike.

Chapter `scan_snap`. Beyond the paper (Tian, Wang, Chen, Du 2023, arXiv 2305.16380). The path of attention is
a function of the operational time tau and of lr_Y / lr_Z alone; the rates only set the clock t(tau), which slows
exponentially once the logit gap G passes ln(K - 1). Starts from zero in both layers.

For any data an exact identity holds from Y = 0: attention follows the squared decoder weights, minus a drain; for every
token if all classes share one query, and for distinct tokens whatever the queries.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.integrate import cumulative_trapezoid

from lib.integrate import integrate
from lib.theory._arrays import Array, floats

_RTOL, _ATOL = 1e-9, 1e-12


class SolvablePath(NamedTuple):
    """Joint flow of symmetric classes, recorded at T times; every class and query looks the same."""

    times: Array  # (T,) steps
    tau: Array  # (T,) operational time
    gap: Array  # (T,) G, logit gap of the right token, nats
    z_common: Array  # (T, number of common tokens)
    z_distinct: Array  # (T, number of distinct tokens of a class)
    y: Array  # (T, number of distinct tokens) decoder weight of the right token over the others


def solvable_run(
    common: ArrayLike, distinct: ArrayLike, K: int, s: int, lr_Y: float, lr_Z: float, times: ArrayLike
) -> SolvablePath:
    """Integrate the exact reduction of the joint flow from zero.

    Args:
        common: probabilities of the common tokens in every class (n_c,), possibly none.
        distinct: probabilities of a class's own tokens (n_d,); together with `common` they sum to one.
        K: number of classes and of output tokens, at least 2.
        s: classes per query token, a divisor of K: 1 own query, K one query for all.
        lr_Y, lr_Z: learning rates of the decoder and of attention, positive.
        times: increasing times to record in steps (T,); the run starts at 0.
    """
    law, n_c = np.concatenate([floats(common), floats(distinct)]), floats(common).size
    n_d, ratio = law.size - n_c, lr_Y / lr_Z

    def motion(now: float, state: Array) -> Array:
        """Motion of (tau, y, z)."""
        del now
        y, z = state[1 : 1 + n_d], state[1 + n_d :]
        f = _inputs(law, z)
        own, shared = f[n_c:], f[:n_c]
        G = own @ y
        dz = np.concatenate([-s * shared**2 * G, own * (y - own * G)]) * ((K - 1) / (K * ratio))
        slow = lr_Y / (K - 1.0 + np.exp(G))  # d tau / dt
        return slow * np.concatenate([[1.0], own, dz])

    # against ln(1 + lr_Y t / K) late times are not stiff
    first, t, unit = np.zeros(1 + n_d + law.size), floats(times), lr_Y / K
    path = integrate(motion, first, t, unit=unit, method="explicit", rtol=_RTOL, atol=_ATOL, what="solvable flow")
    states = path.states
    tau, y, z = states[:, 0], states[:, 1 : 1 + n_d], states[:, 1 + n_d :]
    f = _inputs(law, z)
    return SolvablePath(t, tau, np.sum(f[:, n_c:] * y, axis=-1), z[:, :n_c], z[:, n_c:], y)


def _inputs(law: Array, z: Array) -> Array:
    raised = law * np.exp(z - z.max(axis=-1, keepdims=True))
    return raised / np.sqrt(np.sum(raised**2, axis=-1, keepdims=True))


def drain_rate(f: ArrayLike, g: ArrayLike) -> Array:
    """Rate (1/K) sum_n f_nl^2 (f_n . g_n) (..., C) at which every attended logit is pulled down, per unit of lr_Z t,
    from decoder inputs f (..., K, C) of length one and the gradients g = Y delta_n that arrive at them."""
    rows, arriving = floats(f), floats(g)
    return np.mean(rows**2 * np.sum(rows * arriving, axis=-1, keepdims=True), axis=-2)


def logits_from_decoder(times: ArrayLike, square_norms: ArrayLike, drain: ArrayLike, lr_Y: float, lr_Z: float) -> Array:
    """Attention logits gained since time 0, (T, C): (lr_Z / 2 lr_Y) |Y_l|^2 - lr_Z int drain dt, by trapezoids.

    Args:
        times: increasing times from 0 in steps (T,).
        square_norms: |Y_l|^2 of every contextual token (T, C), over all M outputs.
        drain: `drain_rate` at the same times (T, C).
        lr_Y, lr_Z: learning rates of decoder and attention.
    """
    lost = cumulative_trapezoid(floats(drain), floats(times), axis=0, initial=0.0)
    return lr_Z * (0.5 * floats(square_norms) / lr_Y - lost)
