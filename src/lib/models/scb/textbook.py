"""The whole model: data, forward pass, loss, gradient and the three stages of training, in plain Python.

Chapter `scb`. Source: Ren, Wang, Lee, "Learning and Transferring Sparse Contextual Bigrams with Linear Transformers",
arXiv 2410.23438, Sections 2.1 to 2.3 and Algorithm 1; the ring is ours. The page runs this file, translated. Matrices
are kept token by token: P[j] is column j of the paper's P, V[j] column j of V, A[k] the attention a^(k) of the last
token k. `fast.py` beside this file computes the same with masks and matrix products. Lengths are in tokens, all else
has no unit; what is out of range is refused by name (`InputError`).
"""

from dataclasses import dataclass
from typing import NamedTuple

from lib.errors import require
from lib.portable.optimisers import keep_sum, restore_sum, sgd, soft_threshold
from lib.portable.primitives import (
    Matrix,
    Readings,
    Table,
    Vector,
    Wholes,
    nan,
    sqrt,
    whole_table,
    whole_zeros,
    zero_matrix,
    zeros,
)
from lib.portable.random_numbers import below, generator
from lib.portable.records import even_steps
from lib.portable.tokens import TokenTable, draw, draw_tokens, token_table
from lib.portable.vectors import (
    add,
    dot,
    drop_below,
    fill,
    fill_rows,
    largest,
    reflect,
    scale,
    smallest,
    stacked,
    total,
)

RECORDS = 48  # of a whole run, besides the one at its start


class Settings(NamedTuple):
    """What a reader can choose."""

    T: int = 256  # length of the context, in tokens
    mu: Vector = [0.25, 0.25, 0.25, 0.25]  # noqa: RUF012 - law of the N tokens in the vocabulary
    Q: int = 2  # positions that matter
    c: float = 0.75  # strength of the transition, 0.01 to 1
    lr: float = 0.02  # learning rate, of V
    batch: int = 32  # samples a step, B
    threshold: float = 0.0  # lambda of Stage 2
    stage1: int = 600  # steps: gradient descent
    stage2: int = 0  # steps: with the soft threshold
    stage3: int = 0  # steps: attention rounded and frozen
    start_V: float = 0.0  # alpha_V of the start; 0 is the paper's
    start_A: float = 0.0  # alpha_A of the start
    ratio: float = 1.0  # learning rate of attention, in units of lr


@dataclass
class Ring:
    """A task: the laws of its tokens and labels, and its attention targets."""

    mu: Vector  # (N,) law of the tokens
    P: Matrix  # (N, N) P[j] is the law of the label after token j
    w: Vector  # (Q,) weights of the positions
    s: Table  # (N, Q) s[k] are the positions that last token k looks at
    K_P: float  # strength of the transition signal
    K_Q: float  # strength of the attention signal


def ring_task(T: int, mu: Vector, Q: int, c: float, random: Vector) -> Ring:
    """The task of a law mu (N,) above 0, Q positions and strength c from 0.01 to 1; positions from `random`."""
    N = len(mu)
    require(N >= 2, "N", "at least 2 tokens", N)
    require(smallest(mu) > 0.0, "mu", "chances above 0", smallest(mu))
    require(T >= 2, "T", "a context of at least 2 tokens", T)
    require(Q >= 1 and Q <= T, "Q", "at least 1 position, at most T", Q)
    require(c >= 0.01 and c <= 1.0, "c", "a strength from 0.01 to 1", c)
    P = ring_transition(mu, c)
    w = even_weights(Q)
    s = choose_positions(N, T, Q, random)
    K_P = 0.0
    for j in range(N):
        for i in range(N):
            K_P += mu[j] * (P[j][i] - mu[i]) * (P[j][i] - mu[i])
    return Ring(mu, P, w, s, K_P, dot(w, w) - 1.0 / float(T))


