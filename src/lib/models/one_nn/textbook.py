"""The whole model: points on the sphere, softmax attention, loss, exact gradient and SGD, in plain Python.

Chapter `one_nn`. Source: Li et al., "One-layer transformer provably learns one-nearest neighbor in context", NeurIPS
2024, arXiv 2411.10830, as its talk states the setting. The page runs this file, translated. A prompt is N examples
(x_j, y_j) and a query x_q on the unit sphere of R^d. Its tokens are h_j = (x_j, y_j, 0) and h_q = (x_q, 0, 1); with the
scores s_j = h_j' W h_q and q = softmax(s) the model says f = sum_j q_j y_j, and should say the label of the nearest
example. `fast.py` beside this file computes the same with arrays. A setting out of range raises `InputError`.
"""

from dataclasses import dataclass
from typing import NamedTuple

from lib.errors import require
from lib.portable.numbers import exp
from lib.portable.optimisers import sgd
from lib.portable.primitives import Matrix, Readings, Vector, nan, sqrt, zero_matrix, zeros
from lib.portable.random_numbers import generator, normals, uniform
from lib.portable.records import log_steps
from lib.portable.vectors import add, dot, fill_rows, largest, scale

RECORDS = 48  # of a whole run at the most, besides the one at its start
FAR = 1e6  # an entry of W beyond it: the run has diverged


class Settings(NamedTuple):
    """What a reader can choose."""

    N: int = 16  # examples in a prompt
    d: int = 8  # dimension, at least 2
    lr: float = 2.0  # learning rate
    batch: int = 32  # prompts a step
    sigma: float = 3.0  # self-penalty at the start: W_33 = -sigma
    start: float = 0.0  # xi_1 at the start; 0 is the paper's
    steps: int = 1000
    kappa: float = 1.0  # concentration: the first coordinate is stretched by it; 1 is uniform, the paper's


@dataclass
class State:
    """A run: its matrix W and its gradient, and room for one prompt."""

    settings: Settings
    W: Matrix  # (d + 2, d + 2)
    gradient: Matrix
    tokens: Matrix  # (N + 1, d + 2) h_1 .. h_N, and h_q last
    scores: Vector  # (N + 1,) s, then the attention q
    asked: Vector  # (d + 2,) W h_q
    pull: Vector  # (d + 2,) sum_j (dL / ds_j) h_j
    normal: Vector  # (d,) room for one point
    random: Vector
    loss: float  # mean of the last batch; not a number before the first
    losses: float  # the same, summed over the steps since the last look
    summed: int  # how many steps
    step: int
    time: float  # learning rate times steps
    diverged_at: int  # -1 while it has not


def family(xi1: float, xi2: float, d: int) -> Matrix:
    """W = diag(xi_1 I_d, 0, -xi_2), the matrices that training never leaves in expectation."""
    W = zero_matrix(d + 2, d + 2)
    for a in range(d):
        W[a][a] = xi1
    W[d + 1][d + 1] = -xi2
    return W


def as_pair(W: Matrix) -> tuple[float, float]:
    """The two numbers of the nearest matrix of the family: xi_1 = tr W_11 / d, xi_2 = -W_33."""
    d = len(W) - 2
    trace = 0.0
    for a in range(d):
        trace += W[a][a]
    return trace / float(d), -W[d + 1][d + 1]


def off_family(W: Matrix) -> float:
    """Norm of what W has beside diag(xi_1 I, 0, -xi_2), over the norm of W; NaN where W = 0."""
    xi1, xi2 = as_pair(W)
    square = 0.0
    for a in range(len(W)):
        for b in range(len(W)):
            square += W[a][b] * W[a][b]
    beside = max(0.0, square - float(len(W) - 2) * xi1 * xi1 - xi2 * xi2)
    return sqrt(beside / square) if square > 0.0 else nan


def start(settings: Settings, seed: int) -> State:
    """A run before its first step."""
    N, d = settings.N, settings.d
    require(N >= 1, "N", "at least 1 example", N)
    require(d >= 2, "d", "a dimension of at least 2", d)
    require(settings.batch >= 1, "batch", "at least 1 prompt", settings.batch)
    require(settings.lr >= 0.0, "lr", "a number of at least 0", settings.lr)
    require(settings.kappa > 0.0, "kappa", "a factor above 0", settings.kappa)
    require(settings.steps >= 0, "steps", "at least 0", settings.steps)
    require(abs(settings.sigma) < FAR and abs(settings.start) < FAR, "sigma, start", "sizes below 1e6", settings.sigma)
    state = State(
        settings=settings, W=family(settings.start, settings.sigma, d), gradient=zero_matrix(d + 2, d + 2),
        tokens=zero_matrix(N + 1, d + 2), scores=zeros(N + 1), asked=zeros(d + 2), pull=zeros(d + 2), normal=zeros(d),
        random=generator(seed, 2), loss=nan, losses=0.0, summed=0, step=0, time=0.0, diverged_at=-1,
    )  # fmt: skip
    state.tokens[N][d + 1] = 1.0
    return state


