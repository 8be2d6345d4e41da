"""The risks that the signal's spectrum decides, in portable Python.

Chapter `linear_block`. Source: Zhang, Wu, Bartlett, arXiv 2402.14951, where a function says so; the others are ours.
phi (d,) are the eigenvalues of Psi^(1/2) H Psi^(1/2), falling; where H = diag(h) and Psi = psi I, as in all figures,
they are psi h. A risk is a mean squared error at the query, label noise included. `moments`, `best` and `traps` have
the same for every task.
"""

from lib.portable.primitives import Vector, divide, inf, nan, zeros
from lib.portable.vectors import dot, total


def label_variance(phi: Vector, sigma: float) -> float:
    """tau = sigma^2 + tr(H Psi): the variance of a label about the prior mean's, which is that prediction's risk.

    Args:
        phi: (d,) spectrum of the signal.
        sigma: standard deviation of the label noise.

    Source: arXiv 2402.14951, Theorem 5.2, where it damps the best step.
    """
    return sigma * sigma + total(phi)


def square_variance(phi: Vector, sigma: float, M: float) -> float:
    """The variance of xi, the mean squared distance of M labels from the prior mean's.

    Args:
        phi: (d,) spectrum of the signal.
        sigma: standard deviation of the label noise.
        M: examples.

    Returns:
        2 kappa + 2/M (tau^2 + 2 kappa), with kappa the sum of phi^2.

    Source: beyond the paper.
    """
    kappa, tau = dot(phi, phi), label_variance(phi, sigma)
    return 2.0 * kappa + 2.0 / M * (tau * tau + 2.0 * kappa)


def best_terms(phi: Vector, sigma: float, M: float) -> Vector:
    """What each direction adds to the risk of the best step, and of the best block.

    Args:
        phi: (d,) spectrum of the signal.
        sigma: standard deviation of the label noise.
        M: examples.

    Returns:
        (d,) phi (tau + phi) / (tau + (M+1) phi); 0 where labels have no variance.

    Source: arXiv 2402.14951, Theorem 5.2 (the step), Theorem 5.3 (the block).
    """
    tau, terms = label_variance(phi, sigma), zeros(len(phi))
    for i in range(len(phi)):
        terms[i] = phi[i] * (tau + phi[i]) / (tau + (M + 1.0) * phi[i]) if tau > 0.0 else 0.0
    return terms


def best_risk(phi: Vector, sigma: float, M: float) -> float:
    """The risk of the best step from a learned start, and of the best block: sigma^2 and the sum of `best_terms`.

    Args:
        phi: (d,) spectrum of the signal.
        sigma: standard deviation of the label noise.
        M: examples.

    Source: arXiv 2402.14951, Theorems 5.2 and 5.3.
    """
    risk, terms = sigma * sigma, best_terms(phi, sigma, M)
    for i in range(len(phi)):
        risk += terms[i]
    return risk


def gap_bound(size: float, M: float) -> float:
    """By at least so much is the best attention without the MLP worse than the best block: |mean|_H^2 / (M + 1).

    Args:
        size: |mean|_H^2, squared length of the prior mean in H.
        M: examples.

    Source: arXiv 2402.14951, Theorem 4.1; the constant is ours.
    """
    return size / (M + 1.0)


def bayes_floor(phi: Vector, sigma: float, M: float) -> float:
    """Below the Bayes risk, by Jensen: sigma^2 and the sum of phi sigma^2 / (sigma^2 + M phi).

    Args:
        phi: (d,) spectrum of the signal.
        sigma: standard deviation of the label noise.
        M: examples.

    Source: arXiv 2402.14951, Section 6; this form is ours.
    """
    noise, risk = sigma * sigma, sigma * sigma
    for i in range(len(phi)):
        risk += phi[i] * noise / (noise + M * phi[i]) if noise > 0.0 else 0.0
    return risk


def bayes_ratio_bound(phi: Vector, sigma: float) -> float:
    """At most so many times the excess of Bayes is that of the best step, over sigma^2; infinite without noise.

    Args:
        phi: (d,) spectrum of the signal, falling.
        sigma: standard deviation of the label noise.

    Returns:
        (tau + phi_1) / sigma^2; isotropic tasks reach it as prompts grow.

    Source: arXiv 2402.14951, Corollary 6.2; the constant is ours.
    """
    return divide(label_variance(phi, sigma) + phi[0], sigma * sigma)


def least_squares_risk(h: Vector, psi: float, mean: Vector, sigma: float, M: int) -> float:
    """The risk of least squares of smallest norm; infinite about M = d.

    Args:
        h: (d,) variances of the features, above 0.
        psi: mean variance of a task vector's entries.
        mean: (d,) prior mean.
        sigma: standard deviation of the label noise.
        M: examples.

    Returns:
        sigma^2 (1 + d / (M - d - 1)) for M >= d + 2; for M <= d - 2 the risk where all of h are 1, elsewhere NaN.

    Source: textbook knowledge (moments of inverse Wishart matrices).
    """
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


def rank_one_gain(phi: Vector, which: int, sigma: float, M: float) -> float:
    """How far the best step of rank one along an axis of the signal goes: M phi_k / (tau + (M+1) phi_k).

    Args:
        phi: (d,) spectrum of the signal, not all 0 where there is no noise.
        which: k, the axis.
        sigma: standard deviation of the label noise.
        M: examples.

    Source: beyond the paper.
    """
    return M * phi[which] / (label_variance(phi, sigma) + (M + 1.0) * phi[which])


def trap_risk(phi: Vector, sigma: float, M: float) -> float:
    """The risk in the trap, the best step of rank one with labels in the keys: tau - gamma phi_1.

    Args:
        phi: (d,) spectrum of the signal, falling.
        sigma: standard deviation of the label noise.
        M: examples.

    Source: beyond the paper.
    """
    return label_variance(phi, sigma) - rank_one_gain(phi, 0, sigma, M) * phi[0]


def trap_criterion(phi: Vector, sigma: float, M: float) -> float:
    """Above 1 the trap is a local minimum, below 1 a saddle; infinite where only one of phi is not 0.

    Args:
        phi: (d,) spectrum of the signal, falling.
        sigma: standard deviation of the label noise.
        M: examples.

    Returns:
        gamma^2/M (V_xi - 2/M phi_1^2) over the sum of the other phi^2.

    Source: beyond the paper.
    """
    gain, first = rank_one_gain(phi, 0, sigma, M), phi[0]
    rest = dot(phi, phi) - first * first
    held = gain * gain / M * (square_variance(phi, sigma, M) - 2.0 * first * first / M)
    return held / rest if rest > 0.0 else inf