def ring_transition(mu: Vector, c: float) -> Matrix:
    """P[j] (N,): the law mu with chance 1 - c, else the circle of tokens, turned by 1/N.

    Tokens are arcs of the circle, of lengths mu. Turning keeps lengths, so P mu = mu.
    """
    N = len(mu)
    ends = zeros(N + 1)
    for k in range(N):
        ends[k + 1] = ends[k] + mu[k]
    ends[N] = 1.0
    P = zero_matrix(N, N)
    turn = 1.0 / float(N)
    for j in range(N):
        for i in range(N):
            for lap in range(2):  # an arc that passes the top of the circle is two pieces
                low = max(ends[i] + float(lap), ends[j] + turn)
                high = min(ends[i + 1] + float(lap), ends[j + 1] + turn)
                P[j][i] += max(high - low, 0.0)
        scale(P[j], c / total(P[j]))
        for i in range(N):
            P[j][i] += (1.0 - c) * mu[i]
    return P


def even_weights(Q: int) -> Vector:
    """Weights (Q,) of the positions, in proportion Q + 1, ..., 2."""
    w = zeros(Q)
    for i in range(Q):
        w[i] = float(Q + 1 - i)
    scale(w, 1.0 / total(w))
    return w


def choose_positions(N: int, T: int, Q: int, random: Vector) -> Table:
    """For each last token k its positions s[k] (Q,): different ones within a row, all sets equally likely."""
    s = whole_table(N, Q)
    for k in range(N):
        chosen = 0
        while chosen < Q:
            t = below(random, T)
            fresh = True
            for i in range(chosen):
                if s[k][i] == t:
                    fresh = False
            if fresh:
                s[k][chosen] = t
                chosen += 1
    return s


@dataclass
class State:
    """A run: its task, its parameters V and A, their gradient, and room for one sample."""

    settings: Settings
    task: Ring  # mu, P, the weights w and positions s of the attention targets, K_P, K_Q
    V: Matrix  # (N, N) V[j] is the output for token j
    A: Matrix  # (N, T) A[k] is the attention when the last token is k
    grad_V: Matrix
    grad_A: Matrix
    X: Wholes  # (T,) a context
    h: Vector  # (N,) the attention that each token of it gets
    r: Vector  # (N,) residual of the prediction
    look: Vector  # (N,) V'r, the gradient in the attention to each token
    tokens: TokenTable
    random: Vector
    loss: float  # mean of the last batch; not a number before the first
    step: int
    diverged_at: int  # -1 while it has not


def steps_of(settings: Settings) -> Vector:
    """(49,) the steps of a whole run's records: every 48th part."""
    return even_steps(settings.stage1 + settings.stage2 + settings.stage3, RECORDS)


def start_on(task: Ring, settings: Settings, seed: int) -> State:
    """The paper's start: V = mu 1' (no transition learned), A = 1/T (uniform attention); or a point on the lines from
    there to P and to the targets.
    """
    require(settings.lr >= 0.0, "lr", "a number of at least 0", settings.lr)
    require(settings.ratio >= 0.0, "ratio", "a number of at least 0", settings.ratio)
    require(settings.threshold >= 0.0, "threshold", "a number of at least 0", settings.threshold)
    require(settings.batch >= 1, "batch", "at least 1 sample", settings.batch)
    fewest = min(settings.stage1, min(settings.stage2, settings.stage3))
    require(fewest >= 0, "stage1, stage2, stage3", "at least 0 steps each", fewest)
    T, N = settings.T, len(task.mu)
    V, A = zero_matrix(N, N), zero_matrix(N, T)
    for j in range(N):
        add(V[j], 1.0 - settings.start_V, task.mu)
        add(V[j], settings.start_V, task.P[j])
        fill(A[j], (1.0 - settings.start_A) / float(T))
        for q in range(settings.Q):
            A[j][task.s[j][q]] += settings.start_A * task.w[q]
    return State(
        settings=settings, task=task, V=V, A=A, grad_V=zero_matrix(N, N), grad_A=zero_matrix(N, T), X=whole_zeros(T),
        h=zeros(N), r=zeros(N), look=zeros(N), tokens=token_table(task.mu), random=generator(seed, 2), loss=nan,
        step=0, diverged_at=-1,
    )  # fmt: skip


