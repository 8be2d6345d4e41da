"""Classes as directions: attention, decoder inputs, how much they overlap, and when the paper's analysis covers them.

Used by chapter Scan and Snap. Paper: Tian, Wang, Chen, Du (2023), arXiv 2305.16380, Lemma 2, Lemma 3 and Assumption 2.
Contexts are infinitely long: a class n enters only through P(. | n) and the logits of its query. Leading axes are runs.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.errors import require, wholes
from lib.portable import lift
from lib.theory.scan_snap import portable
from lib.theory.scan_snap._arrays import Array, data_law, floats, logits, overlap_value, sizes

_AGREE = 1e-9  # how far correlations may differ and still count as one number


class Assumption2(NamedTuple):
    """The paper's condition on the overlaps, and the numbers it compares."""

    holds: NDArray[np.bool_]  #: (...)
    eigenvalues: Array  #: (..., K) of E, falling by size
    upper: float  #: 1/K, above the largest |eigenvalue|
    lower: float  #: 6/sqrt(M), below the smallest
    crowding: float  #: K^2 / M, which the paper wants small


def scores(P: ArrayLike, Z: ArrayLike, query: ArrayLike) -> Array:
    """Unnormalised attention P(l | n) e^{z_ml} of every class under its own query.

    Args:
        P: probabilities of contextual tokens (K, C), rows sum to one.
        Z: attention logits (..., Q, C).
        query: query token of each class (K,).

    Returns:
        (..., K, C).

    Raises:
        InputError: if an argument has the wrong shape or P is not a law.

    Source: the paper's c-tilde, Section 3.
    """
    p, q = data_law(P, query)
    return p * np.exp(logits(Z, p, q)[..., q, :])


def attention(P: ArrayLike, Z: ArrayLike, query: ArrayLike) -> Array:
    """Attention c_n of an infinitely long context: the scores, summing to one; arguments as `scores`.

    Returns:
        (..., K, C).

    Raises:
        InputError: if an argument has the wrong shape or P is not a law.

    Source: the paper's Lemma 2.
    """
    p, q = data_law(P, query)
    return _shifted(p, logits(Z, p, q), q, 1)


def decoder_inputs(P: ArrayLike, Z: ArrayLike, query: ArrayLike) -> Array:
    """Decoder input f_n of every class: the scores, with length one; arguments as `scores`.

    Returns:
        (..., K, C).

    Raises:
        InputError: if an argument has the wrong shape or P is not a law.

    Source: the paper's Lemma 2.
    """
    p, q = data_law(P, query)
    return unit_inputs(p, logits(Z, p, q), q)


def correlations(f: ArrayLike) -> Array:
    """Overlaps of different classes, E = F^T F - I (..., K, K): f_n . f_n' off the diagonal, zero on it.

    Args:
        f: decoder inputs (..., K, C) of length one.

    Raises:
        InputError: if a row of f does not have length one.

    Source: the paper's E, before Lemma 3.
    """
    rows = floats(f)
    require(rows.ndim >= 2, "f", "shape (..., K, C)", rows.shape)
    norms = np.sum(rows * rows, axis=-1)
    require(np.allclose(norms, 1.0, rtol=0, atol=1e-9), "f", "rows of length 1", f"squared lengths {norms}")
    return gram(rows)


def modified_overlaps(E: ArrayLike) -> Array:
    """E' = I - (I + E)^{-1} (..., K, K), by a linear solve; its power series needs all |eigenvalues| < 1.

    Args:
        E: correlations (..., K, K).

    Raises:
        InputError: if E is not square, or I + E is singular (classes that attend to the same tokens alike).

    Source: the paper's E', Lemma 3 (with the sign its proofs use).
    """
    e = _square(E)
    smallest = 1.0 + np.linalg.eigvalsh(e)[..., 0]
    require(np.all(smallest > 1e-12), "E", "I + E positive definite", f"smallest eigenvalue {smallest.min():.1e}")
    return solve_overlaps(e)


def overlap(f: ArrayLike) -> Array:
    """The one correlation rho (...) = f_n . f_n' of classes that all overlap alike.

    Args:
        f: decoder inputs (..., K, C) of length one, K >= 2.

    Raises:
        InputError: if there is one class only or the pairs disagree.

    Source: the paper's Section 5, equal correlations.
    """
    E = correlations(f)
    K = E.shape[-1]
    require(K >= 2, "f", "at least two classes", f"{K}")
    pairs = E[..., ~np.eye(K, dtype=bool)]
    spread = float(np.max(np.ptp(pairs, axis=-1)))
    require(spread <= _AGREE, "f", "the same correlation for every pair", f"a spread of {spread:.1e}")
    return np.mean(pairs, axis=-1)


