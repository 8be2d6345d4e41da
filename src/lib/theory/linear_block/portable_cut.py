"""The best block of which something is cut, in portable Python, for H = Psi = I.

Chapter `linear_block`. The search of `cut.py`, which has its source: with u the direction of the mean, alpha = a u,
v = b u, c = 1, Q = g I + k uu', q = s u; for each b the risk is a sum of squares of linear forms in (a, g, k, s).
"""

from __future__ import annotations

from dataclasses import dataclass

from lib.portable.linear import factorise, solve
from lib.portable.primitives import Matrix, Vector, inf, sqrt, whole_zeros, zero_matrix, zeros
from lib.portable.vectors import dot, fill_rows

GRID = 33  # values of b that are tried first
GOLDEN = 60  # steps of the search between two of them


@dataclass
class Search:
    """The setting; of the last b the quadratic x'Gx - 2 r'x of x = (a, g, k, s), and where it is least."""

    d: float
    M: float
    sigma: float
    norm: float
    alpha: int  # 1: the query's copy reaches the output
    mask: int  # 1: the query is no example
    G: Matrix  # (4, 4)
    r: Vector  # (4,)
    x: Vector  # (4,)
    b: float


def search_of(d: int, M: float, sigma: float, norm: float, alpha: int, mask: int) -> Search:
    """Room for a search; d is at least 2."""
    return Search(float(d), M, sigma, norm, alpha, mask, zero_matrix(4, 4), zeros(4), zeros(4), 0.0)


def form(a: float, g: float, k: float, s: float) -> Vector:
    """A linear form in (a, g, k, s)."""
    found = zeros(4)
    found[0] = a
    found[1] = g
    found[2] = k
    found[3] = s
    return found


def add_product(G: Matrix, weight: float, one: Vector, other: Vector) -> None:
    """Add the product of two forms, so many times, to a quadratic form."""
    for i in range(4):
        for j in range(4):
            G[i][j] += 0.5 * weight * (one[i] * other[j] + one[j] * other[i])


def risk_at(search: Search, b: float) -> float:
    """The least risk for a b; where it is found stays in the search.

    Letters as in `lib.theory.linear_block.risks`, along the mean: w = v + mean, n of N, e of the step, m of the even
    part; p = q. t is the trace of Q and o its entry along the mean.
    """
    d, M, norm, G, r = search.d, search.M, search.norm, search.G, search.r
    tau, w = search.sigma * search.sigma + d, b + norm
    spread, omega = 2.0 * d + 2.0 / M * (tau * tau + 2.0 * d), (M + 1.0 + tau) / M
    m, n, e = form(1.0, w, w, w * norm + tau), form(0.0, 1.0, 1.0, norm), form(0.0, 1.0, 1.0, w + norm)
    g, p, o, t = form(0.0, 1.0, 0.0, 0.0), form(0.0, 0.0, 0.0, 1.0), form(0.0, 1.0, 1.0, 0.0), form(0.0, d, 1.0, 0.0)
    fill_rows(G, 0.0)
    add_product(G, 1.0, m, m)
    add_product(G, 2.0 * w * w / M, n, n)
    add_product(G, (d - 1.0) * (w * w / M + omega), g, g)
    add_product(G, omega, e, e)
    add_product(G, 4.0 * w / M, p, n)
    add_product(G, spread, p, p)
    for i in range(4):
        r[i] = norm * m[i] + e[i] + (d - 1.0) * g[i]
    if search.mask == 0:
        own = b / M
        add_product(G, 2.0 * own, m, t)
        add_product(G, 4.0 * own, m, o)
        add_product(G, own * own, t, t)
        add_product(G, 2.0 * own * own * (d - 1.0), g, g)
        add_product(G, 10.0 * own * own, o, o)
        add_product(G, 4.0 * own * own, t, o)
        for i in range(4):
            r[i] += norm * own * (t[i] + 2.0 * o[i])
    if search.alpha == 0:
        for i in range(4):
            G[0][i] = 0.0
            G[i][0] = 0.0
        G[0][0] = 1.0
        r[0] = 0.0
    pivots = whole_zeros(4)
    for i in range(4):
        search.x[i] = r[i]
    factorise(G, pivots)
    solve(G, pivots, search.x)
    search.b = b
    return tau + norm * norm - dot(r, search.x)


def best_cut_risk(search: Search) -> float:
    """The least risk of all; b and x of the search become where it is."""
    tau = search.sigma * search.sigma + search.d
    reach = max(search.norm, sqrt(tau))
    low, gap, best, at = -search.norm - reach, 4.0 * reach / float(GRID - 1), inf, 0
    for i in range(GRID):
        risk = risk_at(search, low + gap * float(i))
        if risk < best:
            best = risk
            at = i
    share = 0.5 * (sqrt(5.0) - 1.0)
    left, right = low + gap * float(at - 1), low + gap * float(at + 1)
    one, two = right - share * (right - left), left + share * (right - left)
    first, second = risk_at(search, one), risk_at(search, two)
    for _ in range(GOLDEN):
        if first < second:
            right = two
            two = one
            second = first
            one = right - share * (right - left)
            first = risk_at(search, one)
        else:
            left = one
            one = two
            first = second
            two = left + share * (right - left)
            second = risk_at(search, two)
    return risk_at(search, 0.5 * (left + right))