def start(settings: Settings, seed: int) -> State:
    """The start of these settings, on a ring task whose positions the seed chooses."""
    return start_on(ring_task(settings.T, settings.mu, settings.Q, settings.c, generator(seed, 0)), settings, seed)


def add_sample(state: State, X: Wholes, k: int, label: int) -> float:
    """The loss of one sample, ||V X a^(k) - e_label||^2 / 2; a share 1/B of its gradient is added to the batch's.

    With h = X a^(k) and r = V h - e_label: grad V = r h', and grad a^(k) is (V'r) at the token of each position.
    """
    V, a, grad_a, h, r, look = state.V, state.A[k], state.grad_A[k], state.h, state.r, state.look
    share = 1.0 / float(state.settings.batch)
    fill(h, 0.0)
    for t in range(len(X)):
        h[X[t]] += a[t]
    fill(r, 0.0)
    for j in range(len(h)):
        add(r, h[j], V[j])
    r[label] -= 1.0
    for j in range(len(h)):
        add(state.grad_V[j], share * h[j], r)
        look[j] = share * dot(V[j], r)
    for t in range(len(X)):
        grad_a[t] += look[X[t]]
    return 0.5 * dot(r, r)


def draw_sample(state: State) -> tuple[int, int]:
    """One sample of the task: its context goes to X; its last token k and its label are the result."""
    task, random = state.task, state.random
    draw_tokens(state.tokens, random, state.X)
    k = draw(random, task.mu)
    t = task.s[k][draw(random, task.w)]  # the last token says where to look,
    return k, draw(random, task.P[state.X[t]])  # and what is found there what comes next


def parameters(state: State) -> Matrix:
    """What is trained: the rows of V, then those of A."""
    return stacked(state.V, state.A)


def gradient(state: State) -> Matrix:
    """The mean gradient of fresh samples, rows as those of `parameters`; above 1e9, or no number, the loss diverged."""
    fill_rows(state.grad_V, 0.0)
    fill_rows(state.grad_A, 0.0)
    loss = 0.0
    for _ in range(state.settings.batch):
        k, label = draw_sample(state)
        loss += add_sample(state, state.X, k, label)
    state.loss = loss / float(state.settings.batch)
    if not state.loss <= 1e9:
        state.diverged_at = state.step
    return stacked(state.grad_V, state.grad_A)


def descend(state: State) -> None:
    """Stages 1 and 2: a step along the gradient, rescaled by token frequency; rows of A keep their sum 1."""
    settings, task = state.settings, state.task
    for j in range(len(task.mu)):
        sgd(state.V[j], state.grad_V[j], settings.lr / task.K_Q / task.mu[j])
    for k in range(len(task.mu)):
        a, gradient = state.A[k], state.grad_A[k]
        keep_sum(gradient)
        sgd(a, gradient, settings.lr * settings.ratio / task.K_P / task.mu[k])
        if state.step >= settings.stage1 and settings.threshold > 0.0:
            soft_threshold(a, settings.threshold)
            restore_sum(a, 1.0)


def round_attention(state: State) -> None:
    """Before Stage 3: turn a mirrored run round, keep what is at least a quarter of a row's largest, sums again 1."""
    mirrored = is_mirrored(state.A)
    for k in range(len(state.A)):
        a = state.A[k]
        if mirrored:
            reflect(a, 1.0 / float(state.settings.T))
            scale(state.V[k], -1.0)
            add(state.V[k], 2.0, state.task.mu)
        drop_below(a, 0.25 * largest(a))
        scale(a, 1.0 / total(a))


