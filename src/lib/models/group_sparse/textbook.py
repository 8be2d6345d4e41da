"""The whole model: groups of variables, attention, loss, gradient and gradient descent, in plain Python.

Chapter `group_sparse`. Source: Zhang, Meng, Cao, "Transformer learns optimal variable selection in group-sparse
classification", arXiv 2504.08638, Section 2. The page runs this file, translated. Token j is h_j = [x_j; p_j] with
positions p_j = sqrt(rho) e_j, rho = (D + 1)/2: any orthogonal positions of that length give the same run. The group
that decides is the second, its direction the first axis. `fast.py` beside this file computes the same with matrix
products. A setting out of range raises `InputError`.
"""

from dataclasses import dataclass
from typing import NamedTuple

from lib.errors import require
from lib.portable.numbers import exp, log
from lib.portable.optimisers import sgd
from lib.portable.primitives import Matrix, Readings, Vector, nan, sqrt, zero_matrix, zeros
from lib.portable.random_numbers import generator, normals, uniform
from lib.portable.records import even_steps
from lib.portable.vectors import add, dot, fill, fill_rows, largest, scale

STAR = 1  # the group that decides, counted from 0
TESTS = 200  # fresh examples, none turned over, that measure a run
RECORDS = 60  # of a whole run, besides the one at its start
EARLY = 20  # of them, one a step, since the value has its direction after one


class Settings(NamedTuple):
    """What a reader can choose."""

    D: int = 6  # groups
    d: int = 4  # variables in a group
    n: int = 200  # labelled examples
    lr: float = 0.1  # learning rate of v and W
    steps: int = 300  # of gradient descent, each on all examples
    sigma: float = 1.0  # standard deviation of a variable
    flips: float = 0.0  # share of labels turned over, below 1/2
    others: float = 1.0  # scale of the groups that do not decide


@dataclass
class State:
    """A run: its examples, its parameters v and W, their gradient, and room for one example."""

    settings: Settings
    tokens: Matrix  # (n D, d + D) row i D + j is token j of example i
    y: Vector  # (n,) labels, -1 or 1
    fresh: Matrix  # (TESTS D, d + D) the same of the test examples
    fresh_y: Vector  # (TESTS,)
    v: Vector  # (d + D,)
    W: Matrix  # (d + D, d + D)
    grad_v: Vector
    grad_W: Matrix
    H: Matrix  # (D, d + D) the tokens of one example
    Wh: Vector  # (d + D,) W h_j of one query
    S: Matrix  # (D, D) S[j][i] is what query j puts on key i
    u: Vector  # (D,) v'h_i
    mean: Vector  # (D,) what query j reads: the mean of u under S[j]
    spread: Vector  # (d + D,) sum of gamma_ij h_i over the keys i
    total: Vector  # (D,) sum of S[j][i] over the queries j
    map: Vector  # (D D,) mean of S[j][i] over the examples, row i, column j
    loss: float  # mean over the examples, in nats
    accuracy: float  # share of the examples that are right; not a number before the first pass
    test: float  # share of fresh examples that are right, when last looked at
    looked: bool  # whether gradient, map, loss, accuracy and test are those of v and W as they are
    step: int
    diverged_at: int  # -1 while it has not


def steps_of(settings: Settings) -> Vector:
    """(61,) the steps of a whole run's records: the first 20, then every 40th part of the rest."""
    early = min(EARLY, settings.steps)
    late = even_steps(settings.steps - early, RECORDS - EARLY)
    found = zeros(RECORDS + 1)
    for i in range(RECORDS + 1):
        found[i] = float(min(i, early)) if i < EARLY else float(early) + late[i - EARLY]
    return found


def draw_token(sigma: float, D: int, j: int, h: Vector, random: Vector) -> None:
    """Token j of D: x_j from N(0, sigma^2 I), and its position behind it."""
    d = len(h) - D
    x = zeros(d)
    normals(random, x)
    for a in range(d):
        h[a] = sigma * x[a]
    h[d + j] = sqrt(0.5 * float(D + 1))


