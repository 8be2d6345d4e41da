"""What a residual connection changes: the decoder sees the query, so classes of other queries look less alike.

Used by chapter Scan and Snap. Paper: Tian, Wang, Chen, Du (2023), arXiv 2305.16380, Section 7, which leaves this to
future work. The decoder input is f' = (f, w e_m) / sqrt(1 + w^2) with the one-hot e_m of the query; w = 1 in the paper.
"""

import numpy as np
from numpy.typing import ArrayLike

from lib.theory.scan_snap._arrays import Array, floats, one_rate, sizes
from lib.theory.scan_snap.drive import drive_coefficients, query_matrix
from lib.theory.scan_snap.geometry import correlations


def residual_inputs(f: ArrayLike, query: ArrayLike, weight: float = 1.0) -> Array:
    """Decoder inputs f' (..., K, C + Q), so that f'_n . f'_n' = (f_n . f_n' + w^2 [same query]) / (1 + w^2).

    Args:
        f: inputs without residual connection (..., K, C), of length one.
        query: query token of each class (K,).
        weight: w of the query against f, at least 0.

    Raises:
        InputError: if f is not of length one or the weight is negative.

    Source: the paper's Section 7; the weight is ours.
    """
    rows, w = floats(f), one_rate(weight, "weight", zero=True)
    correlations(rows)  # refuses rows of another length
    seen = w * query_matrix(np.asarray(query, dtype=np.intp)).T
    seen = np.broadcast_to(seen, (*rows.shape[:-1], seen.shape[-1]))
    return np.concatenate([rows, seen], axis=-1) / np.sqrt(1.0 + w**2)


def residual_velocity(f: ArrayLike, query: ArrayLike, M: int, weight: float = 1.0) -> Array:
    """Motion of the attention logits in the reference dynamics, per unit of lr_Z gamma t, as `logit_velocity`.

    Theorem 1 holds with the overlaps of f'. Only f depends on the logits, so the projection of Lemma 4 stays that of f:
    1 / (K (1 + w^2)) sum_n f_n o sum_n' beta'_nn' (f_n f_n^T - 1) f_n'.

    Args:
        f: inputs without residual connection (..., K, C), of length one.
        query: query token of each class (K,).
        M: output tokens.
        weight: w of the query against f, at least 0.

    Returns:
        (..., Q, C).

    Raises:
        InputError: if f is not of length one, classes of a query coincide, the weight is negative, or M < K.

    Source: the paper's Lemma 4 and Section 7; derived here.
    """
    rows = floats(f)
    beta = drive_coefficients(residual_inputs(rows, query, weight), M).beta
    along = np.sum(beta * correlations(rows), axis=-1, keepdims=True)
    move = rows * (rows * along - beta @ rows)
    return query_matrix(np.asarray(query, dtype=np.intp)) @ move / (rows.shape[-2] * (1.0 + weight**2))


def first_drift(f: ArrayLike, query: ArrayLike, M: int, weight: float = 1.0) -> Array:
    """First motion of the logits in joint training from zero, dz/dt per unit of lr_Y lr_Z t.

    The decoder's errors are all alike then, delta_n . delta_n' = [n = n'] - 1/M, whatever the query: the residual
    connection enters by the factor 1 / (1 + w^2) only.

    Args:
        f: inputs without residual connection (K, C), of length one.
        query: query token of each class (K,).
        M: output tokens.
        weight: w of the query against f, at least 0.

    Returns:
        (Q, C): 1 / (K^2 M (1 + w^2)) sum_n f_n o sum_{n' != n} (f_n f_n^T - 1) f_n'.

    Raises:
        InputError: if f is not of length one, the weight is negative, or M < K.

    Source: beyond the paper (its Lemma 1 at t = 0).
    """
    rows, w = floats(f), one_rate(weight, "weight", zero=True)
    E = correlations(rows)
    K = E.shape[-1]
    sizes(K, M)
    others = np.sum(rows, axis=-2, keepdims=True) - rows
    move = rows * (rows * np.sum(E, axis=-1, keepdims=True) - others)
    return query_matrix(np.asarray(query, dtype=np.intp)) @ move / (K * K * M * (1.0 + w**2))
