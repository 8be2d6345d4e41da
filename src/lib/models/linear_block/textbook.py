"""The whole model: six matrices of a linear transformer block, its exact risk, gradient and training, in plain Python.

Chapter `linear_block`. Source: Zhang, Wu, Bartlett, "In-context learning of a linear transformer block: benefits of the
MLP component and one-step GD initialization", arXiv 2402.14951, Section 3 and equation D.1. The page runs this file,
translated. A prompt is M examples (x_i, y_i) and a query x. All that the six matrices can say is f = alpha'x + (1/M)
sum_i (v'x_i + c y_i) (x_i'Q x + y_i q'x). With v = -alpha, c = 1, q = 0 that is one gradient step from alpha with the
step matrix Q'; without the MLP alpha = 0. No prompt is drawn: training goes down the risk on all prompts there are,
which is ours, for features of variances h and task vectors from N(mean, psi I). What differs between seeds is the
start. The file `fast.py` beside this one computes the same with arrays, and draws prompts.
"""

from dataclasses import dataclass
from typing import NamedTuple

from lib.errors import require
from lib.portable.numbers import exp, log
from lib.portable.optimisers import AdamMemory, adam, adam_memory, sgd
from lib.portable.primitives import Matrix, Vector, nan, remainder, sqrt, zero_matrix, zeros
from lib.portable.random_numbers import generator, normals
from lib.portable.records import even_steps
from lib.portable.vectors import add, dot, fill, fill_rows, scale, total

RECORDS = 60  # of a whole run, besides the one at its start


class Settings(NamedTuple):
    """What a reader can choose."""

    mlp: int = 1  # 0: attention alone, alpha stays 0; 2: seeds take turns, even ones have the MLP
    d: int = 3  # features
    M: int = 20  # labelled examples
    sigma: float = 0.5  # standard deviation of the label noise
    norm: float = 2.0  # length of the prior mean
    decay: float = 0.0  # the features' variances are 1, 2^-decay, 3^-decay, ...
    near: int = 0  # 1: matrices start near identity; 0: with random entries
    scale: float = 0.3  # deviation of the random entries
    lr: float = 0.01
    adam: int = 1  # 0: plain gradient descent
    steps: int = 1000
    tilt: float = 0.0  # the prior mean's entries are in proportion to 1, 2^tilt, 3^tilt, ...


@dataclass
class Law:
    """The law of a prompt."""

    h: Vector  # (d,) variances of the features
    psi: float  # variance of a task vector's entry
    mean: Vector  # (d,) prior mean of the task vector
    sigma: float  # standard deviation of the label noise
    M: int  # labelled examples


@dataclass
class Block:
    """All that the output makes of the matrices, or a gradient in it."""

    alpha: Vector  # (d,) what the residual copy of the query is worth
    v: Vector  # (d,) value of an example by its features
    c: float  # value of an example by its label
    Q: Matrix  # (d, d) score of an example's features for the query
    q: Vector  # (d,) score of an example's label for the query


@dataclass
class Rows:
    """Rows that pass through the matrices, (d + 1,) each."""

    last: Vector  # last row of W2'W1
    read: Vector  # W_P times it
    row: Vector  # a row of (v, c)
    back: Vector  # W_V times that


@dataclass
class State:
    """A run: the matrices K, Q, P, V, W1, W2 under one another, what the output makes of them, gradients of both."""

    settings: Settings
    law: Law
    mlp: int  # 1 if this run has its MLP, 0 if not
    W: Matrix  # (6 (d + 1), d + 1)
    slope: Matrix  # the gradient in W, as `gradient` left it
    flat: Vector  # room for W in one array
    flat_slope: Vector
    memory: AdamMemory
    block: Block
    gradient: Block
    rows: Rows
    risk: float  # where the gradient was computed
    step: int
    diverged_at: int  # -1 while it has not


