"""The theory that pages draw, in portable Python: lags, the late law, growth on the ridge and the time of escape.

Chapter `random_walk`. The formulas of `circle.py`, `early.py`, `late.py` and `ridge.py`, which have their sources and
derivations, for one setting at a time; arguments have their names there and are checked by the caller.
"""

from __future__ import annotations

from lib.portable.numbers import log
from lib.portable.primitives import Vector, sqrt, zeros


def walk_on(law: Vector, p: float) -> None:
    """The law (K,) of a walker's node one step later, in place."""
    K = len(law)
    start, left = law[0], law[K - 1]
    for k in range(K):
        here = law[k]
        right = law[k + 1] if k + 1 < K else start
        law[k] = p * left + (1.0 - p) * right
        left = here


def visits(K: int, p: float, N: int) -> Vector:
    """(K,) how often a walk of N - 1 steps is k nodes clockwise of its start, on average."""
    law, total = zeros(K), zeros(K)
    law[0] = 1.0
    for _ in range(N - 1):
        walk_on(law, p)
        for k in range(K):
            total[k] += law[k]
    return total


def lag_signal(K: int, p: float, N: int, lags: int) -> Vector:
    """E_l for the lags l = 1 to `lags`, (lags,)."""
    seen, law, signal = visits(K, p, N), zeros(K), zeros(lags)
    law[0] = 1.0
    for i in range(lags):
        walk_on(law, p)
        for k in range(K):
            signal[i] += seen[k] * law[k]
    return signal


def best_lag(K: int, p: float, N: int, lags: int) -> int:
    """The lag of 1 to `lags` with the largest signal, the smallest among equals up to rounding."""
    signal = lag_signal(K, p, N, lags)
    top = signal[0]
    for i in range(lags):
        top = max(top, signal[i])
    lag = 1
    while signal[lag - 1] < top - 1e-9:
        lag += 1
    return lag


def second_scores(K: int, p: float, N: int, M: int, lr: float, epsilon: float, lags: int) -> Vector:
    """How far the scores of lags 1 to `lags` lie below the parent's after two steps, (lags,), in nats."""
    signal, rho = lag_signal(K, p, N, lags), 0.5 * float(M + 1)
    seen = float(N - 1) / float(N)
    f = lr / (epsilon * float(K * K)) * seen * seen
    scale = lr * rho * (lr * rho) / (epsilon * (epsilon + f) * float(N * N) * float(K))
    below = zeros(lags)
    for i in range(lags):
        below[i] = scale * (signal[0] - signal[i])
    return below


def best_accuracy(p: float) -> float:
    """max(p, 1 - p)."""
    return max(p, 1.0 - p)


def settled_value(time: float, K: int, p: float, epsilon: float) -> float:
    """Late value of the likelier next node, at learning rate times steps."""
    return sqrt(epsilon * epsilon + 2.0 * time * best_accuracy(p) / float(K)) - epsilon


def law_distance(p: float) -> float:
    """Distance that stays between the directions of V and the law of a step."""
    q = 1.0 - p
    length = sqrt(p * p + q * q)
    a, b = p / length - sqrt(p), q / length - sqrt(q)
    return sqrt(a * a + b * b)


def even_output(K: int, steps: int, lr: float, epsilon: float, start: float) -> Vector:
    """Output at the target before each step on the ridge, (steps + 1,)."""
    path, f = zeros(steps + 1), start + epsilon
    for i in range(steps + 1):
        path[i] = f - epsilon
        f += lr / (float(K * K) * f)
    return path


def growth(K: int, N: int, M: int, lr: float, f: float, epsilon: float, unit: int) -> float:
    """Factor by which a small difference grows in a step on the ridge; `unit` is 1 for tokens of length 1."""
    rho = 0.5 * float(M + 1)
    factor = 1.0 / sqrt(rho * (1.0 + rho)) if unit == 1 else 1.0
    return 1.0 + lr * rho * factor / ((f + epsilon) * float(K) * sqrt(float(N - 1)))


def escape_exponent(K: int, N: int, M: int, lr: float, steps: int, epsilon: float) -> Vector:
    """What must reach log(1/sigma)/2, up to a constant, for the first right answers; (steps + 1,)."""
    f, exponent, grown = even_output(K, steps, lr, epsilon, 0.0), zeros(steps + 1), 0.0
    for i in range(steps + 1):
        exponent[i] = grown + 0.5 * log(f[i] + epsilon)
        grown += log(growth(K, N, M, lr, f[i], epsilon, 1))
    return exponent