def equal_modified_overlaps(K: ArrayLike, rho: ArrayLike) -> tuple[Array, Array]:
    """Diagonal and off-diagonal entry of E' when all pairs of classes have correlation rho.

    Args:
        K: number of classes (...).
        rho: correlation in [0, 1) (...).

    Returns:
        (-(K-1) rho^2, rho) / ((1-rho)(1+(K-1)rho)), each (...).

    Raises:
        InputError: if rho is outside [0, 1).

    Source: beyond the paper (closed form of its E').
    """
    entries: tuple[Array, Array] = lift(portable.equal_overlaps)(wholes("K", K, 1), overlap_value(rho))
    return entries


def series_error_bound(E: ArrayLike) -> Array:
    """Bound lambda^2 / (1 - lambda) (...) on every entry of |E' - E|, lambda the largest |eigenvalue| of E.

    Args:
        E: correlations (..., K, K).

    Raises:
        InputError: if E is not square, or lambda >= 1, where the series behind the bound diverges.

    Source: the paper's Lemma 17.
    """
    largest = np.max(np.abs(np.linalg.eigvalsh(_square(E))), axis=-1)
    require(np.all(largest < 1.0), "E", "eigenvalues below 1 in size", f"{largest.max():.3g}")
    return largest**2 / (1.0 - largest)


def assumption_2(E: ArrayLike, M: int) -> Assumption2:
    """Whether the overlaps obey |lambda_1| < 1/K and all |lambda_i| >= 6/sqrt(M). Source: the paper's Assumption 2.

    Args:
        E: correlations (..., K, K).
        M: output tokens.

    Returns:
        `Assumption2`. The paper's third part, M much larger than K^2, is reported as `crowding`.

    Raises:
        InputError: if E is not square or M < K.
    """
    e = _square(E)
    K = e.shape[-1]
    sizes(K, M)
    values = np.linalg.eigvalsh(e)
    falling = np.take_along_axis(values, np.argsort(-np.abs(values), axis=-1), axis=-1)
    upper, lower = 1.0 / K, float(6.0 / np.sqrt(M))
    holds = (np.abs(falling[..., 0]) < upper) & (np.abs(falling[..., -1]) >= lower)
    return Assumption2(np.asarray(holds), floats(falling), upper, lower, K * K / float(M))


def unit_inputs(P: Array, Z: Array, query: NDArray[np.intp]) -> Array:
    """`decoder_inputs` (..., K, C) of arguments already checked; for inner loops. Source: the paper's Lemma 2."""
    return _shifted(P, Z, query, 2)


def gram(f: Array) -> Array:
    """`correlations` (..., K, K) of inputs already checked; the diagonal is exactly zero.

    Source: the paper's E, before Lemma 3.
    """
    E = f @ np.swapaxes(f, -1, -2)
    every = np.arange(E.shape[-1])
    E[..., every, every] = 0.0
    return E


def solve_overlaps(E: Array) -> Array:
    """`modified_overlaps` (..., K, K) of a matrix already checked, as (I + E)^{-1} E, which keeps small digits.

    Source: the paper's E', Lemma 3.
    """
    return floats(np.linalg.solve(np.eye(E.shape[-1]) + E, E))


def _square(E: ArrayLike) -> Array:
    e = floats(E)
    require(e.ndim >= 2 and e.shape[-1] == e.shape[-2], "E", "shape (..., K, K)", e.shape)
    return e


def _shifted(P: Array, Z: Array, query: NDArray[np.intp], order: int) -> Array:
    """The scores over their 1- or 2-norm; the largest logit of each row is taken out first."""
    rows = Z[..., query, :]
    top = np.max(rows, axis=-1, keepdims=True, initial=-np.inf, where=P > 0)
    raised = P * np.exp(np.minimum(rows - top, 0.0))  # tokens outside the class have P = 0 and any logit
    size = np.sum(raised, axis=-1, keepdims=True) if order == 1 else np.sqrt(np.sum(raised**2, axis=-1, keepdims=True))
    return raised / size