def law_of(d: int, M: int, sigma: float, norm: float, decay: float, psi: float) -> Law:
    """H = diag(i^-decay), a mean of equal entries and length `norm`."""
    require(d >= 1, "d", "at least 1 feature", d)
    require(M >= 1, "M", "at least 1 example", M)
    require(sigma >= 0.0, "sigma", "a number of at least 0", sigma)
    require(norm >= 0.0, "norm", "a number of at least 0", norm)
    require(decay >= 0.0, "decay", "a number of at least 0", decay)
    require(psi >= 0.0, "psi", "a number of at least 0", psi)
    h, mean = zeros(d), zeros(d)
    for i in range(d):
        h[i] = exp(-decay * log(float(i + 1)))
        mean[i] = norm / sqrt(float(d))
    return Law(h, psi, mean, sigma, M)


def direction(d: int, tilt: float) -> Vector:
    """(d,) of length sqrt(d), entries in proportion to i^tilt."""
    way = zeros(d)
    for i in range(d):
        way[i] = exp(tilt * log(float(i + 1)))
    scale(way, sqrt(float(d) / dot(way, way)))
    return way


def tilted_law(settings: Settings) -> Law:
    """The law of these settings, the prior mean along `direction`."""
    s = settings
    law, way = law_of(s.d, s.M, s.sigma, s.norm, s.decay, 1.0), direction(s.d, s.tilt)
    for i in range(s.d):
        law.mean[i] = s.norm * way[i] / sqrt(float(s.d))
    return law


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


def steps_of(settings: Settings) -> Vector:
    """(61,) the steps of a whole run's records: every 60th part."""
    return even_steps(settings.steps, RECORDS)


def start(settings: Settings, seed: int) -> State:
    """The matrices at their start: random entries, and near identity what `add_identities` adds."""
    require(settings.steps >= 0, "steps", "at least 0 steps", settings.steps)
    require(settings.scale >= 0.0, "scale", "a number of at least 0", settings.scale)
    require(settings.lr >= 0.0, "lr", "a number of at least 0", settings.lr)
    d, n = settings.d, settings.d + 1
    law, entries = tilted_law(settings), 6 * n * n
    mlp = 1 - remainder(seed, 2) if settings.mlp == 2 else settings.mlp
    state = State(
        settings=settings, law=law, mlp=mlp, W=zero_matrix(6 * n, n), slope=zero_matrix(6 * n, n), flat=zeros(entries),
        flat_slope=zeros(entries), memory=adam_memory(entries), block=new_block(d), gradient=new_block(d),
        rows=Rows(zeros(n), zeros(n), zeros(n), zeros(n)), risk=nan, step=0, diverged_at=-1,
    )  # fmt: skip
    random = generator(seed, 1)
    for r in range(6 * n):
        normals(random, state.W[r])
        for j in range(n):
            state.W[r][j] *= settings.scale
    if settings.near == 1:
        add_identities(state.W)
    gradient(state)
    return state


def add_identities(W: Matrix) -> None:
    """Add 0.3 on features (K, Q), 0.3 (P), 0.3 on the label (V), and 1 (W1, W2): near identity."""
    n = len(W[0])
    for i in range(n):
        W[2 * n + i][i] += 0.3
        W[4 * n + i][i] += 1.0
        W[5 * n + i][i] += 1.0
    for i in range(n - 1):
        W[i][i] += 0.3
        W[n + i][i] += 0.3
    W[4 * n - 1][n - 1] += 0.3


def reduce(W: Matrix, mlp: int, rows: Rows, block: Block) -> None:
    """What the output makes of the matrices, alpha, v, c, Q, q, with the MLP (1) or without (0)."""
    d, last, read = len(block.v), rows.last, rows.read
    n = d + 1
    fill(last, 0.0)
    if mlp == 1:
        for a in range(n):
            add(last, W[5 * n + a][d], W[4 * n + a])
    else:
        last[d] = 1.0
    fill(rows.row, 0.0)
    for a in range(n):
        read[a] = dot(W[2 * n + a], last)
        add(rows.row, read[a], W[3 * n + a])
    block.c = rows.row[d]
    for i in range(d):
        block.alpha[i] = last[i]
        block.v[i] = rows.row[i]
        fill(block.Q[i], 0.0)
        for a in range(n):
            add(block.Q[i], W[a][i], W[n + a])
    fill(block.q, 0.0)
    for a in range(n):
        add(block.q, W[a][d], W[n + a])


