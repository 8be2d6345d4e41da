r"""The walk itself: its step matrix, where it is after m steps, and which ancestor the first steps of training favour.

Chapter `random_walk`. Source: arXiv 2511.23239, Section 2; the lag signal is ours.
"""

import numpy as np

from lib.errors import require, whole
from lib.portable import lift
from lib.theory._arrays import Array
from lib.theory.random_walk import portable

__all__ = ["best_lag", "lag_signal", "ring", "step_matrix", "visits"]


def ring(K: int, p: float) -> tuple[int, float]:
    """A circle's size and chance of a clockwise step, checked.

    Raises:
        InputError: if K < 3 or p is outside [0, 1].

    Source: arXiv 2511.23239, Section 2.
    """
    require(0 <= p <= 1, "p", "a probability in [0, 1]", p)
    return whole("K", K, 3), float(p)


def step_matrix(K: int, p: float) -> Array:
    """Pi (K, K): chance p from node i to i + 1, 1 - p to i - 1, nodes modulo K.

    Args:
        K: nodes, at least 3.
        p: in [0, 1].

    Raises:
        InputError: if an argument is out of range.

    Source: arXiv 2511.23239, Section 2.
    """
    K, p = ring(K, p)
    return p * np.roll(np.eye(K), 1, axis=1) + (1 - p) * np.roll(np.eye(K), -1, axis=1)


def visits(K: int, p: float, N: int) -> Array:
    r"""$\sum_{m=1}^{N-1}[\Pi^m]_{0k}$, (K,): how often a walk of N - 1 steps is k nodes clockwise of its start.

    Args:
        K: nodes, at least 3.
        p: in [0, 1].
        N: nodes of a walk, at least 2.

    Raises:
        InputError: if an argument is out of range.

    Source: arXiv 2511.23239, Section 2, in closed form.

    Example:
        >>> visits(3, 1.0, 5)
        array([1., 2., 1.])
    """
    here, Pi, total = np.eye(whole("K", K, 3))[0], step_matrix(K, p), np.zeros(K)
    for _ in range(whole("N", N, 2) - 1):
        here = here @ Pi
        total += here
    return total


def lag_signal(K: int, p: float, N: int) -> Array:
    r"""$E_l = \sum_{m=1}^{N-1}[\Pi^m(\Pi^\top)^l]_{00}$ for the lags l = 1 to N - 1, (N - 1,).

    The second step of training from zero raises the score of the token at lag l in proportion to it.

    Args:
        K: nodes, at least 3.
        p: in [0, 1].
        N: nodes of a walk, at least 2.

    Raises:
        InputError: if an argument is out of range.

    Source: beyond the paper.
    """
    signal: Array = lift(portable.lag_signal)(K, p, N, np.asarray(N) - 1)
    return signal


def best_lag(K: int, p: float, N: int) -> int:
    """The lag with the largest signal, the smallest among equals up to rounding; same arguments.

    Source: beyond the paper.

    Example:
        >>> best_lag(6, 0.8, 97), best_lag(20, 0.8, 101)
        (1, 3)
    """
    lag: int = lift(portable.best_lag)(K, p, N, np.asarray(N) - 1)
    return lag
