"""The closed forms that pages draw, in portable Python: the decoder's clock, its two stages, drive, growth, fates.

Chapter `scan_snap`. The same formulas as `lib.theory.scan_snap`, for one setting at a time; the page redraws them while
a slider moves. Classes are equal up to renaming, so that any two overlap by the same rho. Time is in steps. Source:
Tian, Wang, Chen, Du (2023), arXiv 2305.16380, Sections 5 to 7.
"""

from __future__ import annotations

from lib.portable.numbers import exp, log
from lib.portable.primitives import divide, inf, sqrt
from lib.portable.small import expm1, log1p


def logit_gap(t: float, K: int, M: int, lr_Y: float) -> float:
    """Gap x between the right token's logit and any other's: the root of e^x + (M - 1) x = M lr_Y t / K + 1 (Lemma 6).

    By Newton's method from the right, where it falls towards the root without passing it.
    """
    reached = float(M) * lr_Y * t / float(K)
    x = min(reached / float(M), log1p(reached))
    for _ in range(60):
        slope = exp(x) + float(M) - 1.0
        x -= (expm1(x) + (float(M) - 1.0) * x - reached) / slope
    return x


def residual(x: float, M: int) -> float:
    """Probability not yet on the right token at gap x, (M - 1) / (M - 1 + e^x)."""
    return (float(M) - 1.0) / (float(M) - 1.0 + exp(x))


def speed(x: float, M: int) -> float:
    """Speed coefficient gamma at gap x (Theorem 1): what the decoder knows, (M - 1)/M x, times how often it errs."""
    return (float(M) - 1.0) / float(M) * x * residual(x, M)


def line_root(M: int) -> float:
    """The large root x-hat of e^x = (M - 1) x (Lemma 8). M is at least 4."""
    x = 2.0 * log(float(M))
    for _ in range(60):
        x -= (exp(x) - (float(M) - 1.0) * x) / (exp(x) - (float(M) - 1.0))
    return x


def scan_end(K: int, M: int, lr_Y: float) -> float:
    """End of the scan, t0' = K ln M / lr_Y."""
    return float(K) * log(float(M)) / lr_Y


def snap_start(K: int, M: int, lr_Y: float) -> float:
    """Start of the snap, t0 = 2 (1 + omega_1) t0' with 1 + omega_1 = x-hat / ln M (Lemma 9). M is at least 4."""
    return 2.0 * float(K) * line_root(M) / lr_Y


def operational_time(x: float, K: int, M: int, lr_Y: float, lr_Z: float) -> float:
    """Gamma = lr_Z int gamma dt up to the gap x = M h: (lr_Z / lr_Y) (K / 2) ((M - 1) h)^2, exact (Theorem 4)."""
    known = (float(M) - 1.0) / float(M) * x
    return 0.5 * lr_Z / lr_Y * float(K) * known * known


def reduced_B(Gamma: float, C0: float) -> float:
    """Growth exponent B = ln(1 + 4 Gamma / C0) / 4 of the reduced system; its common logit is -B (Theorem 4)."""
    return 0.25 * log1p(4.0 * Gamma / C0)


def coupling(K: int, rho: float, M: int) -> float:
    """beta of two classes when any two overlap by rho: what f_n' takes from g_n, over gamma (Theorem 1)."""
    q1 = float(M) / (float(M) - 1.0)
    q0 = -q1 / (float(M) - 1.0)
    common = (1.0 - rho) * (1.0 + (float(K) - 1.0) * rho)
    diagonal = -(float(K) - 1.0) * rho * rho / common  # the entries of E'
    other = rho / common
    return q1 * other - q0 * (1.0 - diagonal - (float(K) - 2.0) * other)


def drive(K: int, rho: float, M: int) -> float:
    """Drive xi over gamma when any two classes overlap by rho, (K - 1) beta rho; some (K - 1) rho^2 if rho is small."""
    return (float(K) - 1.0) * coupling(K, rho, M) * rho


def lower_bound(input_start: float, B: float) -> float:
    """e^{2 f^2 B}, f the input at the start: a class's leading distinct token grows by no less (Theorem 3)."""
    return exp(2.0 * input_start * input_start * B)


def upper_bound(B: float) -> float:
    """e^{2 B}: it grows by no more (Theorem 3)."""
    return exp(2.0 * B)


def obeys_assumption_2(K: int, rho: float, M: int) -> bool:
    """Whether the eigenvalues (K - 1) rho and -rho of the overlaps are below 1/K and at least 6 / sqrt(M) in size."""
    return (float(K) - 1.0) * rho < 1.0 / float(K) and rho >= 6.0 / sqrt(float(M))


def kappa_star(rho: float, shared: bool) -> float:
    """Ratio above which a partly common token gains at overlap rho: (1 + sqrt(1 - rho^2)) / rho, or 1 / rho.

    Args:
        rho: overlap of the two classes, from 0 to 1; at 0 the ratio is infinite.
        shared: one query for both classes; otherwise each has its own.
    """
    if rho <= 0.0:
        return inf
    return (1.0 + sqrt(max(0.0, 1.0 - rho * rho))) / rho if shared else divide(1.0, rho)