def draw_examples(settings: Settings, flips: float, tokens: Matrix, y: Vector, random: Vector) -> None:
    """Examples with the sign of the deciding group along v*, turned over for a share of them."""
    D = settings.D
    for i in range(len(y)):
        for j in range(D):
            scale_of = 1.0 if j == STAR else settings.others
            draw_token(settings.sigma * scale_of, D, j, tokens[i * D + j], random)
        right = -1.0 if tokens[i * D + STAR][0] < 0.0 else 1.0
        y[i] = -right if uniform(random) < flips else right


def start(settings: Settings, seed: int) -> State:
    """All examples of a run, v = 0 and W = 0: attention is even, the output 0."""
    state = untrained(settings)
    draw_examples(settings, settings.flips, state.tokens, state.y, generator(seed, 0))
    draw_examples(settings, 0.0, state.fresh, state.fresh_y, generator(seed, 1))
    return state


def untrained(settings: Settings) -> State:
    """v = 0 and W = 0, and room for the examples."""
    require(settings.D >= 2, "D", "at least 2 groups", settings.D)
    require(settings.d >= 1, "d", "at least 1 variable", settings.d)
    require(settings.n >= 1, "n", "at least 1 example", settings.n)
    require(settings.steps >= 0, "steps", "at least 0 steps", settings.steps)
    require(settings.lr >= 0.0, "lr", "a number of at least 0", settings.lr)
    require(settings.sigma > 0.0, "sigma", "a number above 0", settings.sigma)
    require(settings.flips >= 0.0 and settings.flips < 0.5, "flips", "a share from 0 to below 1/2", settings.flips)
    require(settings.others > 0.0, "others", "a number above 0", settings.others)
    D, m = settings.D, settings.d + settings.D
    state = State(
        settings=settings, tokens=zero_matrix(settings.n * D, m), y=zeros(settings.n), fresh=zero_matrix(TESTS * D, m),
        fresh_y=zeros(TESTS), v=zeros(m), W=zero_matrix(m, m), grad_v=zeros(m), grad_W=zero_matrix(m, m),
        H=zero_matrix(D, m), Wh=zeros(m), S=zero_matrix(D, D), u=zeros(D), mean=zeros(D), spread=zeros(m),
        total=zeros(D), map=zeros(D * D), loss=log(2.0), accuracy=nan, test=nan, looked=True, step=0, diverged_at=-1,
    )  # fmt: skip
    fill(state.map, 1.0 / float(D))
    return state


def attend(state: State, H: Matrix) -> None:
    """S[j] = softmax of h_i' W h_j over the keys i, for every query j."""
    for j in range(len(H)):
        weights = state.S[j]
        for a in range(len(state.Wh)):
            state.Wh[a] = dot(state.W[a], H[j])
        for i in range(len(H)):
            weights[i] = dot(H[i], state.Wh)
        top = largest(weights)
        norm = 0.0
        for i in range(len(H)):
            weights[i] = exp(weights[i] - top)
            norm += weights[i]
        scale(weights, 1.0 / norm)


def output(state: State, H: Matrix) -> float:
    """f = v'H S 1: what all queries read together; S, u and mean are left in the state."""
    attend(state, H)
    f = 0.0
    for i in range(len(H)):
        state.u[i] = dot(state.v, H[i])
    for j in range(len(H)):
        state.mean[j] = dot(state.S[j], state.u)
        f += state.mean[j]
    return f


def softplus(x: float) -> float:
    """log(1 + e^x) without overflow."""
    return x + log(1.0 + exp(-x)) if x > 0.0 else log(1.0 + exp(x))


def add_example(state: State, H: Matrix, y: float) -> float:
    """The margin y f of one example, whose loss is log(1 + e^(-yf)); a share 1/n of its gradient is added.

    With c = -y/(1 + e^(yf)): grad v = c H S 1, grad W = H gamma H', gamma_ij = c S_ij (u_i - mean_j).
    """
    margin = y * output(state, H)
    c = -y / (1.0 + exp(margin)) / float(state.settings.n)
    fill(state.total, 0.0)
    for j in range(len(H)):
        weights = state.S[j]
        add(state.total, c, weights)
        fill(state.spread, 0.0)
        for i in range(len(H)):
            add(state.spread, c * weights[i] * (state.u[i] - state.mean[j]), H[i])
        for a in range(len(state.spread)):
            add(state.grad_W[a], state.spread[a], H[j])
    for i in range(len(H)):
        add(state.grad_v, state.total[i], H[i])
    return margin


