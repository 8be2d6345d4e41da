r"""The risks that pages draw, in portable Python, for H = diag(h) and Psi = psi I.

Chapter `linear_block`. The formulas of `moments.py`, `best.py` and `risks.py`, which have their sources and
derivations; arguments are checked by the caller. All entries of h are above 0, and so is the variance tau of a label.
"""

from __future__ import annotations

from lib.portable.linear import factorise, solve
from lib.portable.primitives import Matrix, Vector, inf, nan, whole_zeros, zero_matrix, zeros
from lib.portable.vectors import dot, total


def label_variance(h: Vector, psi: float, sigma: float) -> float:
    """tau, which is also the risk of the prior mean's prediction."""
    return sigma * sigma + psi * total(h)


def square_variance(h: Vector, psi: float, sigma: float, M: float) -> float:
    """The variance of the mean squared distance of labels from the prior mean's."""
    kappa, tau = psi * psi * dot(h, h), label_variance(h, psi, sigma)
    return 2.0 * kappa + 2.0 / M * (tau * tau + 2.0 * kappa)


def best_gains(h: Vector, psi: float, sigma: float, M: float) -> Vector:
    """(d,) diagonal of the best step matrix, which has nothing beside it."""
    tau, gains = label_variance(h, psi, sigma), zeros(len(h))
    for i in range(len(h)):
        gains[i] = psi / ((M + 1.0) / M * psi * h[i] + tau / M)
    return gains


def best_risk(h: Vector, psi: float, sigma: float, M: float) -> float:
    """Of the best step from a learned start, and of the best block."""
    tau, risk = label_variance(h, psi, sigma), sigma * sigma
    for i in range(len(h)):
        phi = psi * h[i]
        risk += phi * (tau + phi) / (tau + (M + 1.0) * phi)
    return risk


def task_moment(h: Vector, psi: float, mean: Vector, beta: Vector) -> Matrix:
    """A (d, d), the second moment of the task vector about beta."""
    d = len(h)
    A = zero_matrix(d, d)
    for i in range(d):
        for j in range(d):
            A[i][j] = (mean[i] - beta[i]) * (mean[j] - beta[j])
        A[i][i] += psi
    return A


def step_moment(h: Vector, A: Matrix, sigma: float, M: float) -> Matrix:
    """B(A) (d, d)."""
    d, trace = len(h), sigma * sigma
    B = zero_matrix(d, d)
    for i in range(d):
        trace += h[i] * A[i][i]
    for i in range(d):
        for j in range(d):
            B[i][j] = (M + 1.0) / M * h[i] * A[i][j] * h[j]
        B[i][i] += trace / M * h[i]
    return B


def step_risk(h: Vector, psi: float, mean: Vector, sigma: float, M: float, beta: Vector, Gamma: Matrix) -> float:
    """Of one step from beta with step matrix Gamma (d, d), on prompts of M examples."""
    d, risk = len(h), sigma * sigma
    A = task_moment(h, psi, mean, beta)
    B = step_moment(h, A, sigma, M)
    for i in range(d):
        risk += h[i] * A[i][i]
        for j in range(d):
            risk -= 2.0 * h[i] * Gamma[i][j] * h[j] * A[j][i]
            risk += h[i] * Gamma[i][j] * dot(B[j], Gamma[i])
    return risk


def best_risk_from(h: Vector, psi: float, mean: Vector, sigma: float, M: float, beta: Vector) -> float:
    """Of the best step from a given start; from zero it is that of GD-0."""
    d, risk = len(h), sigma * sigma
    A = task_moment(h, psi, mean, beta)
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


def long_risk(h: Vector, psi: float, sigma: float, gains: Vector) -> float:
    """Of a step from the prior mean with a diagonal step matrix, as prompts grow without end."""
    risk = sigma * sigma
    for i in range(len(h)):
        left = 1.0 - gains[i] * h[i]
        risk += psi * h[i] * left * left
    return risk


def gains_risk(h: Vector, psi: float, sigma: float, M: float, gains: Vector) -> float:
    """Of a step from the prior mean with a diagonal step matrix, on prompts of M examples."""
    tau, risk = label_variance(h, psi, sigma), label_variance(h, psi, sigma)
    for i in range(len(h)):
        phi, g = psi * h[i], gains[i] * h[i]
        risk += g * ((M + 1.0) / M * phi + tau / M) * g - 2.0 * g * phi
    return risk


def bayes_floor(h: Vector, psi: float, sigma: float, M: float) -> float:
    """Below the Bayes risk, by Jensen; the noise is above 0."""
    noise, risk = sigma * sigma, sigma * sigma
    for i in range(len(h)):
        risk += psi * h[i] * noise / (noise + M * psi * h[i])
    return risk


def least_squares_risk(h: Vector, psi: float, mean: Vector, sigma: float, M: int) -> float:
    """Of least squares; infinite about M = d, and not a number below it unless all entries of h are 1."""
    d, noise = len(h), sigma * sigma
    spare = M - d
    if spare >= 2:
        return noise * (1.0 + float(d) / float(spare - 1))
    if spare >= 0 and noise == 0.0:
        return 0.0
    if spare >= -1 and noise > 0.0:
        return inf
    for i in range(d):
        if h[i] != 1.0:
            return nan
    missed = (1.0 - float(M) / float(d)) * (psi * float(d) + dot(mean, mean))
    return missed if noise == 0.0 else noise + missed + noise * float(M) / float(d - M - 1)


def trap_gain(h: Vector, psi: float, sigma: float, M: float) -> float:
    """gamma, how far the trap's step of rank one goes; the first entry of h is the largest."""
    phi = psi * h[0]
    return M * phi / (label_variance(h, psi, sigma) + (M + 1.0) * phi)


def trap_risk(h: Vector, psi: float, sigma: float, M: float) -> float:
    """The risk in the trap; the first entry of h is the largest."""
    return label_variance(h, psi, sigma) - trap_gain(h, psi, sigma, M) * psi * h[0]


def trap_criterion(h: Vector, psi: float, sigma: float, M: float) -> float:
    """Above 1 the trap is a local minimum; the first entry of h is the largest, and d at least 2."""
    phi, gain = psi * h[0], trap_gain(h, psi, sigma, M)
    rest = psi * psi * dot(h, h) - phi * phi
    held = gain * gain / M * (square_variance(h, psi, sigma, M) - 2.0 * phi * phi / M)
    return held / rest if rest > 0.0 else inf