def pull_back(W: Matrix, mlp: int, gradient: Block, rows: Rows, slope: Matrix) -> None:
    """The gradient in the matrices from that in the block's parameters; `rows` as `reduce` left them."""
    d = len(gradient.v)
    n = d + 1
    fill_rows(slope, 0.0)
    for i in range(d):
        rows.row[i] = gradient.v[i]
    rows.row[d] = gradient.c
    for a in range(n):
        rows.back[a] = dot(W[3 * n + a], rows.row)
        add(slope[2 * n + a], rows.back[a], rows.last)
        add(slope[3 * n + a], rows.read[a], rows.row)
        for i in range(d):
            slope[a][i] = dot(gradient.Q[i], W[n + a])
            add_features(slope[n + a], W[a][i], gradient.Q[i])
        slope[a][d] = dot(gradient.q, W[n + a])
        add_features(slope[n + a], W[a][d], gradient.q)
    if mlp == 1:
        fill(rows.row, 0.0)
        for a in range(n):
            add(rows.row, rows.back[a], W[2 * n + a])
        add_features(rows.row, 1.0, gradient.alpha)
        for a in range(n):
            add(slope[4 * n + a], W[5 * n + a][d], rows.row)
            slope[5 * n + a][d] = dot(W[4 * n + a], rows.row)


def add_features(values: Vector, factor: float, features: Vector) -> None:
    """Add factor times the features to the first entries."""
    for i in range(len(features)):
        values[i] += factor * features[i]


def population_risk(law: Law, block: Block, gradient: Block) -> float:
    """The risk on all prompts there are, a polynomial in the parameters; its gradient overwrites `gradient`.

    Letters as in `lib.theory.linear_block`: w, p, N, G, u, m.
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


def parameters(state: State) -> Matrix:
    """What is trained: the rows of the matrices."""
    return state.W


def gradient(state: State) -> Matrix:
    """The gradient of the exact risk, rows as those of `parameters`; above 1e9, or no number, the risk diverged."""
    mlp = state.mlp
    reduce(state.W, mlp, state.rows, state.block)
    state.risk = population_risk(state.law, state.block, state.gradient)
    pull_back(state.W, mlp, state.gradient, state.rows, state.slope)
    if not state.risk <= 1e9:
        state.diverged_at = state.step
    return state.slope


def count_step(state: State) -> None:
    """One step more, and the gradient there."""
    state.step += 1
    gradient(state)


def step(state: State) -> None:
    """One step of Adam or gradient descent."""
    W, slope, lr = state.W, state.slope, state.settings.lr
    if state.settings.adam == 1:
        columns = len(W[0])
        flatten(W, state.flat)
        flatten(slope, state.flat_slope)
        adam(state.flat, state.memory, state.flat_slope, lr, 0.9, 0.999, 1e-8)
        for r in range(len(W)):
            for j in range(columns):
                W[r][j] = state.flat[r * columns + j]
    else:
        for r in range(len(W)):
            sgd(W[r], slope[r], lr)
    count_step(state)


def flatten(rows: Matrix, flat: Vector) -> None:
    """Write rows of one length into one array."""
    columns = len(rows[0])
    for r in range(len(rows)):
        for j in range(columns):
            flat[r * columns + j] = rows[r][j]


def done(state: State) -> bool:
    """Whether all steps are made, or the risk has diverged."""
    return state.diverged_at >= 0 or state.step >= state.settings.steps
