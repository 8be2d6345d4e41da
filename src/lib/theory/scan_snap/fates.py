"""Which tokens attention moves towards, distinct ones always, common ones never, and how unevenly distinct ones grow.

Used by chapter Scan and Snap. Paper: Tian, Wang, Chen, Du (2023), arXiv 2305.16380, Theorems 2 and 3, Corollary 2. All
velocities are per unit of lr_Z gamma t, as in `drive`. For distinct tokens of one class 1/score^2 falls by the same
amount S_n(t) (`ReferencePath.S`); all else that is said of their growth follows.
"""

import numpy as np
from numpy.typing import ArrayLike

from lib.errors import require
from lib.portable import lift
from lib.theory.scan_snap import portable
from lib.theory.scan_snap._arrays import Array, data_law, floats, non_negative, overlap_value
from lib.theory.scan_snap.drive import class_drive, query_matrix


def fate_velocity(P: ArrayLike, f: ArrayLike, query: ArrayLike, M: int) -> Array:
    """Motion of the logits of distinct tokens and of a sole common token, as Theorem 2 states it.

    Args:
        P: probabilities of contextual tokens (K, C): one that occurs in one class is distinct, in several common.
        f: decoder inputs (K, C) of length one.
        query: query token of each class (K,).
        M: output tokens.

    Returns:
        (Q, C): f_nl^2 xi_n / K for a distinct token of n under its query and zero under others; the sum over the
        query's classes of -(1 - f_nl^2) xi_n / K for a sole common token; NaN for one of several common tokens, of
        which the theorem says nothing.

    Raises:
        InputError: if the arguments do not fit together, classes coincide, or M < K.

    Source: the paper's Definition 1 and Theorem 2.
    """
    p, q = data_law(P, query)
    rows = floats(f)
    require(rows.shape == p.shape, "f", f"shape {p.shape}", rows.shape)
    xi, belongs = class_drive(rows, M) / len(p), query_matrix(q)
    owners = np.sum(p > 0, axis=0)
    common = owners >= 2
    velocity = belongs @ (rows**2 * xi[:, None] * ((p > 0) & (owners == 1)))
    falling = -belongs @ ((1.0 - rows**2) * xi[:, None])
    velocity[:, common] = falling[:, common] if np.sum(common) == 1 else np.nan
    return velocity


def partly_common_push(rho: ArrayLike, kappa: ArrayLike, shared: bool = True) -> Array:
    """Sign-carrying factor of a token that is kappa times as strong in class 1 as in class 2, in f_1l / f_2l.

    Args:
        rho: correlation of the two mirror-symmetric classes in [0, 1) (...).
        kappa: the ratio (...), positive.
        shared: one query for both classes; otherwise the row of class 1's own query.

    Returns:
        (...): rho (kappa + 1/kappa) - 2 if shared, rho kappa - 1 if not; the token grows where it is positive.

    Raises:
        InputError: if rho is outside [0, 1) or kappa is not positive.

    Source: beyond the paper (its Lemma 4 with K = 2).
    """
    r, ratio = overlap_value(rho), floats(kappa)
    require(np.all(np.isfinite(ratio) & (ratio > 0)), "kappa", "finite values > 0", kappa)
    return r * (ratio + 1.0 / ratio) - 2.0 if shared else r * ratio - 1.0


def kappa_star(rho: ArrayLike, shared: bool = True) -> Array:
    """Ratio kappa (...) above which a partly common token grows: (1 + sqrt(1 - rho^2)) / rho, or 1/rho.

    Args:
        rho: correlation of the two mirror-symmetric classes in [0, 1) (...).
        shared: one query for both classes; otherwise the row of class 1's own query.

    Returns:
        (...); infinite at rho = 0.

    Raises:
        InputError: if rho is outside [0, 1).

    Source: beyond the paper.
    """
    ratio: Array = lift(portable.kappa_star)(overlap_value(rho), shared)
    return ratio


def relative_gain(scores: ArrayLike, leader: ArrayLike) -> Array:
    """Relative gain r = score_leader^2 / score_l^2 - 1 of one token of each class over every token.

    Args:
        scores: unnormalised attention (..., K, C); at zero logits P(l | n) itself.
        leader: token whose gain is asked for, one per class (K,), with a positive score.

    Returns:
        (..., K, C); infinite over tokens outside the class.

    Raises:
        InputError: if the shapes disagree or a leader has no score.

    Source: the paper's Theorem 3 (r_{l/l'|n}).
    """
    c, top = _scores(scores), np.asarray(leader)
    fits = top.shape == c.shape[-2:-1] and np.issubdtype(top.dtype, np.integer)
    require(fits and np.all((top >= 0) & (top < c.shape[-1])), "leader", "one token per class, shape (K,)", leader)
    chosen = c[..., np.arange(c.shape[-2]), top][..., None]
    require(np.all(chosen > 0), "leader", "tokens that occur in their class", leader)
    with np.errstate(divide="ignore"):
        return (chosen / c) ** 2 - 1.0


def growth_factor(z: ArrayLike, z_start: ArrayLike) -> Array:
    """Growth factor chi = e^{2 (z - z_start)} (...) of logits of the same shape (...).

    Source: the paper's Theorem 3 (chi_l).
    """
    return np.exp(2.0 * (floats(z) - floats(z_start)))


def predicted_gain(gain_start: ArrayLike, chi: ArrayLike) -> Array:
    """Relative gain r(0) chi (...) of a distinct token over another of its class, chi its own growth factor.

    Args:
        gain_start: r at time 0 (...).
        chi: growth factor of the leading token (...), positive.

    Raises:
        InputError: if a growth factor is not positive.

    Source: the paper's Theorem 3.
    """
    factor = floats(chi)
    require(np.all(factor > 0), "chi", "values > 0", chi)
    return floats(gain_start) * factor


def inverse_square_loss(scores: ArrayLike, scores_start: ArrayLike) -> Array:
    """1/score(0)^2 - 1/score(t)^2 per token (..., K, C); in the reference dynamics one number per class, S_n.

    Args:
        scores: unnormalised attention at time t (..., K, C).
        scores_start: the same at time 0 (K, C).

    Returns:
        (..., K, C); NaN for tokens outside the class.

    Raises:
        InputError: if a score is negative or not finite.

    Source: the paper's proof of Theorem 3.
    """
    now, start = _scores(scores), _scores(scores_start)
    with np.errstate(divide="ignore", invalid="ignore"):
        return start**-2.0 - now**-2.0


def growth_bounds(input_start: ArrayLike, B: ArrayLike) -> tuple[Array, Array]:
    """Bounds e^{2 f^2 B} <= chi <= e^{2B} on the growth of a class's dominant distinct token, f its input at the start.

    Args:
        input_start: entry of the decoder input of that token at time 0, in [0, 1] (...).
        B: growth exponent of its class (...), with its 1/K.

    Returns:
        (lower, upper), each (...). They hold while the class's common tokens fall.

    Raises:
        InputError: if a value is out of range.

    Source: the paper's Theorem 3.
    """
    f, exponent = floats(input_start), non_negative(B, "B")
    require(np.all((f >= 0) & (f <= 1)), "input_start", "values in [0, 1]", input_start)
    lower, upper = np.broadcast_arrays(lift(portable.lower_bound)(f, exponent), lift(portable.upper_bound)(exponent))
    return lower, upper


def _scores(value: ArrayLike) -> Array:
    c = non_negative(value, "scores")
    require(c.ndim >= 2, "scores", "shape (..., K, C)", c.shape)
    return c
