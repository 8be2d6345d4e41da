"""Checks that the theory of Scan and Snap shares: rates, sizes, times, and the data law."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.errors import require, wholes
from lib.theory._arrays import Array, floats, positive

__all__ = [
    "Array", "Ints", "data_law", "floats", "increasing", "logits", "non_negative", "one_rate", "overlap_value",
    "positive", "sizes",
]  # fmt: skip

Ints = NDArray[np.intp]
_SUMS = 1e-9  # how far a row of P may be from one: rounding of stored probabilities


def non_negative(value: ArrayLike, argument: str) -> Array:
    """Return `value` as float64, refusing anything that is not finite or is below zero.

    Raises:
        InputError: if a value is negative or not finite.
    """
    array = floats(value)
    require(np.all(np.isfinite(array)) and np.all(array >= 0), argument, "finite values >= 0", value)
    return array


def one_rate(value: float, argument: str, zero: bool = False) -> float:
    """Return a single learning rate as a float; zero only where it is allowed.

    Raises:
        InputError: unless it is one finite number above zero (or not below).
    """
    rate = non_negative(value, argument) if zero else positive(value, argument)
    require(rate.ndim == 0, argument, "one number", value)
    return float(rate)


def sizes(K: ArrayLike, M: ArrayLike) -> tuple[Array, Array]:
    """Return the number of next tokens K (...) and of output tokens M (...) as float64.

    Raises:
        InputError: unless they are whole numbers with K >= 1, M >= 2 and M >= K.
    """
    k, m = floats(wholes("K", K, 1)), floats(wholes("M", M))
    require(np.all(m >= 2) and np.all(m >= k), "M", f"at least 2 and at least K = {k}", M)
    return k, m


def overlap_value(rho: ArrayLike) -> Array:
    """Return the correlation rho (...) of two classes as float64.

    Raises:
        InputError: if a value is outside [0, 1).
    """
    value = floats(rho)
    require(np.all((value >= 0) & (value < 1)), "rho", "values in [0, 1)", rho)
    return value


def increasing(times: ArrayLike) -> Array:
    """Return the times (T,) in steps as float64.

    Raises:
        InputError: unless they are finite, not negative and strictly increasing, and there is at least one.
    """
    t = floats(times)
    good = t.ndim == 1 and t.size > 0 and np.all(np.isfinite(t)) and np.all(np.diff(t) > 0)
    require(good and t[0] >= 0, "times", "increasing finite times >= 0, shape (T,)", times)
    return t


def data_law(P: ArrayLike, query: ArrayLike) -> tuple[Array, Ints]:
    """Return the class probabilities P (K, C) as float64 and the query of each class (K,) as whole numbers.

    Raises:
        InputError: if a row of P is not a distribution, or `query` is not one whole number >= 0 per class.
    """
    p, q = floats(P), np.asarray(query)
    require(p.ndim == 2 and p.size > 0, "P", "shape (K, C)", p.shape)
    require(np.all(np.isfinite(p)) and np.all(p >= 0), "P", "finite probabilities >= 0", P)
    require(np.allclose(p.sum(-1), 1.0, rtol=0, atol=_SUMS), "P", "rows that sum to 1", f"row sums {p.sum(-1)}")
    whole_numbers = q.shape == (len(p),) and np.issubdtype(q.dtype, np.integer)
    require(whole_numbers and np.all(q >= 0), "query", f"{len(p)} whole numbers >= 0", query)
    return p, q.astype(np.intp)


def logits(Z: ArrayLike, P: Array, query: Ints) -> Array:
    """Return the attention logits Z (..., Q, C) as float64.

    Raises:
        InputError: if there is no row for a query, the tokens are not those of P, or a value is not finite.
    """
    z, least = floats(Z), int(query.max()) + 1
    good = z.ndim >= 2 and z.shape[-2] >= least and z.shape[-1] == P.shape[-1]
    require(good, "Z", f"shape (..., Q >= {least}, {P.shape[-1]})", z.shape)
    require(np.all(np.isfinite(z)), "Z", "finite values", Z)
    return z
