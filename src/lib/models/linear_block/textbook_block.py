r"""The block's five parameters, its risk on all prompts there are, and what a run has on record; in plain Python.

Chapter `linear_block`. Source: arXiv 2402.14951, Section 3; the risk is ours (see `lib.theory.linear_block.risks`,
which tests hold it to), here for H = diag(h) and Psi = psi I; so are the records. u is the direction of a mean of equal
entries.
"""

from dataclasses import dataclass

from lib.models.linear_block.textbook_prompts import Law
from lib.portable.primitives import Matrix, Readings, Vector, divide, nan, sqrt, zero_matrix, zeros
from lib.portable.records import Records, column, ended
from lib.portable.vectors import dot, fill, fill_rows, total

BLOCK = 0  # what is trained: the whole block
ATTENTION = 1  # without the MLP: alpha stays 0
STEP = 2  # one gradient step from a learned start: v = -alpha, c = 1, q = 0
ZERO = 3  # one gradient step from zero: alpha = 0 as well
RECORDS = 60  # of a whole run, besides the one at its start
MEASURES = 8  # numbers a record


@dataclass
class Block:
    """Parameters of a block, or a gradient in them."""

    alpha: Vector  # (d,) what the residual copy of the query is worth
    v: Vector  # (d,) value of an example by its features
    c: float  # value of an example by its label
    Q: Matrix  # (d, d) score of an example's features for the query
    q: Vector  # (d,) score of an example's label for the query


def new_block(d: int) -> Block:
    """All zero."""
    return Block(zeros(d), zeros(d), 0.0, zero_matrix(d, d), zeros(d))


def clear(block: Block) -> None:
    """Set everything to zero."""
    fill(block.alpha, 0.0)
    fill(block.v, 0.0)
    block.c = 0.0
    fill_rows(block.Q, 0.0)
    fill(block.q, 0.0)


def population_risk(law: Law, block: Block, gradient: Block) -> float:
    """The risk on all prompts; its gradient overwrites `gradient`.

    Letters as in `lib.theory.linear_block.risks`: w, p, N, G, u, m.
    """
    h, mean, psi, M, d = law.h, law.mean, law.psi, float(law.M), len(law.h)
    kappa = psi * psi * dot(h, h)
    tau = law.sigma * law.sigma + psi * total(h)
    spread = 2.0 * kappa + 2.0 / M * (tau * tau + 2.0 * kappa)
    w, p, u, z = zeros(d), zeros(d), zeros(d), zeros(d)
    N, G = zero_matrix(d, d), zero_matrix(d, d)
    ww, NN = 0.0, 0.0
    for i in range(d):
        w[i] = block.v[i] + block.c * mean[i]
        p[i] = block.c * block.q[i]
        ww += h[i] * w[i] * w[i]
    for i in range(d):
        for j in range(d):
            N[i][j] = block.Q[j][i] + block.q[i] * mean[j]
            G[i][j] = block.c * block.Q[j][i] + block.q[i] * (w[j] + block.c * mean[j])
            u[i] += N[i][j] * h[j] * w[j]
            z[i] += N[i][j] * psi * h[j] * h[j] * w[j]
            NN += h[i] * h[j] * N[i][j] * N[i][j]
    clear(gradient)
    risk = tau + ww * NN / M
    for i in range(d):
        m = block.alpha[i] - mean[i] + u[i] + tau * p[i]
        risk += h[i] * (m * m + u[i] * u[i] / M + 4.0 / M * p[i] * z[i] + spread * p[i] * p[i])
        risk -= 2.0 * psi * h[i] * h[i] * G[i][i]
        slope_u = 2.0 * h[i] * (m + u[i] / M)
        slope_p = h[i] * (2.0 * tau * m + 4.0 / M * z[i] + 2.0 * spread * p[i])
        gradient.alpha[i] = 2.0 * h[i] * m
        gradient.v[i] += 2.0 / M * NN * h[i] * w[i]
        gradient.c += slope_p * block.q[i]
        gradient.q[i] += block.c * slope_p
        for j in range(d):
            omega = (M + 1.0) / M * psi * h[j] * h[j] + tau / M * h[j]
            risk += h[i] * omega * G[i][j] * G[i][j]
            slope_G = 2.0 * h[i] * omega * G[i][j] - (2.0 * psi * h[i] * h[i] if i == j else 0.0)
            fourth = 4.0 / M * psi * h[j] * h[j] * h[i] * p[i]
            slope_N = 2.0 / M * ww * h[i] * h[j] * N[i][j] + slope_u * h[j] * w[j] + fourth * w[j]
            gradient.v[j] += N[i][j] * (h[j] * slope_u + fourth) + slope_G * block.q[i]
            gradient.c += slope_G * (block.Q[j][i] + block.q[i] * mean[j])
            gradient.q[i] += slope_G * (w[j] + block.c * mean[j]) + slope_N * mean[j]
            gradient.Q[j][i] = block.c * slope_G + slope_N
    gradient.c += dot(gradient.v, mean)
    return risk


