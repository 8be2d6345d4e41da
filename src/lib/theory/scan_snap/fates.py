"""Which tokens attention moves towards: distinct ones always, common ones never, partly common ones by a threshold.

Used by chapter Scan and Snap. Paper: Tian, Wang, Chen, Du (2023), arXiv 2305.16380, Theorem 2 and Corollary 2. All
velocities are per unit of lr_Z gamma t, as in `drive`.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.errors import require
from lib.portable import lift
from lib.theory.scan_snap import portable
from lib.theory.scan_snap._arrays import Array, data_law, floats, overlap_value
from lib.theory.scan_snap.drive import class_drive, query_matrix


def distinct_tokens(P: ArrayLike) -> NDArray[np.bool_]:
    """Which tokens (K, C) occur in class n and in no other.

    Args:
        P: probabilities of contextual tokens (K, C).

    Raises:
        InputError: if a row of P is not a distribution.

    Source: the paper's Definition 1.
    """
    p, _ = data_law(P, np.zeros(len(floats(P)), dtype=int))
    return (p > 0) & (np.sum(p > 0, axis=0) == 1)


def common_tokens(P: ArrayLike) -> NDArray[np.bool_]:
    """Which tokens (C,) occur in two or more classes.

    Args:
        P: probabilities of contextual tokens (K, C).

    Raises:
        InputError: if a row of P is not a distribution.

    Source: the paper's Definition 1.
    """
    p, _ = data_law(P, np.zeros(len(floats(P)), dtype=int))
    return np.sum(p > 0, axis=0) >= 2


def fate_velocity(P: ArrayLike, f: ArrayLike, query: ArrayLike, M: int) -> Array:
    """Motion of the logits of distinct tokens and of a sole common token, as Theorem 2 states it.

    Args:
        P: probabilities of contextual tokens (K, C); says which token is which.
        f: decoder inputs (K, C) of length one.
        query: query token of each class (K,).
        M: output tokens.

    Returns:
        (Q, C): f_nl^2 xi_n / K for a distinct token of n under its query and zero under others; the sum over the
        query's classes of -(1 - f_nl^2) xi_n / K for a sole common token; NaN for one of several common tokens, of
        which the theorem says nothing.

    Raises:
        InputError: if the arguments do not fit together, classes coincide, or M < K.

    Source: the paper's Theorem 2.
    """
    p, q = data_law(P, query)
    rows = floats(f)
    require(rows.shape == p.shape, "f", f"shape {p.shape}", rows.shape)
    xi, belongs, common = class_drive(rows, M) / len(p), query_matrix(q), common_tokens(p)
    velocity = belongs @ (rows**2 * xi[:, None] * distinct_tokens(p))
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
