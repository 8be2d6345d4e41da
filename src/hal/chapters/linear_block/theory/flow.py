"""How fast gradient descent may follow the flow of one learned step, in portable Python.

Chapter `linear_block`. Source: ours, beyond arXiv 2402.14951, Section 6; for H = diag(h) and Psi = psi I, all (d,). h,
psi, mean, sigma, M are those of `lib.theory.linear_block.portable`.
"""

from lib.portable.primitives import Vector, divide, sqrt, zeros
from lib.portable.vectors import dot, largest

HALVES = 60  # of the interval that the largest eigenvalue is in


def largest_eigenvalue(diagonal: Vector, z: Vector) -> float:
    """The largest eigenvalue of diag(diagonal) + z z', both (d,), to rounding.

    It is where the sum of z^2 / (lambda - diagonal), which falls, is 1; or the largest of the diagonal, if the sum is
    below 1 all the way down to it.
    """
    low = largest(diagonal)
    high = low + dot(z, z)
    for _ in range(HALVES):
        middle, crowd = 0.5 * (low + high), 0.0
        for i in range(len(z)):
            if z[i] != 0.0:
                crowd += divide(z[i] * z[i], middle - diagonal[i])
        if crowd > 1.0:
            low = middle
        else:
            high = middle
    return high


def stable_rate(h: Vector, psi: float, mean: Vector, sigma: float, M: float) -> float:
    """1 / (largest h times lambda_max(B(A))): below it gradient descent from zero was stable in every case tried.

    B(A) is a diagonal matrix and one of rank one, so this is exact to rounding for every h and mean.
    """
    d, trace, more = len(h), sigma * sigma, (M + 1.0) / M
    diagonal, z = zeros(d), zeros(d)
    for i in range(d):
        trace += h[i] * (psi + mean[i] * mean[i])
        z[i] = sqrt(more) * h[i] * mean[i]
    for i in range(d):
        diagonal[i] = more * psi * h[i] * h[i] + trace / M * h[i]
    return 1.0 / (largest(h) * largest_eigenvalue(diagonal, z))
