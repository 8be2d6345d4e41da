"""Gradient flow of one learned step, and how fast descent may follow it, in portable Python.

Chapter `linear_block`. Source: arXiv 2402.14951, Section 6 and Lemma G.2 (the flow); learning rates are ours. For H =
diag(h) and Psi = psi I; `training` has slopes, path and rate for every task. h, psi, mean, sigma, M are those of
`portable`; a state y is beta, then Gamma row by row.
"""

from dataclasses import dataclass

from lib.portable.explicit import flow_from
from lib.portable.primitives import Matrix, Vector, divide, sqrt, zero_matrix, zeros
from lib.portable.stiff import stiff_flow_to
from lib.portable.vectors import dot, largest
from lib.theory.linear_block.portable import step_moment, task_moment

HALVES = 60  # of the interval that the largest eigenvalue is in


@dataclass
class StepLaw:
    """What the flow depends on, and room for its slope."""

    h: Vector
    psi: float
    mean: Vector
    sigma: float
    M: float
    HGH: Matrix  # (d, d)


def step_law(h: Vector, psi: float, mean: Vector, sigma: float, M: float) -> StepLaw:
    """The flow's parameters.

    Source: arXiv 2402.14951, Section 6.
    """
    return StepLaw(h, psi, mean, sigma, M, zero_matrix(len(h), len(h)))


def step_slope(t: float, y: Vector, out: Vector, law: StepLaw) -> None:
    """The slope of y = (beta, Gamma): beta' = -2 K(Gamma)(beta - mean), Gamma' = 2 (H A H - H Gamma B(A)).

    `out` (d + d d,) gets it; it does not depend on the time.

    Source: arXiv 2402.14951, Lemma G.2.
    """
    h, mean, M, d, HGH = law.h, law.mean, law.M, len(law.h), law.HGH
    beta, squares = zeros(d), 0.0
    for i in range(d):
        beta[i] = y[i]
        for j in range(d):
            gamma = y[d + d * i + j]
            HGH[i][j] = h[i] * gamma * h[j]
            squares += HGH[i][j] * gamma
    A = task_moment(law.psi, mean, beta)
    B = step_moment(h, A, law.sigma, M)
    for i in range(d):
        push = (1.0 + squares / M) * h[i] * (beta[i] - mean[i])
        for j in range(d):
            fourth = 0.0
            pulled = 0.0
            for k in range(d):
                fourth += HGH[k][i] * HGH[k][j] / h[k]
                pulled += h[i] * y[d + d * i + k] * B[k][j]
            push += ((M + 1.0) / M * fourth - HGH[i][j] - HGH[j][i]) * (beta[j] - mean[j])
            out[d + d * i + j] = 2.0 * (h[i] * A[i][j] * h[j] - pulled)
        out[i] = -2.0 * push


def step_path(law: StepLaw, y: Vector, times: Vector, tolerance: float) -> Matrix:
    """(T, d + d d) states of the flow at rising times (T,), from a state at time 0, by the stiff integrator.

    The tolerance is the error allowed a step.

    Source: arXiv 2402.14951, Section 6.
    """
    states, flow = zero_matrix(len(times), len(y)), flow_from(0.0, y)
    for i in range(len(times)):
        stiff_flow_to(times[i], flow, step_slope, law, tolerance)
        for j in range(len(y)):
            states[i][j] = flow.y[j]
    return states


def largest_eigenvalue(diagonal: Vector, z: Vector) -> float:
    """The largest eigenvalue of diag(diagonal) + z z', both (d,), to rounding.

    It is where the sum of z^2 / (lambda - diagonal), which falls, is 1; or the largest of the diagonal, if the sum is
    below 1 all the way down to it.

    Source: textbook knowledge (the secular equation).
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

    Source: beyond the paper.
    """
    d, trace, more = len(h), sigma * sigma, (M + 1.0) / M
    diagonal, z = zeros(d), zeros(d)
    for i in range(d):
        trace += h[i] * (psi + mean[i] * mean[i])
        z[i] = sqrt(more) * h[i] * mean[i]
    for i in range(d):
        diagonal[i] = more * psi * h[i] * h[i] + trace / M * h[i]
    return 1.0 / (largest(h) * largest_eigenvalue(diagonal, z))
