"""Risks of one gradient step, and the best of them, in portable Python, for H = diag(h) and Psi = psi I.

Chapter `linear_block`. Source: arXiv 2402.14951, equation 5.1 (the step), Theorem 5.2 (the best), Lemma H.4 (moments).
`best`, `moments` and `risks` have them for every task. Arguments go by one name everywhere: h (d,) are the variances of
the features, psi that of a task vector's entry, mean (d,) is the prior mean, sigma the standard deviation of the label
noise, M the number of examples.
"""

from lib.portable.linear import factorise, solve
from lib.portable.primitives import Matrix, Vector, whole_zeros, zero_matrix, zeros
from lib.portable.vectors import dot, scaled
from lib.theory.linear_block.portable import label_variance


def best_gains(h: Vector, psi: float, sigma: float, M: float) -> Vector:
    """The best step matrix, which is diagonal: psi / ((M+1)/M psi h + tau/M).

    Args:
        h, psi, sigma, M: of the task; h may be a spectrum, with psi = 1, and the gains are those along its axes. The
            variance tau of a label must be above 0.

    Returns:
        (d,)

    Source: arXiv 2402.14951, Theorem 5.2, without an inverse of a covariance.
    """
    tau, gains = label_variance(scaled(h, psi), sigma), zeros(len(h))
    for i in range(len(h)):
        gains[i] = psi / ((M + 1.0) / M * psi * h[i] + tau / M)
    return gains


def task_moment(psi: float, mean: Vector, beta: Vector) -> Matrix:
    """The second moment of the task vector about beta, psi I + (mean - beta)(mean - beta)'.

    Args:
        psi, mean: of the task.
        beta: (d,) start.

    Returns:
        A (d, d).

    Source: beyond the paper.
    """
    d = len(mean)
    A = zero_matrix(d, d)
    for i in range(d):
        for j in range(d):
            A[i][j] = (mean[i] - beta[i]) * (mean[j] - beta[j])
        A[i][i] += psi
    return A


def step_moment(h: Vector, A: Matrix, sigma: float, M: float) -> Matrix:
    """B(A) = (M+1)/M H A H + (tr(HA) + sigma^2)/M H, the moment of what a step reads; `moments.step_moment`.

    Args:
        h, sigma, M: of the task.
        A: (d, d) second moment of the task vector about the start, symmetric.

    Returns:
        (d, d)

    Source: arXiv 2402.14951, Lemma H.4.
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


def step_risk(h: Vector, psi: float, mean: Vector, sigma: float, M: float, beta: Vector, Gamma: Matrix) -> float:
    """The risk of one gradient step; `risks.step_risk` has it for every task.

    Args:
        h, psi, mean, sigma, M: of the task.
        beta: (d,) start.
        Gamma: (d, d) step matrix.

    Source: beyond the paper, by its Lemma H.4.
    """
    d, risk = len(h), sigma * sigma
    A = task_moment(psi, mean, beta)
    B = step_moment(h, A, sigma, M)
    for i in range(d):
        risk += h[i] * A[i][i]
        for j in range(d):
            risk -= 2.0 * h[i] * Gamma[i][j] * h[j] * A[j][i]
            risk += h[i] * Gamma[i][j] * dot(B[j], Gamma[i])
    return risk


def best_risk_from(h: Vector, psi: float, mean: Vector, sigma: float, M: float, beta: Vector) -> float:
    """The risk of the best step from a given start; from zero that of `best.zero_start_risk`.

    Args:
        h, psi, mean, sigma, M: of the task; h above 0.
        beta: (d,) start.

    Source: beyond the paper.
    """
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
    """The risk of a step from the prior mean with a diagonal step matrix, on prompts of M examples.

    Args:
        h, psi, sigma, M: of the task.
        gains: (d,) the diagonal.

    Source: beyond the paper, by its Lemma H.4.
    """
    tau = label_variance(scaled(h, psi), sigma)
    risk = tau
    for i in range(len(h)):
        phi, g = psi * h[i], gains[i] * h[i]
        risk += g * ((M + 1.0) / M * phi + tau / M) * g - 2.0 * g * phi
    return risk


def long_risk(h: Vector, psi: float, sigma: float, gains: Vector) -> float:
    """The risk of a step from the prior mean with a diagonal step matrix, as prompts grow without end.

    Args:
        h, psi, sigma: of the task.
        gains: (d,) the diagonal.

    Source: beyond the paper.
    """
    risk = sigma * sigma
    for i in range(len(h)):
        left = 1.0 - gains[i] * h[i]
        risk += psi * h[i] * left * left
    return risk
