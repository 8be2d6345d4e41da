"""Risks of one step from any start, and of a step with a diagonal matrix, for H = diag(h) and Psi = psi I.

Chapter `linear_block`, ours. Arguments are those of `lib.theory.linear_block.portable`.
"""

from lib.portable.linear import factorise, solve
from lib.portable.primitives import Matrix, Vector, whole_zeros, zero_matrix, zeros
from lib.portable.vectors import scaled
from lib.theory.linear_block.portable import label_variance


def task_moment(psi: float, mean: Vector, beta: Vector) -> Matrix:
    """A = psi I + (mean - beta)(mean - beta)' (d, d), the second moment of the task vector about beta. Ours."""
    d = len(mean)
    A = zero_matrix(d, d)
    for i in range(d):
        for j in range(d):
            A[i][j] = (mean[i] - beta[i]) * (mean[j] - beta[j])
        A[i][i] += psi
    return A


def step_moment(h: Vector, A: Matrix, sigma: float, M: float) -> Matrix:
    """B(A) = (M+1)/M H A H + (tr(HA) + sigma^2)/M H (d, d), the moment of what a step reads, for a symmetric A (d, d).

    Lemma H.4.
    """
    d, trace = len(h), sigma * sigma
    B = zero_matrix(d, d)
    for i in range(d):
        trace += h[i] * A[i][i]
    for i in range(d):
        for j in range(d):
            B[i][j] = (M + 1.0) / M * h[i] * A[i][j] * h[j]
        B[i][i] += trace / M * h[i]
    return B


def best_risk_from(h: Vector, psi: float, mean: Vector, sigma: float, M: float, beta: Vector) -> float:
    """The risk of the best step from a given start, for h above 0; from zero that of `zero_start_risk`. Ours."""
    d, risk = len(h), sigma * sigma
    A = task_moment(psi, mean, beta)
    B = step_moment(h, A, sigma, M)
    pivots, row = whole_zeros(d), zeros(d)
    factorise(B, pivots)
    for i in range(d):
        risk += h[i] * A[i][i]
        for j in range(d):
            row[j] = A[i][j] * h[j]
        solve(B, pivots, row)  # row i of the best step matrix
        for j in range(d):
            risk -= h[i] * row[j] * h[j] * A[j][i]
    return risk


def gains_risk(h: Vector, psi: float, sigma: float, M: float, gains: Vector) -> float:
    """The risk of a step from the prior mean with a diagonal step matrix, on prompts of M examples. Ours."""
    tau = label_variance(scaled(h, psi), sigma)
    risk = tau
    for i in range(len(h)):
        phi, g = psi * h[i], gains[i] * h[i]
        risk += g * ((M + 1.0) / M * phi + tau / M) * g - 2.0 * g * phi
    return risk
