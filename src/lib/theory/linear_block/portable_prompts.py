"""What training on n prompts costs to first order, exactly: tr(A^+ B) of start and step, and of the block, portable.

Chapter `linear_block`. H = Psi = I. A is the second moment of the slopes of the answer in all parameters at the best
ones, B the same with each prompt's squared error as weight. Source: textbook knowledge (the sandwich of M-estimation);
the closed forms are ours. Let r (M,) be the labels less the prior mean's predictions, u = X'r / M what a step reads,
rho = |r|^2 / M, w'x the error without the query's noise, and S = X'X / M. The slopes of start and step span (I - gS)x
and u x', those of the block x, Sx, rho x and u x', whatever the prior mean: so both fits cost what they do where it is
zero. The query x is independent of all else, and u changes its sign with r, so u x' is orthogonal to the others. Given
X, r and w are normal, with polynomials in S for covariances. So A and B are means of products of traces of powers of S.

In names, a polynomial in S is the vector of its coefficients, that of I first; e are the `trace_means` of d features
and M examples. With sigma for the noise, n is sigma^2 / M.
"""

from lib.portable.linear import factorise, solve
from lib.portable.primitives import Matrix, Vector, whole_zeros, zeros
from lib.portable.vectors import filled
from lib.theory.linear_block.portable import best_gains


def times(f: Vector, g: Vector) -> Vector:
    """The product of two polynomials.

    Source: textbook knowledge.
    """
    product = zeros(len(f) + len(g) - 1)
    for i in range(len(f)):
        for j in range(len(g)):
            product[i + j] += f[i] * g[j]
    return product


def trace_means(d: float, M: float) -> Vector:
    """(6,) the means of tr S^k for k from 0 to 4, and that of (tr S^2)^2.

    Source: textbook knowledge (moments of Wishart matrices, by parts).
    """
    one = M * d
    two = (M + d + 1.0) * one
    three = (M + d + 2.0) * two + one * (one + 2.0)
    four = (M + d + 3.0) * three + 2.0 * (one + 4.0) * two
    pair = (M + d + 1.0) * (one + 4.0) * two + 4.0 * three
    square = M * M
    return [d, d, two / square, three / (square * M), four / (square * square), pair / (square * square)]


def mean_of(e: Vector, f: Vector, power: int, M: float) -> float:
    """The mean of (tr S)^power tr f(S), for an f of at most the fourth degree.

    Source: textbook knowledge (the trace of S is independent of S over it).
    """
    value = 0.0
    for k in range(len(f)):
        term = f[k] * e[k]
        for i in range(power):
            term *= e[0] + 2.0 * float(k + i) / M
        value += term
    return value


def with_square(e: Vector, f: Vector, M: float) -> float:
    """The mean of tr S^2 tr f(S), for a quadratic f.

    Source: as for `mean_of`.
    """
    return f[0] * e[0] * e[2] + f[1] * mean_of(e, [0.0, 0.0, 1.0], 1, M) + f[2] * e[5]


def costs(features: int, M: float, sigma: float) -> Vector:
    """(2,) tr(A^+ B), that is n times the risk above the best one of the fit of n prompts: start and step, the block.

    Source: ours, see above.
    """
    d, noise, n = float(features), sigma * sigma, sigma * sigma / M
    e, gains = trace_means(d, M), best_gains(filled(features, 1.0), 1.0, sigma, M)
    g = gains[0]
    left, S2 = [1.0, -g], [0.0, 0.0, 1.0]  # I - gS
    G, w = times(left, left), [1.0, g * g * n - 2.0 * g, g * g]  # w's covariance
    common = times([g * n - 1.0, g], [g * n - 1.0, g])  # times S^2: the covariance of u and w, squared
    w0, w1, ww = mean_of(e, w, 0, M), mean_of(e, w, 1, M), with_square(e, w, M)

    # u x', by the mean of |u|^2 |w|^2
    size, both = e[2] + n * d, ww + n * w1 + 2.0 * mean_of(e, times(S2, common), 0, M)
    shared = d * ((d + 2.0) * both / size + noise * d)
    # (I - gS)x
    held, missed = mean_of(e, G, 0, M), G[0] * d * w0 + G[1] * w1 + G[2] * ww + 2.0 * mean_of(e, times(G, w), 0, M)
    A, B, pivots = second_moment(e, M, noise), weighted(e, M, noise, w, common), whole_zeros(3)
    factorise(A, pivots)
    block = 3.0 * noise * d
    for i in range(3):
        solve(A, pivots, B[i])  # both are symmetric
        block += B[i][i]
    return [shared + d * (missed / held + noise), shared + block]


def second_moment(e: Vector, M: float, noise: float) -> Matrix:
    """A's part (3, 3) of x, Sx and rho x, an entry of x.

    Source: ours, see above.
    """
    d, n, one = e[0], noise / M, mean_of(e, [0.0, 1.0], 1, M)
    rho, s_rho = d + noise, one / d + noise
    spread = 2.0 * (e[2] + 2.0 * n * d + noise * n)  # the variance of rho, given X
    return [
        [1.0, 1.0, rho],
        [1.0, e[2] / d, s_rho],
        [rho, s_rho, one + 2.0 * noise * d + noise * noise + spread],
    ]


def weighted(e: Vector, M: float, noise: float, w: Vector, common: Vector) -> Matrix:
    """B's part (3, 3) of x, Sx and rho x, all entries of x, without the query's noise.

    Args:
        e, M: as above.
        noise: sigma^2.
        w: covariance of w.
        common: times S: the square of the covariance of r and w, over M.

    Source: ours, see above; for three quadratic forms, E abc = a b c + 2 (a tr bc + b tr ac + c tr ab) + 8 tr abc.
    """
    d, n, S = e[0], noise / M, [0.0, 1.0]
    rw, sw = times(S, common), times(S, w)
    w0, w1, w2, ww = mean_of(e, w, 0, M), mean_of(e, w, 1, M), mean_of(e, w, 2, M), with_square(e, w, M)
    r0, r1 = mean_of(e, rw, 0, M), mean_of(e, rw, 1, M)
    x_rho = (d + 2.0) * (w1 + noise * w0 + 2.0 * r0)
    x_s = w1 + 2.0 * mean_of(e, sw, 0, M)
    s_s = ww + 2.0 * mean_of(e, times(S, sw), 0, M)
    along = mean_of(e, sw, 1, M) + noise * mean_of(e, sw, 0, M) + 2.0 * mean_of(e, times(S, rw), 0, M)  # rho w'Sw
    s_rho = w2 + noise * w1 + 2.0 * r1 + 2.0 * along
    apart = w2 + 2.0 * noise * w1 + noise * noise * w0
    paired = 2.0 * (ww + 2.0 * n * w1 + noise * n * w0) + 4.0 * (r1 + noise * r0)
    threefold = 8.0 * mean_of(e, times([0.0, n, 1.0], common), 0, M)
    return [
        [(d + 2.0) * w0, x_s, x_rho],
        [x_s, s_s, s_rho],
        [x_rho, s_rho, (d + 2.0) * (apart + paired + threefold)],
    ]
