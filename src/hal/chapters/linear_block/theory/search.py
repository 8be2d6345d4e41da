"""The best linear attention without the MLP, in portable Python, for H = diag(h) and Psi = psi I.

Chapter `linear_block`. Source: beyond arXiv 2402.14951; its Theorem 4.1 bounds how far it stays behind. Formulas and
slopes are derived in `attention_only`, which searches for every task. Here the search is quasi-Newton (BFGS with halved
steps) over the virtual mean omega. With H diagonal the matrix G is a diagonal one, a matrix of rank one and a border,
so that an evaluation takes some d^2 operations. h, psi, mean, sigma, M are those of `lib.theory.linear_block.portable`.
"""

from dataclasses import dataclass

from lib.portable.primitives import Matrix, Vector, copy, inf, sqrt, zero_matrix, zeros
from lib.portable.vectors import dot, scaled
from lib.theory.linear_block.portable import label_variance, square_variance

STEPS = 200  # of a search, at most


@dataclass
class Search:
    """The setting, and room for one evaluation."""

    h: Vector
    psi: float
    mean: Vector
    M: float
    tau: float  # variance of a label
    spread: float  # variance of the mean squared label
    mu: Vector  # (d + 1,)
    D: Vector  # (d,) the diagonal of G
    w: Vector  # (d,) mu over it
    border: Vector  # (d,) last column of G
    bent: Vector  # (d,) what the rest of G makes of the border
    Theta: Matrix  # (d, d + 1) step matrix, and p behind it
    m: Vector  # (d,)
    cross: Vector  # (d,)


def search_of(h: Vector, psi: float, mean: Vector, sigma: float, M: float) -> Search:
    """Room for a search."""
    d, phi = len(h), scaled(h, psi)
    return Search(
        h=h, psi=psi, mean=mean, M=M, tau=label_variance(phi, sigma), spread=square_variance(phi, sigma, M),
        mu=zeros(d + 1), D=zeros(d), w=zeros(d), border=zeros(d), bent=zeros(d), Theta=zero_matrix(d, d + 1),
        m=zeros(d), cross=zeros(d),
    )  # fmt: skip


def _solve_row(search: Search, own: float, i: int, factor: float, corner: float, row: Vector) -> None:
    """Row i of Theta = K G^-1, where row i of K is `factor` times mu, plus `own` at i, and `corner` the end of G."""
    mu, D, w, bent, d = search.mu, search.D, search.w, search.bent, len(search.D)
    rate = 1.0 + 1.0 / search.M
    along = dot(w, mu)  # w ends before mu does
    last = (factor * (mu[d] - dot(bent, mu)) - own * bent[i]) / corner
    pulled = rate * (factor * along + own * w[i]) / (1.0 + rate * along)
    for j in range(d):
        row[j] = factor * w[j] - w[j] * pulled - bent[j] * last
    row[i] += own / D[i]
    row[d] = last