def take(state: State, tokens: Matrix, i: int) -> Matrix:
    """The tokens of example i."""
    for j in range(len(state.H)):
        state.H[j] = tokens[i * len(state.H) + j]
    return state.H


def tested(state: State) -> float:
    """The share of fresh examples that the output gets right."""
    right = 0
    for i in range(TESTS):
        if state.fresh_y[i] * output(state, take(state, state.fresh, i)) > 0.0:
            right += 1
    return float(right) / float(TESTS)


def cosine(v: Vector, d: int) -> float:
    """Cosine of the first d entries, the variables' part of the value, with the first axis; 0 where they are 0."""
    variables = square(v, d)
    return v[0] / sqrt(variables) if variables > 0.0 else 0.0


def norm_ratio(v: Vector, d: int) -> float:
    """Length of the first d entries, by that of all; 0 where all are 0."""
    whole = square(v, len(v))
    return sqrt(square(v, d) / whole) if whole > 0.0 else 0.0


def square(v: Vector, count: int) -> float:
    """The sum of the squares of the first `count` entries."""
    result = 0.0
    for a in range(count):
        result += v[a] * v[a]
    return result


def look(state: State) -> None:
    """Gradient, map, loss and accuracy of v and W as they are, and the share of fresh examples that are right."""
    if not state.looked:
        gradient(state)
        state.test = tested(state)
        state.looked = True


def on_group(state: State, i: int) -> float:
    """The attention on a group, mean over queries and examples."""
    D = state.settings.D
    found = 0.0
    for j in range(D):
        found += state.map[i * D + j] / float(D)
    return found


def measure(state: State) -> Readings:
    """A look at the run: loss, cosine, norm ratio, attention on the group that decides, accuracy on both kinds of
    examples, and the map (D D,): row i, column j is what query j puts on key i, in the mean.
    """
    look(state)
    d = state.settings.d
    return {
        "loss": [state.loss], "cosine": [cosine(state.v, d)], "ratio": [norm_ratio(state.v, d)],
        "attention": [on_group(state, STAR)], "accuracy": [state.accuracy], "test": [state.test], "map": state.map,
    }  # fmt: skip


def rows_of(v: Vector, W: Matrix) -> Matrix:
    """v, then the rows of W: the arrays themselves."""
    rows = zero_matrix(1 + len(W), 0)
    rows[0] = v
    for a in range(len(W)):
        rows[1 + a] = W[a]
    return rows


def parameters(state: State) -> Matrix:
    """What is trained: v, then the rows of W."""
    return rows_of(state.v, state.W)


def gradient(state: State) -> Matrix:
    """The mean gradient over all examples, rows as `parameters` has them; a loss above 1e9, or no number, diverged."""
    n, D = state.settings.n, state.settings.D
    fill(state.grad_v, 0.0)
    fill_rows(state.grad_W, 0.0)
    fill(state.map, 0.0)
    loss, right = 0.0, 0
    for i in range(n):
        margin = add_example(state, take(state, state.tokens, i), state.y[i])
        loss += softplus(-margin) / float(n)
        if margin > 0.0:
            right += 1
        for j in range(D):
            for k in range(D):
                state.map[k * D + j] += state.S[j][k] / float(n)
    state.loss = loss
    state.accuracy = float(right) / float(n)
    if not loss <= 1e9:
        state.diverged_at = state.step
    return rows_of(state.grad_v, state.grad_W)


def count_step(state: State) -> None:
    """One step more: v and W have moved."""
    state.step += 1
    state.looked = False


def step(state: State) -> None:
    """One step of gradient descent on all examples; a look has computed its gradient already."""
    if not state.looked or state.step == 0:
        gradient(state)
    if state.diverged_at >= 0:
        return
    sgd(state.v, state.grad_v, state.settings.lr)
    for a in range(len(state.W)):
        sgd(state.W[a], state.grad_W[a], state.settings.lr)
    count_step(state)


def done(state: State) -> bool:
    """Whether all steps are made, or the run has diverged."""
    return state.diverged_at >= 0 or state.step >= state.settings.steps
