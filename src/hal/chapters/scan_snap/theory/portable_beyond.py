"""Closed forms beyond the paper, written once: classes that overlap alike.

Chapter `scan_snap`. Beyond arXiv 2305.16380; arguments are those of `lib.theory.scan_snap.portable`. Classes are
equal up to renaming, so that any two overlap by the same rho.
"""


def equal_overlaps(K: int, rho: float) -> tuple[float, float]:
    """Diagonal and off-diagonal entry of E' = I - (I + E)^{-1} when any two classes overlap by rho < 1. Beyond."""
    common = (1.0 - rho) * (1.0 + (float(K) - 1.0) * rho)
    return -(float(K) - 1.0) * rho * rho / common, rho / common
