"""By how much the second step favours a lag over the next best, in portable Python: what the map of lags draws.

Chapter `random_walk`. Source: ours, from the model of arXiv 2511.23239, Section 2, as `lib.theory.random_walk`.
A circle has K >= 3 nodes, a step is clockwise with the chance p in [0, 1], a walk visits N >= 3 nodes, positions have
the length M >= N.
"""

from lib.portable.primitives import Vector, zeros
from lib.portable.vectors import argmax
from lib.theory.random_walk.portable import TIE, lag_signal


def nats_a_visit(K: int, N: int, M: int, lr: float, epsilon: float) -> float:
    """The lead in scores after two steps, in nats, of a signal that is larger by one visit; for long walks."""
    rho, even = 0.5 * float(M + 1), float(N - 1) / float(N)
    f = lr * even * even / (epsilon * float(K * K))
    return lr * lr * rho * rho / (epsilon * (epsilon + f) * float(N * N) * float(K))


def lag_lead(K: int, p: float, N: int, M: int, lr: float, epsilon: float, lags: int) -> float:
    """The lead of the favoured among the lags 1 to `lags` over the next, in nats: above 0 if it is the parent, lag 1,
    below 0 if it is an older one, 0 if two are alike. With two lags or more.
    """
    signal = lag_signal(K, p, N, lags)
    best = argmax(signal)
    next_one = signal[1 if best == 0 else 0]
    for i in range(lags):
        if i != best:
            next_one = max(next_one, signal[i])
    lead = (signal[best] - next_one) * nats_a_visit(K, N, M, lr, epsilon)
    if signal[best] - next_one <= TIE:
        return 0.0
    return lead if best == 0 else -lead


def lag_leads(smallest: int, sizes: int, chances: Vector, N: int, M: int, lr: float, epsilon: float) -> Vector:
    """`lag_lead` among up to 14 lags, over circles of `smallest` nodes and one more each, row by row, and chances (C,);
    (sizes C,).
    """
    columns, lags = len(chances), min(14, N - 1)
    found = zeros(sizes * columns)
    for r in range(sizes):
        for c in range(columns):
            found[r * columns + c] = lag_lead(smallest + r, chances[c], N, M, lr, epsilon, lags)
    return found
