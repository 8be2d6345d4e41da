"""What the output of a block is made of, and the best block of which something is cut; in portable Python.

Chapter `linear_block`. Source: beyond arXiv 2402.14951, by its equation D.1. `cut` has the parts for every task, with
their derivation; here H = diag(h) and Psi = psi I. Names are those of `portable`; alpha, v, c, Q, q are the parameters
of a block.

What is cut is alpha, the mask, or both. For isotropic tasks, H = I and Psi = psi I, with u the direction of the mean,
the search is among blocks with alpha = a u, v = b u, c = 1, Q = g I + k uu', q = s u: for each b the risk is a sum of
squares of linear forms in (a, g, k, s), so one linear system has its minimum, and b is searched for. That no other
block is better is tested, not proved.
"""

from dataclasses import dataclass

from lib.portable.linear import factorise, solve
from lib.portable.primitives import Matrix, Vector, inf, sqrt, whole_zeros, zero_matrix, zeros
from lib.portable.vectors import dot, fill_rows, filled, scaled
from lib.theory.linear_block.portable import best_gains, label_variance, step_moment, task_moment

PARTS = 5  # query alone, labels and features, features twice, labels twice, query three times
GRID = 33  # values of b that are tried first
GOLDEN = 60  # steps of the search between two of them


@dataclass
class Cut:
    """The best block of its kind."""

    risk: float
    numbers: Vector  # a, b, g, k, s


@dataclass
class Search:
    """The setting; of the last b the quadratic x'Gx - 2 r'x of x = (a, g, k, s), and where it is least."""

    d: float
    M: float
    psi: float
    sigma: float
    norm: float
    alpha: int  # 1: the query's copy reaches the output
    mask: int  # 1: the query is no example
    G: Matrix  # (4, 4)
    r: Vector  # (4,)
    x: Vector  # (4,)
    b: float


def best_cut(d: int, M: float, psi: float, sigma: float, norm: float, alpha: int, mask: int) -> Cut:
    """The best block with what is left.

    Args:
        d: features, at least 2.
        M, psi, sigma: of the task.
        norm: length of the prior mean.
        alpha: 1 where the query's residual copy reaches the output, which takes residual and MLP; 0 where not.
        mask: 1 where the query is kept from being a key and a value; 0 where not.

    Source: beyond the paper, by its equation D.1.
    """
    search = Search(float(d), M, psi, sigma, norm, alpha, mask, zero_matrix(4, 4), zeros(4), zeros(4), 0.0)
    risk, x = _searched(search), search.x
    return Cut(risk, [x[0], search.b, x[1], x[2], x[3]])


def best_numbers(d: int, M: float, psi: float, sigma: float, norm: float, alpha: int, mask: int) -> Vector:
    """a, b, g, k, s of the best block with what is left, in closed form where nothing is cut; arguments as `best_cut`.

    Source: arXiv 2402.14951, Theorem 5.3, where nothing is cut; beyond the paper elsewhere.
    """
    if alpha == 1 and mask == 1:
        gains = best_gains(filled(d, 1.0), psi, sigma, M)
        return [norm, -norm, gains[0], 0.0, 0.0]
    found = best_cut(d, M, psi, sigma, norm, alpha, mask)
    return found.numbers


def _add_product(G: Matrix, weight: float, one: Vector, other: Vector) -> None:
    """Add the product of two linear forms in (a, g, k, s), so many times, to a quadratic form."""
    for i in range(4):
        for j in range(4):
            G[i][j] += 0.5 * weight * (one[i] * other[j] + one[j] * other[i])


def _risk_at(search: Search, b: float) -> float:
    """The least risk for a b; where it is found stays in the search.

    Letters as in `lib.theory.linear_block.risks`, along the mean: w = v + mean, n of N, e of the step, m of the even
    part; p = q. t is the trace of Q and o its entry along the mean.
    """
    d, M, psi, norm, G, r = search.d, search.M, search.psi, search.norm, search.G, search.r
    tau, w, kappa = search.sigma * search.sigma + psi * d, b + norm, psi * psi * d
    spread, omega = 2.0 * kappa + 2.0 / M * (tau * tau + 2.0 * kappa), ((M + 1.0) * psi + tau) / M
    m, n, e = [1.0, w, w, w * norm + tau], [0.0, 1.0, 1.0, norm], [0.0, 1.0, 1.0, w + norm]
    g, p, o, t = [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0], [0.0, 1.0, 1.0, 0.0], [0.0, d, 1.0, 0.0]
    fill_rows(G, 0.0)
    _add_product(G, 1.0, m, m)
    _add_product(G, 2.0 * w * w / M, n, n)
    _add_product(G, (d - 1.0) * (w * w / M + omega), g, g)
    _add_product(G, omega, e, e)
    _add_product(G, 4.0 * psi * w / M, p, n)
    _add_product(G, spread, p, p)
    for i in range(4):
        r[i] = norm * m[i] + psi * e[i] + psi * (d - 1.0) * g[i]
    if search.mask == 0:
        own = b / M
        _add_product(G, 2.0 * own, m, t)
        _add_product(G, 4.0 * own, m, o)
        _add_product(G, own * own, t, t)
        _add_product(G, 2.0 * own * own * (d - 1.0), g, g)
        _add_product(G, 10.0 * own * own, o, o)
        _add_product(G, 4.0 * own * own, t, o)
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