def refine(state: State) -> None:
    """Stage 3: V alone, its mean V mu kept; the second half at a fifth of the rate."""
    settings, task, drift = state.settings, state.task, state.look
    late = state.step - settings.stage1 - settings.stage2 >= settings.stage3 // 2
    rate = (settings.lr / 5.0 if late else settings.lr) / task.K_Q
    fill(drift, 0.0)
    for j in range(len(task.mu)):
        sgd(state.V[j], state.grad_V[j], rate / task.mu[j])
        add(drift, rate, state.grad_V[j])  # V mu moves by the sum of mu_j grad_j / mu_j
    for j in range(len(task.mu)):
        add(state.V[j], 1.0, drift)


def count_step(state: State) -> None:
    """One step more."""
    state.step += 1


def step(state: State) -> None:
    """One step of the stage that is due."""
    stage3 = state.settings.stage1 + state.settings.stage2
    if state.step == stage3:
        round_attention(state)
    gradient(state)
    if state.diverged_at >= 0:
        return
    if state.step < stage3:
        descend(state)
    else:
        refine(state)
    count_step(state)


def done(state: State) -> bool:
    """Whether all steps are made, or the run has diverged."""
    settings = state.settings
    return state.diverged_at >= 0 or state.step >= settings.stage1 + settings.stage2 + settings.stage3


def measure(state: State) -> Readings:
    """At each record alpha_V, alpha_A, the distance to the plane of the flow, and the loss of the last batch."""
    x, y = signal_V(state.V, state.task), signal_A(state.A, state.task)
    return {
        "alpha_V": [x], "alpha_A": [y], "off_flow": [distance_to_flow(state.V, state.A, state.task, x, y)],
        "loss": [state.loss],
    }  # fmt: skip


def is_mirrored(A: Matrix) -> bool:
    """Whether the attention that is farthest from uniform is below it; no answer is needed to see that."""
    uniform = 1.0 / float(len(A[0]))
    high, low = uniform, uniform
    for k in range(len(A)):
        high, low = max(high, largest(A[k])), min(low, smallest(A[k]))
    return high - uniform < uniform - low


def signal_V(V: Matrix, task: Ring) -> float:
    """alpha_V, where V lies on the line from mu 1' (0) to P (1): <V, R>_mu / K_P with R = P - mu 1'."""
    mu = task.mu
    inner = 0.0
    for j in range(len(mu)):
        for i in range(len(mu)):
            inner += mu[j] * V[j][i] * (task.P[j][i] - mu[i])
    return inner / task.K_P


def signal_A(A: Matrix, task: Ring) -> float:
    """alpha_A, where A lies on the line from uniform attention (0) to the targets (1)."""
    inner = 0.0
    for k in range(len(A)):
        for q in range(len(task.w)):
            inner += task.mu[k] * task.w[q] * A[k][task.s[k][q]]
    return (inner - 1.0 / float(len(A[0]))) / task.K_Q


def distance_to_flow(V: Matrix, A: Matrix, task: Ring, alpha_V: float, alpha_A: float) -> float:
    """Distance of V and A from the plane in which the population flow moves, in the norm weighted by mu."""
    mu = task.mu
    T = len(A[0])
    square = 0.0
    for j in range(len(mu)):
        for i in range(len(mu)):
            off = V[j][i] - mu[i] - alpha_V * (task.P[j][i] - mu[i])
            square += mu[j] * off * off
        uniform = (1.0 - alpha_A) / float(T)
        for t in range(T):
            off = A[j][t] - uniform
            square += mu[j] * off * off
        for q in range(len(task.w)):  # at these positions the plane is elsewhere
            wrong = A[j][task.s[j][q]] - uniform
            off = wrong - alpha_A * task.w[q]
            square += mu[j] * (off * off - wrong * wrong)
    return sqrt(max(square, 0.0))
