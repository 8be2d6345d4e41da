"""The theory that pages draw, in portable Python: lags, the late law, growth on the ridge.

Chapter `random_walk`. Source: the model of Shi, Cao, arXiv 2511.23239, Section 2; what theory says beyond its theorems
is ours. The page redraws it while a slider moves; `lib.theory.random_walk` has it over arrays. A circle has K >= 3
nodes, a step is clockwise with the chance p in [0, 1], a walk visits N >= 2 nodes, positions have the length M >= N,
rho = (M + 1)/2; `epsilon` is the offset of the log-loss. What is out of range raises InputError.
"""

from lib.errors import require
from lib.portable.primitives import Vector, remainder, sqrt, zeros
from lib.portable.vectors import filled, largest, scale

TIE = 1e-9  # signals so close, in visits, are equal


def check_circle(K: int, p: float) -> None:
    """Refuse what is no circle or no chance: K < 3, or p outside [0, 1]."""
    require(K >= 3, "K", "a whole number >= 3", K)
    require(p >= 0.0 and p <= 1.0, "p", "a probability in [0, 1]", p)


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
    """The power n of at least 0 of the complex number x + iy, real and imaginary part."""
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
    """E_l = sum over m = 1 to N - 1 of [Pi^m (Pi')^l]_00, for the lags l = 1 to `lags`, (lags,).

    The second step of training from zero raises the score of the token at lag l in proportion to it. By the eigenvalues
    of a step: with w_k the k-th root of unity, lambda = Re w_k + i(2p - 1) Im w_k, E_l is the mean over k of
    conj(lambda)^l (lambda + ... + lambda^(N-1)); k = 0 gives (N - 1)/K, and k and K - k the same real part.
    """
    check_circle(K, p)
    require(N >= 2, "N", "a whole number >= 2", N)
    signal = filled(lags, float(N - 1) / float(K))
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
    top = largest(signal)
    lag = 1
    while signal[lag - 1] < top - TIE:
        lag += 1
    return lag


def best_accuracy(p: float) -> float:
    """Accuracy of the best prediction from the node before, max(p, 1 - p)."""
    check_circle(3, p)
    return max(p, 1.0 - p)


def arrivals(K: int, p: float, steps: int) -> Vector:
    """(K,) the chance that a walk from node 0 is at each node after so many steps, at least 1: row 0 of Pi^steps."""
    check_circle(K, p)
    require(steps >= 1, "steps", "a whole number >= 1", steps)
    here = zeros(K)
    here[0] = 1.0
    for _ in range(steps):
        after = zeros(K)
        for k in range(K):
            after[k] = p * here[remainder(k + K - 1, K)] + (1.0 - p) * here[remainder(k + 1, K)]
        here = after
    return here


def turn_law(K: int, p: float) -> Vector:
    """The law of a step by turn, from a node to the one k steps clockwise; (K,), of length 1."""
    law = arrivals(K, p, 1)
    scale(law, 1.0 / sqrt(p * p + (1.0 - p) * (1.0 - p)))
    return law


def law_distance(p: float) -> float:
    """Distance that stays between the directions of V and of the law of a step, 0 for p = 1/2 and without chance.

    |(p, q)/|(p, q)| - (sqrt p, sqrt q)| with q = 1 - p: 0.0967, 0.1745, 0.2107 for p = 0.6, 0.7, 0.9.
    """
    check_circle(3, p)
    q = 1.0 - p
    length = sqrt(p * p + q * q)
    a, b = p / length - sqrt(p), q / length - sqrt(q)
    return sqrt(a * a + b * b)


def even_output(K: int, steps: int, lr: float, epsilon: float, start: float) -> Vector:
    """Output f at the target before each step on the ridge, f + lr / (K^2 (f + epsilon)) after it; (steps + 1,).

    It begins with `start`, which is above -epsilon.
    """
    check_circle(K, 1.0)
    require(start + epsilon > 0.0, "start + epsilon", "a number above 0", start + epsilon)
    path, f = zeros(steps + 1), start + epsilon
    for i in range(steps + 1):
        path[i] = f - epsilon
        f += lr / (float(K * K) * f)
    return path


def on_ridge(K: int, N: int) -> bool:
    """Whether N = rK + 1: a clockwise walk then visits every node r times before its target."""
    return remainder(N - 1, K) == 0


def growth(K: int, N: int, M: int, lr: float, f: float, epsilon: float) -> float:
    """Factor by which a small difference grows in a step on the ridge, 1 + lr rho / ((f + epsilon) K sqrt(N - 1)).

    N is a multiple of K, plus 1, and the output f at the target above -epsilon.
    """
    require(on_ridge(K, N), "N", "a multiple of K, plus 1", N)
    require(M >= N, "M", "at least N, so that positions are orthogonal", M)
    require(f + epsilon > 0.0, "f + epsilon", "a number above 0", f + epsilon)
    rho = 0.5 * float(M + 1)
    return 1.0 + lr * rho / ((f + epsilon) * float(K) * sqrt(float(N - 1)))
