"""What pushes attention in the reference dynamics: the gradient that arrives at f_n, and the drive xi of every class.

Used by chapter Scan and Snap. Paper: Tian, Wang, Chen, Du (2023), arXiv 2305.16380, Theorem 1 and Lemma 4. All is
proportional to the speed coefficient gamma, which is kept apart: multiply by it (and, for logits, by lr_Z).

With a residual connection (Section 7, left there to future work) the decoder sees the query, so that classes of other
queries look less alike: its input is f' = (f, w e_m) / sqrt(1 + w^2), e_m the one-hot of the query; w = 1 in the paper.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from lib.errors import require
from lib.portable import lift
from lib.theory.scan_snap import portable
from lib.theory.scan_snap._arrays import Array, Ints, floats, overlap_value, sizes
from lib.theory.scan_snap.geometry import correlations, modified_overlaps, solve_overlaps

_drive = lift(portable.drive)


class Drive(NamedTuple):
    """Coefficients of g_n / gamma = iota_n f_n - sum_n' beta_nn' f_n'."""

    iota: Array  #: (..., K)
    beta: Array  #: (..., K, K), zero on the diagonal


def zeta_products(M: ArrayLike) -> tuple[Array, Array]:
    """Inner products of the zeta_n: q1 = M/(M-1) with themselves, q0 = -M/(M-1)^2 with each other, each (...).

    Raises:
        InputError: if M < 2.

    Source: the paper's Theorem 1 (its constants).
    """
    return _products(sizes(1, M)[1])


def drive_coefficients(f: ArrayLike, M: int) -> Drive:
    """Coefficients of Theorem 1, exact.

    Args:
        f: decoder inputs (..., K, C) of length one.
        M: output tokens.

    Raises:
        InputError: if f is not of length one, classes coincide, or M < K.

    Source: the paper's Theorem 1; the bare q0 term of beta has the sign that follows from its proof, not the printed.
    """
    E_prime = modified_overlaps(correlations(f))
    sizes(E_prime.shape[-1], M)
    return _coefficients(E_prime, M)


def gradient_at_input(f: ArrayLike, M: int) -> Array:
    """Gradient g_n / gamma (..., K, C) that arrives at the decoder input of class n; arguments as `drive_coefficients`.

    Raises:
        InputError: if f is not of length one, classes coincide, or M < K.

    Source: the paper's Theorem 1.
    """
    iota, beta = drive_coefficients(f, M)
    return iota[..., None] * floats(f) - beta @ floats(f)


def class_drive(f: ArrayLike, M: int) -> Array:
    """Drive xi_n / gamma (..., K) of every class, in closed form: -q1 E'_nn - q0 sum_{k != n} E'_nk.

    Args:
        f: decoder inputs (..., K, C) of length one.
        M: output tokens.

    Returns:
        (..., K), not negative; zero only where no other class overlaps.

    Raises:
        InputError: if f is not of length one, classes coincide, or M < K.

    Source: the paper's Theorem 2 (xi_n); closed form beyond the paper.
    """
    E_prime = modified_overlaps(correlations(f))
    sizes(E_prime.shape[-1], M)
    q1, q0 = _products(M)
    diagonal = np.diagonal(E_prime, axis1=-2, axis2=-1)
    return -q1 * diagonal - q0 * (np.sum(E_prime, axis=-1) - diagonal)


def class_drive_sum(f: ArrayLike, M: int) -> Array:
    """The same drive (..., K) as it is defined, sum_n' beta_nn' f_n . f_n'; arguments as `class_drive`.

    Raises:
        InputError: if f is not of length one, classes coincide, or M < K.

    Source: the paper's Theorem 2.
    """
    return np.sum(drive_coefficients(f, M).beta * correlations(f), axis=-1)


def equal_class_drive(K: ArrayLike, rho: ArrayLike, M: ArrayLike) -> Array:
    """Drive xi / gamma (...) when all pairs of classes have correlation rho; about (K-1) rho^2 while rho is small.

    Args:
        K: number of classes (...).
        rho: correlation in [0, 1) (...).
        M: output tokens (...).

    Returns:
        (K-1)(q1 rho^2 + |q0| rho) / ((1-rho)(1+(K-1)rho)).

    Raises:
        InputError: if rho is outside [0, 1) or M < K.

    Source: the paper's Theorem 1 at equal correlations; closed form beyond the paper. The sign of the q0 term is ours.
    """
    r, (k, m) = overlap_value(rho), sizes(K, M)
    xi: Array = _drive(k, r, m)
    return xi


def logit_velocity(f: ArrayLike, query: ArrayLike, M: int) -> Array:
    """Motion of the attention logits per unit of lr_Z gamma t: (1/K) sum_n f_n o sum_n' beta_nn' (f_n f_n^T - 1) f_n'.

    Args:
        f: decoder inputs (..., K, C) of length one.
        query: query token of each class (K,).
        M: output tokens.

    Returns:
        (..., Q, C); a row per query token up to the largest.

    Raises:
        InputError: if f is not of length one, classes coincide, `query` does not fit, or M < K.

    Source: the paper's Lemma 4.
    """
    rows, q = floats(f), np.asarray(query)
    E = correlations(rows)
    modified_overlaps(E)  # refuses coinciding classes
    K = E.shape[-1]
    sizes(K, M)
    fits = q.shape == (K,) and np.issubdtype(q.dtype, np.integer)
    require(fits and np.all(q >= 0), "query", f"{K} whole numbers >= 0", query)
    return velocity_of(rows, E, query_matrix(q.astype(np.intp)), M)[0]


def query_matrix(query: Ints, Q: int | None = None) -> Array:
    """One-hot matrix (Q, K) that adds up the classes of each query token. Source: the paper's psi, Section 3."""
    rows = int(query.max()) + 1 if Q is None else Q
    return (np.arange(rows)[:, None] == query).astype(np.float64)


def velocity_of(f: Array, E: Array, belongs: Array, M: float) -> tuple[Array, Array]:
    """`logit_velocity` (..., Q, C) and xi / gamma (..., K) from arguments already checked; for inner loops.

    Source: the paper's Lemma 4 and Theorem 2.
    """
    E_prime = solve_overlaps(E)
    beta = _coefficients(E_prime, M).beta
    towards = beta @ f
    along = np.sum(beta * E, axis=-1)
    return belongs @ (f * (f * along[..., None] - towards)) / E.shape[-1], along


def _coefficients(E_prime: Array, M: float) -> Drive:
    """Minus the columns of (I - E') times the matrix of zeta products: entry (n', n) is what f_n' adds to g_n."""
    q1, q0 = _products(M)
    rest = np.eye(E_prime.shape[-1]) - E_prime
    added = (q1 - q0) * rest + q0 * np.sum(rest, axis=-1, keepdims=True)
    iota = np.diagonal(added, axis1=-2, axis2=-1).copy()
    beta = -np.swapaxes(added, -1, -2)
    every = np.arange(E_prime.shape[-1])
    beta[..., every, every] = 0.0
    return Drive(iota, beta)


def _products(M: Any) -> tuple[Any, Any]:
    """`zeta_products` of M already checked."""
    return M / (M - 1.0), -M / (M - 1.0) ** 2