def steps_of(settings: Settings) -> Vector:
    """(K,) the times t, learning rate times steps, of a whole run's records: evenly in their logarithm."""
    times = log_steps(settings.steps, RECORDS)
    scale(times, settings.lr)
    return times


def measure(state: State) -> Readings:
    """A look at the run: the two numbers, the share beside the family, and the mean loss since the look before."""
    xi1, xi2 = as_pair(state.W)
    loss = state.losses / float(state.summed) if state.summed > 0 else nan
    state.losses = 0.0
    state.summed = 0
    return {"xi1": [xi1], "xi2": [xi2], "loss": [loss], "off": [off_family(state.W)]}


def draw_point(random: Vector, normal: Vector, token: Vector) -> None:
    """A point uniform on the unit sphere, into the first d entries of a token: a normal vector, scaled to length 1."""
    normals(random, normal)
    length = sqrt(dot(normal, normal))
    for a in range(len(normal)):
        token[a] = normal[a] / length


def crowd(token: Vector, d: int, kappa: float) -> None:
    """Stretch the first coordinate of a point and scale it to length 1 again: points crowd around that axis."""
    token[0] *= kappa
    square = 0.0
    for a in range(d):
        square += token[a] * token[a]
    for a in range(d):
        token[a] = token[a] / sqrt(square)


def draw_prompt(state: State) -> None:
    """A fresh prompt: N examples with labels, and a query."""
    for j in range(len(state.tokens)):
        draw_point(state.random, state.normal, state.tokens[j])
        if state.settings.kappa != 1.0:
            crowd(state.tokens[j], state.settings.d, state.settings.kappa)
    for j in range(state.settings.N):
        state.tokens[j][state.settings.d] = 1.0 if uniform(state.random) < 0.5 else -1.0


def nearest(tokens: Matrix, d: int) -> int:
    """The example nearest to the query. On the sphere |x - x_q|^2 = 2 - 2 <x, x_q>: the largest inner product."""
    query = tokens[len(tokens) - 1]
    best = -2.0
    found = 0
    for j in range(len(tokens) - 1):
        z = 0.0
        for a in range(d):
            z += tokens[j][a] * query[a]
        if z > best:
            best = z
            found = j
    return found


def softmax(scores: Vector) -> None:
    """Scores become attention; the largest is subtracted first, so that nothing overflows."""
    top = largest(scores)
    total = 0.0
    for j in range(len(scores)):
        scores[j] = exp(scores[j] - top)
        total += scores[j]
    for j in range(len(scores)):
        scores[j] = scores[j] / total


def add_prompt(state: State) -> float:
    """The loss of the prompt in `tokens`, (f - y)^2 / 2; a share 1/B of its gradient is added to the batch's.

    dL/ds_j = (f - y) q_j (y_j - f), where the query's own label slot is y_q = 0, and dL/dW = sum_j (dL/ds_j) h_j h_q'.
    """
    tokens, q, d = state.tokens, state.scores, state.settings.d
    query = tokens[len(tokens) - 1]
    for i in range(len(query)):
        state.asked[i] = dot(state.W[i], query)
        state.pull[i] = 0.0
    for j in range(len(tokens)):
        q[j] = dot(tokens[j], state.asked)
    softmax(q)
    f = 0.0
    for j in range(len(tokens)):
        f += q[j] * tokens[j][d]
    neighbour = nearest(tokens, d)
    wrong = f - tokens[neighbour][d]
    share = wrong / float(state.settings.batch)
    for j in range(len(tokens)):
        add(state.pull, share * q[j] * (tokens[j][d] - f), tokens[j])
    for i in range(len(query)):
        add(state.gradient[i], state.pull[i], query)
    return 0.5 * wrong * wrong


def parameters(state: State) -> Matrix:
    """What is trained: the rows of W."""
    return state.W


def gradient(state: State) -> Matrix:
    """The mean gradient of fresh prompts, row by row."""
    fill_rows(state.gradient, 0.0)
    loss = 0.0
    for _ in range(state.settings.batch):
        draw_prompt(state)
        loss += add_prompt(state)
    state.loss = loss / float(state.settings.batch)
    return state.gradient


def count_step(state: State) -> None:
    """One step more. A matrix that runs away ends the run."""
    W = state.W
    for i in range(len(W)):
        for k in range(len(W)):
            if not abs(W[i][k]) < FAR:
                state.diverged_at = state.step
    state.losses += state.loss
    state.summed += 1
    state.step += 1
    state.time = state.settings.lr * float(state.step)


def step(state: State) -> None:
    """One step of stochastic gradient descent on fresh prompts."""
    gradient(state)
    for i in range(len(state.W)):
        sgd(state.W[i], state.gradient[i], state.settings.lr)
    count_step(state)


def done(state: State) -> bool:
    """Whether all steps are made, or the run has diverged."""
    return state.diverged_at >= 0 or state.step >= state.settings.steps
