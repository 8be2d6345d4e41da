"""Closed forms beyond the paper, written once: classes that overlap alike.

Chapter `scan_snap`. Beyond arXiv 2305.16380; arguments are those of `lib.theory.scan_snap.portable`. Classes are
equal up to renaming, so that any two overlap by the same rho.
"""

from lib.portable.primitives import sqrt


def class_angle(rho: float) -> float:
    """The angle whose cosine is rho, 0 <= rho <= 1, in degrees: that of two decoder inputs with this overlap.

    By halving the angle until its cosine is 1 but for its square: 1 - cos of the half keeps all digits.
    """
    v, times = 1.0 - rho, 1.0
    for _ in range(20):
        v = 0.5 * v / (1.0 + sqrt(1.0 - 0.5 * v))
        times *= 2.0
    return times * sqrt(2.0 * v) * (1.0 + v / 12.0) * 57.29577951308232


def equal_overlaps(K: int, rho: float) -> tuple[float, float]:
    """Diagonal and off-diagonal entry of E' = I - (I + E)^{-1} when any two classes overlap by rho < 1. Beyond."""
    common = (1.0 - rho) * (1.0 + (float(K) - 1.0) * rho)
    return -(float(K) - 1.0) * rho * rho / common, rho / common
