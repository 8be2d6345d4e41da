"""The theory that pages draw, in portable Python: lags, the late law, growth on the ridge and the time of escape.

Chapter `random_walk`. The formulas of `circle.py`, `early.py`, `late.py` and `ridge.py`, which have their sources and
derivations, for one setting at a time; arguments have their names there and are checked by the caller.
"""

from __future__ import annotations

from lib.portable.numbers import log
from lib.portable.primitives import Vector, remainder, sqrt, zeros
from lib.portable.vectors import fill


def first_turn(K: int) -> tuple[float, float]:
    """Cosine and sine of 2 pi / K, K of at least 3, by their series."""
    x = 6.283185307179586 / float(K)
    cosine, sine, term = 1.0, x, 1.0
    for n in range(1, 16):
        term *= -x * x / float((2 * n - 1) * (2 * n))
        cosine += term
        sine += term * x / float(2 * n + 1)
    return cosine, sine


def power(x: float, y: float, n: int) -> tuple[float, float]:
    """The power n of at least 0 of the complex number x + iy, by squaring."""
    a, b, rest = 1.0, 0.0, n
    while rest > 0:
        if remainder(rest, 2) == 1:
            real = a * x - b * y
            b = a * y + b * x
            a = real
        square = x * x - y * y
        y = 2.0 * x * y
        x = square
        rest = rest // 2
    return a, b


def lag_signal(K: int, p: float, N: int, lags: int) -> Vector:
    """E_l for the lags l = 1 to `lags`, (lags,).

    By the eigenvalues of a step: with w_k the k-th root of unity, lambda = Re w_k + i(2p - 1) Im w_k, E_l is the mean
    over k of conj(lambda)^l (lambda + ... + lambda^(N-1)); k = 0 gives (N - 1)/K, and k and K - k the same real part.
    """
    signal = zeros(lags)
    fill(signal, float(N - 1) / float(K))
    cosine, sine = first_turn(K)
    c, s = 1.0, 0.0
    for k in range(1, K // 2 + 1):
        real = c * cosine - s * sine
        s = s * cosine + c * sine
        c = real
        x, y = c, (2.0 * p - 1.0) * s
        a, b = power(x, y, N - 1)
        # lambda (1 - lambda^(N-1)) / (1 - lambda), times the conjugate of 1 - lambda above and below
        up, across = x * (1.0 - a) + y * b, y * (1.0 - a) - x * b
        size = (1.0 - x) * (1.0 - x) + y * y
        u, v = (up * (1.0 - x) - across * y) / size, (across * (1.0 - x) + up * y) / size
        weight = (1.0 if 2 * k == K else 2.0) / float(K)
        for i in range(lags):
            turned = u * x + v * y
            v = v * x - u * y
            u = turned
            signal[i] += weight * u
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