def _searched(search: Search) -> float:
    """The least risk of all; b and x of the search become where it is."""
    tau = search.sigma * search.sigma + search.psi * search.d
    reach = max(search.norm, sqrt(tau))
    low, gap, best, at = -search.norm - reach, 4.0 * reach / float(GRID - 1), inf, 0
    for i in range(GRID):
        risk = _risk_at(search, low + gap * float(i))
        if risk < best:
            best = risk
            at = i
    share = 0.5 * (sqrt(5.0) - 1.0)
    left, right = low + gap * float(at - 1), low + gap * float(at + 1)
    one, two = right - share * (right - left), left + share * (right - left)
    first, second = _risk_at(search, one), _risk_at(search, two)
    for _ in range(GOLDEN):
        if first < second:
            right = two
            two = one
            second = first
            one = right - share * (right - left)
            first = _risk_at(search, one)
        else:
            left = one
            one = two
            first = second
            two = left + share * (right - left)
            second = _risk_at(search, two)
    return _risk_at(search, 0.5 * (left + right))


def part_squares(
    h: Vector, psi: float, mean: Vector, sigma: float, M: float,
    alpha: Vector, v: Vector, c: float, Q: Matrix, q: Vector,
) -> Vector:  # fmt: skip
    """(PARTS,) mean squares of the parts of an output, the last as without the mask.

    Source: beyond the paper, by its equation D.1.
    """
    d, found, size, spread = len(h), zeros(PARTS), 0.0, 0.0
    B, vv = zero_matrix(d, d), zero_matrix(d, d)
    for i in range(d):
        size += h[i] * mean[i] * mean[i]
        spread += psi * h[i] * h[i] * (2.0 * psi + 4.0 * mean[i] * mean[i])
        found[0] += h[i] * alpha[i] * alpha[i]
        found[3] += h[i] * c * q[i] * c * q[i]
        for j in range(d):
            B[i][j] = c * Q[i][j] + v[i] * q[j]
            vv[i][j] = v[i] * v[j]
    label = label_variance(scaled(h, psi), sigma) + size
    found[1] = _read_square(h, step_moment(h, task_moment(psi, mean, zeros(d)), sigma, M), B)
    found[2] = _read_square(h, step_moment(h, vv, 0.0, M), Q)
    found[3] *= (label * label + spread) * (1.0 + 2.0 / M)
    found[4] = _query_square(h, v, Q) / (M * M)
    return found


def _read_square(h: Vector, moment: Matrix, B: Matrix) -> float:
    """E (r'Bx)^2 for an r with this second moment, and a query x."""
    d, found = len(h), 0.0
    for j in range(d):
        for i in range(d):
            for k in range(d):
                found += h[j] * B[i][j] * moment[i][k] * B[k][j]
    return found


def _turned(h: Vector, v: Vector, Q: Matrix) -> Vector:
    """(d,) A H v, with A the symmetric part of Q."""
    d, found = len(h), zeros(len(h))
    for i in range(d):
        for j in range(d):
            found[i] += 0.5 * (Q[i][j] + Q[j][i]) * h[j] * v[j]
    return found


def _query_square(h: Vector, v: Vector, Q: Matrix) -> float:
    """E (v'x)^2 (x'Qx)^2, by Wick's rule."""
    d, trace, square, vv = len(h), 0.0, 0.0, 0.0
    once = _turned(h, v, Q)
    twice = _turned(h, once, Q)
    for i in range(d):
        trace += h[i] * Q[i][i]
        vv += h[i] * v[i] * v[i]
        for j in range(d):
            square += 0.25 * h[i] * h[j] * (Q[i][j] + Q[j][i]) * (Q[i][j] + Q[j][i])
    along, bent = 0.0, 0.0
    for i in range(d):
        along += h[i] * v[i] * once[i]
        bent += h[i] * v[i] * twice[i]
    return vv * (trace * trace + 2.0 * square) + 4.0 * trace * along + 8.0 * bent


def unmasked_cost(
    h: Vector, psi: float, mean: Vector, sigma: float, M: float,
    alpha: Vector, v: Vector, c: float, Q: Matrix, q: Vector,
) -> float:  # fmt: skip
    """By how much the risk of a block without the mask is above its risk with it; it can be below 0.

    Source: beyond the paper, by its equation D.1.
    """
    d, tau, trace, along = len(h), label_variance(scaled(h, psi), sigma), 0.0, 0.0
    w, once, cross = zeros(d), _turned(h, v, Q), 0.0
    for i in range(d):
        w[i] = h[i] * (v[i] + c * mean[i])
        trace += h[i] * Q[i][i]
        along += w[i] * mean[i]
    for i in range(d):
        m = alpha[i] - mean[i] + (along + tau * c) * q[i]
        for j in range(d):
            m += Q[j][i] * w[j]
        cross += m * h[i] * (v[i] * trace + 2.0 * once[i])
    return 2.0 / M * cross + _query_square(h, v, Q) / (M * M)
