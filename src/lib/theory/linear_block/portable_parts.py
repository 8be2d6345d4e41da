"""What the output of a block is made of, and what its risk is without the mask, in portable Python.

Chapter `linear_block`. Source: beyond arXiv 2402.14951, by its equation D.1. `parts` has the same for every task, with
its derivation; here H = diag(h) and Psi = psi I. h, psi, mean, sigma, M are those of `portable_step`; alpha, v, c, Q, q
are the parameters of a block.
"""

from lib.portable.primitives import Matrix, Vector, zero_matrix, zeros
from lib.portable.vectors import scaled
from lib.theory.linear_block.portable import label_variance
from lib.theory.linear_block.portable_step import step_moment, task_moment

PARTS = 5  # query alone, labels and features, features twice, labels twice, query three times


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
    """E (r'Bx)^2 for an r with this second moment, and a query x.

    Source: beyond the paper.
    """
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
    """E (v'x)^2 (x'Qx)^2, by Wick's rule.

    Source: beyond the paper.
    """
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
