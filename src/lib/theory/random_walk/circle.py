r"""The walk itself: its step matrix, where it is after m steps, and which ancestor the first steps of training favour.

Chapter `random_walk`. Source: arXiv 2511.23239, Section 2; the lag signal is ours. The walk's matrix has the
eigenvalues $\lambda_k = pe^{2\pi ik/K} + (1-p)e^{-2\pi ik/K}$.
"""

from __future__ import annotations

import numpy as np

from lib.errors import require, whole
from lib.theory._arrays import Array

__all__ = ["best_lag", "eigenvalues", "lag_signal", "ring", "step_matrix", "visits"]

_TIE = 1e-9  # signals so close, in visits, are equal


def ring(K: int, p: float) -> tuple[int, float]:
    """A circle's size and chance of a clockwise step, checked.

    Raises:
        InputError: if K < 3 or p is outside [0, 1].
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
    """
    K, p = ring(K, p)
    return p * np.roll(np.eye(K), 1, axis=1) + (1 - p) * np.roll(np.eye(K), -1, axis=1)


def eigenvalues(K: int, p: float) -> Array:
    """The eigenvalues (K,) of the step matrix, complex, the k-th for the wave with k periods; same arguments."""
    K, p = ring(K, p)
    turn = np.exp(2j * np.pi * np.arange(K) / K)
    return p * turn + (1 - p) / turn


def visits(K: int, p: float, N: int) -> Array:
    r"""$\sum_{m=1}^{N-1}[\Pi^m]_{0k}$, (K,): how often a walk of N - 1 steps is k nodes clockwise of its start.

    Args:
        K: nodes, at least 3.
        p: in [0, 1].
        N: nodes of a walk, at least 2.

    Raises:
        InputError: if an argument is out of range.

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

    Source: ours, by $\Pi = F^*\mathrm{diag}(\lambda)F$.
    """
    values, N = eigenvalues(K, p), whole("N", N, 2)
    powers = values ** np.arange(1, N)[:, None]
    return np.real(np.conj(powers) @ powers.sum(axis=0)) / K


def best_lag(K: int, p: float, N: int) -> int:
    """The lag with the largest signal, the smallest among equals up to rounding; same arguments.

    Example:
        >>> best_lag(6, 0.8, 97), best_lag(20, 0.8, 101)
        (1, 3)
    """
    signal = lag_signal(K, p, N)
    return int(np.argmax(signal >= signal.max() - _TIE)) + 1
