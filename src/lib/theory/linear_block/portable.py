"""Risks of the best rules, and the trap, in portable Python, for H = diag(h) and Psi = psi I.

Chapter `linear_block`. Source: Zhang, Wu, Bartlett, arXiv 2402.14951: equation 5.1 (the step), Theorems 4.1, 5.2 and
5.3, Lemma H.4 (moments); what a function calls ours is. A risk is a mean squared error at the query in squared labels,
label noise included. Nothing is refused.

Arguments go by one name everywhere: h (d,) are the variances of the features, psi that of a task vector's entry, mean
(d,) is the prior mean, sigma the standard deviation of the label noise, M the number of examples, beta (d,) the start
of a step, gains (d,) the diagonal of its matrix. phi (d,) is the spectrum of the signal, the eigenvalues of Psi^(1/2) H
Psi^(1/2), falling: psi h where h falls, as in all figures.
"""

from lib.portable.primitives import Vector, inf, zeros
from lib.portable.vectors import dot, scaled, total


def label_variance(phi: Vector, sigma: float) -> float:
    """tau = sigma^2 + tr(H Psi): the variance of a label about the prior mean's, which is that prediction's risk."""
    return sigma * sigma + total(phi)


def square_variance(phi: Vector, sigma: float, M: float) -> float:
    """The variance of xi, the mean squared distance of M labels from the prior mean's: 2 kappa + 2/M (tau^2 + 2 kappa).

    kappa is the sum of phi^2. Ours.
    """
    kappa, tau = dot(phi, phi), label_variance(phi, sigma)
    return 2.0 * kappa + 2.0 / M * (tau * tau + 2.0 * kappa)


def best_terms(phi: Vector, sigma: float, M: float) -> Vector:
    """(d,) phi (tau + phi) / (tau + (M+1) phi), what directions add to the risk of the best step, or block.

    It is 0 where labels have no variance.
    """
    tau, terms = label_variance(phi, sigma), zeros(len(phi))
    for i in range(len(phi)):
        terms[i] = phi[i] * (tau + phi[i]) / (tau + (M + 1.0) * phi[i]) if tau > 0.0 else 0.0
    return terms


def best_risk(phi: Vector, sigma: float, M: float) -> float:
    """The risk of the best step from a learned start, and of the best block: sigma^2 and the sum of `best_terms`."""
    risk, terms = sigma * sigma, best_terms(phi, sigma, M)
    for i in range(len(phi)):
        risk += terms[i]
    return risk


def gap_bound(size: float, M: float) -> float:
    """By at least |mean|_H^2 / (M + 1) is the best attention without the MLP worse than the best block; the constant is
    ours. The `size` is |mean|_H^2, the squared length of the prior mean in H.
    """
    return size / (M + 1.0)


def rank_one_gain(phi: Vector, which: int, sigma: float, M: float) -> float:
    """How far the best step of rank one along an axis of the signal goes: M phi_k / (tau + (M+1) phi_k). Ours.

    Without noise phi may not be all 0.
    """
    return M * phi[which] / (label_variance(phi, sigma) + (M + 1.0) * phi[which])


def trap_risk(phi: Vector, sigma: float, M: float) -> float:
    """The risk in the trap, the best step of rank one with labels in the keys: tau - gamma phi_1. Ours."""
    return label_variance(phi, sigma) - rank_one_gain(phi, 0, sigma, M) * phi[0]


def trap_criterion(phi: Vector, sigma: float, M: float) -> float:
    """gamma^2/M (V_xi - 2/M phi_1^2) over the sum of the other phi^2. Ours.

    Above 1 the trap is a local minimum, below 1 a saddle. It is infinite where only one of phi is not 0.
    """
    gain, first = rank_one_gain(phi, 0, sigma, M), phi[0]
    rest = dot(phi, phi) - first * first
    held = gain * gain / M * (square_variance(phi, sigma, M) - 2.0 * first * first / M)
    return held / rest if rest > 0.0 else inf


def best_gains(h: Vector, psi: float, sigma: float, M: float) -> Vector:
    """(d,) psi / ((M+1)/M psi h + tau/M), the diagonal of the best step matrix, which has nothing else.

    h may be a spectrum, with psi = 1: then these are the gains along its axes. Labels must have a variance.
    """
    tau, gains = label_variance(scaled(h, psi), sigma), zeros(len(h))
    for i in range(len(h)):
        gains[i] = psi / ((M + 1.0) / M * psi * h[i] + tau / M)
    return gains