def attention_risk(search: Search, omega: Vector, slope: Vector) -> float:
    """The risk of the best attention for a virtual mean (d,); its parameters stay in `Theta`.

    `slope` (d,) gets the slope of the risk in the mean.
    """
    h, psi, mean, M, d = search.h, search.psi, search.mean, search.M, len(search.h)
    tau, mu, Theta = search.tau, search.mu, search.Theta
    b, bias, risk, rate, along, pulled = 0.0, 0.0, tau, 1.0 + 1.0 / M, 0.0, 0.0
    for i in range(d):
        b += h[i] * omega[i] * omega[i]
        bias += psi * h[i] * h[i] * omega[i] * omega[i]
        risk += h[i] * mean[i] * mean[i]
        mu[i] = h[i] * omega[i]
    mu[d] = tau - b
    corner = search.spread + 2.0 * b * b / M - 4.0 / M * bias + mu[d] * mu[d]
    for i in range(d):
        search.D[i] = h[i] * (b + (M + 1.0) * psi * h[i] + tau) / M
        search.w[i] = mu[i] / search.D[i]
        search.border[i] = mu[i] * (2.0 / M * (psi * h[i] - b) + mu[d])
        along += mu[i] * search.w[i]
        pulled += search.w[i] * search.border[i]
    for i in range(d):
        search.bent[i] = search.border[i] / search.D[i] - search.w[i] * rate * pulled / (1.0 + rate * along)
        corner -= search.border[i] * search.bent[i]
    for i in range(d):
        row = Theta[i]
        _solve_row(search, psi * h[i], i, mean[i], corner, row)
        risk -= h[i] * (mean[i] * dot(mu, row) + psi * h[i] * row[i])
    own, pm = 0.0, 0.0
    for i in range(d):
        search.m[i] = dot(Theta[i], mu) - mean[i]
        own += h[i] * Theta[i][d] * Theta[i][d]
        pm += h[i] * Theta[i][d] * search.m[i]
        search.cross[i] = 0.0
    for i in range(d):
        for j in range(d):
            search.cross[j] += Theta[i][j] * h[i] * Theta[i][d]
    turned, PH = 0.0, 0.0
    for j in range(d):
        turned += search.cross[j] * mu[j]
        slope[j] = 4.0 / M * h[j] * (psi * h[j] - b) * search.cross[j] + 8.0 / M * own * (b - psi * h[j]) * mu[j]
    for i in range(d):
        row = Theta[i]
        read = dot(mu, row) - mu[d] * row[d]  # row i of Gamma times H omega
        for j in range(d):
            slope[j] += 2.0 * h[j] * row[j] * h[i] * (search.m[i] + read / M)
            PH += h[i] * row[j] * row[j] * h[j]
    for j in range(d):
        slope[j] += mu[j] * (2.0 / M * PH - 4.0 * pm - 8.0 / M * turned)
    return risk


def searched(search: Search, omega: Vector) -> float:
    """The lowest risk that a search from omega (d,) finds; omega becomes where."""
    d = len(omega)
    inverse, slope, fresh = zero_matrix(d, d), zeros(d), zeros(d)
    way, tried, bent = zeros(d), copy(omega), zeros(d)
    risk = attention_risk(search, omega, slope)
    unit = 1.0 / sqrt(dot(slope, slope) + 1e-300)
    for i in range(d):
        inverse[i][i] = min(1.0, unit)
    for _ in range(STEPS):
        for i in range(d):
            way[i] = -dot(inverse[i], slope)
        down, rate, found = dot(way, slope), 1.0, inf
        if not down < -1e-18 * (1.0 + risk):
            return risk
        while rate > 1e-12 and not found <= risk + 1e-4 * rate * down:
            for i in range(d):
                tried[i] = omega[i] + rate * way[i]
            found = attention_risk(search, tried, fresh)
            rate *= 0.5
        if not found < risk:
            return risk
        turned = 0.0
        for i in range(d):
            way[i] = tried[i] - omega[i]
            omega[i] = tried[i]
            slope[i] = fresh[i] - slope[i]  # how the slope changed
            turned += way[i] * slope[i]
        if turned > 0.0:
            for i in range(d):
                bent[i] = dot(inverse[i], slope)
            stretch = (1.0 + dot(slope, bent) / turned) / turned
            for i in range(d):
                for j in range(d):
                    inverse[i][j] += stretch * way[i] * way[j] - (way[i] * bent[j] + bent[i] * way[j]) / turned
        for i in range(d):
            slope[i] = fresh[i]
        risk = found
    return risk


def best_attention_risk(h: Vector, psi: float, mean: Vector, sigma: float, M: float) -> float:
    """The risk of the best linear attention without the MLP, by searches on both scales and on the first axis."""
    search, best, size = search_of(h, psi, mean, sigma, M), inf, 0.0
    for i in range(len(h)):
        size += h[i] * mean[i] * mean[i]
    if size == 0.0:
        return attention_risk(search, zeros(len(h)), zeros(len(h)))
    other = sqrt(search.tau / size)  # brings the mean to the scale of a label's deviation
    for k in range(4):
        factor = 1.0 if k == 0 else 2.0 if k == 1 else 0.5 if k == 2 else 0.3 * other
        best = min(best, searched(search, scaled(mean, factor)))
    first = zeros(len(h))
    first[0] = 2.0 * sqrt(dot(mean, mean))  # a mean of quiet features is better stood in for by the loudest one
    return min(best, searched(search, first))