def restrict(kind: int, gradient: Block) -> None:
    """Keep of a gradient what may move, for one of BLOCK, ATTENTION, STEP, ZERO."""
    if kind == STEP:
        for i in range(len(gradient.v)):
            gradient.alpha[i] -= gradient.v[i]  # v = -alpha moves with it
    elif kind != BLOCK:
        fill(gradient.alpha, 0.0)
    if kind >= STEP:
        fill(gradient.v, 0.0)
        gradient.c = 0.0
        fill(gradient.q, 0.0)


def pack(block: Block, flat: Vector) -> None:
    """Write the parameters into one array (3 d + 1 + d d,): alpha, v, c, q, and Q row by row."""
    d = len(block.v)
    for i in range(d):
        flat[i] = block.alpha[i]
        flat[d + i] = block.v[i]
        flat[2 * d + 1 + i] = block.q[i]
        for j in range(d):
            flat[3 * d + 1 + d * i + j] = block.Q[i][j]
    flat[2 * d] = block.c


def unpack(kind: int, flat: Vector, block: Block) -> None:
    """Read the parameters back; of a step, v follows alpha."""
    d = len(block.v)
    for i in range(d):
        block.alpha[i] = flat[i]
        block.v[i] = -flat[i] if kind >= STEP else flat[d + i]
        block.q[i] = flat[2 * d + 1 + i]
        for j in range(d):
            block.Q[i][j] = flat[3 * d + 1 + d * i + j]
    block.c = flat[2 * d]


def mean_part(values: Vector) -> float:
    """What of a vector (d,) lies along u."""
    return total(values) / sqrt(float(len(values)))


def along(Q: Matrix) -> float:
    """u'Q u."""
    whole = 0.0
    for i in range(len(Q)):
        whole += total(Q[i])
    return whole / float(len(Q))


def across(Q: Matrix) -> float:
    """The mean of w'Q w over the directions w across u; not a number for one feature, which has none."""
    trace = 0.0
    for i in range(len(Q)):
        trace += Q[i][i]
    return divide(trace - along(Q), float(len(Q) - 1))


def measure(row: Vector, step: int, loss: float, risk: float, block: Block) -> None:
    """Fill in a record (MEASURES,).

    Args:
        row: gets step, loss and risk; alpha along u; where the step that the values take starts from, -v/c along u;
            c Q along u and across it; the length of q.
        step: steps made.
        loss: mean squared error on the prompts since the record before.
        risk: the same on all prompts there are.
        block: its parameters.
    """
    row[0] = float(step)
    row[1] = loss
    row[2] = risk
    row[3] = mean_part(block.alpha)
    row[4] = divide(-mean_part(block.v), block.c)
    row[5] = block.c * along(block.Q)
    row[6] = block.c * across(block.Q)
    row[7] = sqrt(dot(block.q, block.q))


def readings(kept: Records, diverged_at: int) -> Readings:
    """What is on record: steps, loss, risk, alpha, start, along, across, labels, each (count,), and diverged_at."""
    return {
        "steps": column(kept, 0), "loss": column(kept, 1), "risk": column(kept, 2), "alpha": column(kept, 3),
        "start": column(kept, 4), "along": column(kept, 5), "across": column(kept, 6), "labels": column(kept, 7),
        "diverged_at": ended(diverged_at),
    }  # fmt: skip


def cells(block: Block) -> Vector:
    """((d + 3) (d + 1),) all that the output sees, row after row: alpha and a gap; v and c; Q, q under it, and a gap.

    Only products count, so (v, c) and (Q, q) are scaled to one norm, with c above 0.
    """
    d = len(block.v)
    n, value, score = d + 1, dot(block.v, block.v) + block.c * block.c, dot(block.q, block.q)
    for j in range(d):
        score += dot(block.Q[j], block.Q[j])
    factor = sqrt(sqrt(score / value)) if value > 0.0 and score > 0.0 else 1.0
    if block.c < 0.0:
        factor = -factor
    out = zeros((d + 3) * n)
    for i in range(d):
        out[i] = block.alpha[i]
        out[n + i] = block.v[i] * factor
        out[(d + 2) * n + i] = block.q[i] / factor
        out[(2 + i) * n + d] = nan
        for j in range(d):
            out[(2 + j) * n + i] = block.Q[j][i] / factor
    out[d] = nan
    out[n + d] = block.c * factor
    out[(d + 2) * n + d] = nan
    return out
