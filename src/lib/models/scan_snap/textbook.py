"""The whole model: data, forward pass, loss, gradient, and training of both parts at once, in plain Python.

Chapter `scan_snap`. Source: Tian, Wang, Chen, Du, "Scan and Snap: Understanding Training Dynamics and Token
Composition in 1-layer Transformer", arXiv 2305.16380, Sections 3 and 8, Lemma 1. The page runs this file, translated.
Row l of Y is what contextual token l says about the next token, row m of Z the attention scores of query m. Classes are
equal up to renaming, so one law serves them all. The outputs that never come next start alike and so stay alike: one
column of Y stands for all of them. The file `fast.py` beside this one computes the same, many runs at a time, with
matrix products. Scores and losses are in nats. Settings out of range are refused with an `InputError`.
"""

from dataclasses import dataclass
from typing import NamedTuple

from lib.errors import require
from lib.portable.numbers import exp, log
from lib.portable.optimisers import AdamMemory, adam, adam_memory, momentum, sgd
from lib.portable.primitives import (
    Matrix,
    Readings,
    Table,
    Vector,
    Wholes,
    first,
    inf,
    nan,
    sqrt,
    whole_table,
    whole_zeros,
    zeros,
)  # fmt: skip
from lib.portable.random_numbers import below, generator, uniform
from lib.portable.small import log1p
from lib.portable.tokens import TokenTable, draw_tokens, token_table
from lib.portable.vectors import dot, fill, scale, smallest, total

LOWEST = 0.1  # weight of the rarest distinct token; common tokens and the most frequent distinct one have 1


class Settings(NamedTuple):
    """What a reader can choose."""

    T: int = 128  # tokens of a sequence, its query included; 0 for infinitely long sequences
    K: int = 2  # classes: next tokens that occur
    queries: int = 2  # query tokens, a divisor of K
    common: int = 10  # tokens that all classes have
    distinct: int = 10  # tokens of each class alone
    M: int = 34  # outputs of the decoder, at least K
    lr_Y: float = 1.0  # learning rate of the decoder
    lr_Z: float = 1.0  # learning rate of attention
    optimiser: int = 1  # 0 gradient descent, 1 momentum 0.9, 2 Adam
    batch: int = 128  # sequences a step
    spread: float = 0.0  # of the start: 0 for zeros, s for numbers within +-s / sqrt(M)
    steps: int = 100
    weights: Vector = []  # noqa: RUF012 - of a class's distinct tokens, rarest first; none for equally spaced ones


@dataclass
class Classes:
    """K classes over C contextual tokens: the common ones first, then the distinct ones of each class."""

    law: Vector  # (S,) P(l | n) of a class's own tokens: common ones, then its distinct ones, rarest first
    tokens: Table  # (K, S) which tokens these are
    query: Wholes  # (K,) query token of each class; neighbours share one
    common: int  # tokens that all classes have
    C: int  # contextual tokens of all classes
    Q: int  # query tokens
    M: int  # outputs of the decoder: the K next tokens, and others that never come next


@dataclass
class State:
    """A run: its task, its parameters Y and Z, their gradient, and room for one sample."""

    settings: Settings
    task: Classes
    columns: int  # of Y: K next tokens, and one for the others if there are any
    stands_for: Vector  # (columns,) how many outputs each of them stands for
    Y: Vector  # (C * columns,) row after row
    Z: Vector  # (Q * C,)
    grad_Y: Vector
    grad_Z: Vector
    memory_Y: AdamMemory  # what the optimiser remembers
    memory_Z: AdamMemory
    X: Wholes  # (T - 1,) the contextual tokens of a sequence, as places in the task's law
    N: Vector  # (S,) how often each of them occurs
    f: Vector  # (S,) attention, scaled to length one
    g: Vector  # (S,) Y delta
    delta: Vector  # (columns,) the error: the label less the prediction
    words: TokenTable
    random: Vector
    loss: float  # mean of the last batch; not a number before the first
    first_loss: float  # that of the first batch, which is the loss of the start
    step: int
    diverged_at: int  # -1 while it has not


def base_classes(K: int, queries: int, common: int, distinct: int, M: int, weights: Vector) -> Classes:
    """The classes of these settings, see `Settings`."""
    require(K >= 2, "K", "at least 2 classes", K)
    require(queries >= 1 and queries <= K and K // queries * queries == K, "queries", "a divisor of K", queries)
    require(common >= 0, "common", "at least 0 tokens", common)
    require(distinct >= 1, "distinct", "at least 1 token a class", distinct)
    require(M >= K, "M", "at least K outputs", M)
    given = len(weights) > 0
    require(not given or len(weights) == distinct, "weights", "one of each distinct token, or none", len(weights))
    least = smallest(weights) if given else 1.0
    require(least > 0.0, "weights", "weights above 0", least)
    S = common + distinct
    law = zeros(S)
    tokens = whole_table(K, S)
    query = whole_zeros(K)
    for i in range(S):
        own = weights[i - common] if given and i >= common else distinct_weight(i - common, distinct, LOWEST)
        law[i] = 1.0 if i < common else own
    scale(law, 1.0 / total(law))
    for n in range(K):
        query[n] = n // (K // queries)
        for i in range(S):
            tokens[n][i] = i if i < common else i + n * distinct
    return Classes(law, tokens, query, common, common + K * distinct, queries, M)


def distinct_weight(i: int, distinct: int, lowest: float) -> float:
    """Weight of distinct token i of a class: equally spaced from `lowest` to 1; a single one has the lowest."""
    return lowest + (1.0 - lowest) * float(i) / float(max(1, distinct - 1))


def vocabulary(K: int, queries: int, common: int, distinct: int) -> int:
    """Outputs of a decoder that has every token of the task: contextual, query and next tokens."""
    return common + K * distinct + queries + K


def random_start(Y: Vector, Z: Vector, columns: int, task: Classes, spread: float, random: Vector) -> None:
    """Into Y and Z, zeros before: uniform numbers within +-spread / sqrt(M); a column that stands for several outputs
    gets their mean.
    """
    reach = spread / sqrt(float(task.M))
    others = float(task.M - columns + 1)
    for token in range(task.C):
        for k in range(task.M):
            x = reach * (2.0 * uniform(random) - 1.0)
            if k < columns - 1:
                Y[token * columns + k] = x
            else:
                Y[token * columns + columns - 1] += x / others
    for i in range(len(Z)):
        Z[i] = reach * (2.0 * uniform(random) - 1.0)


def steps_of(settings: Settings) -> Vector:
    """The steps of a whole run's records: 0, each of the first 24, then about every 12th part more, and the last."""
    due = zeros(settings.steps + 1)
    count, at = 1, 0
    while at < settings.steps:
        at = min(settings.steps, at + max(1, at // 12))
        due[count] = float(at)
        count += 1
    return first(due, count)


def start(settings: Settings, seed: int) -> State:
    """The paper's start: both parts zero, so that attention follows frequency; or small random numbers."""
    require(settings.T == 0 or settings.T >= 2, "T", "at least 2 tokens, the query among them, or 0", settings.T)
    require(settings.lr_Y >= 0.0 and settings.lr_Y < inf, "lr_Y", "a finite rate of at least 0", settings.lr_Y)
    require(settings.lr_Z >= 0.0 and settings.lr_Z < inf, "lr_Z", "a finite rate of at least 0", settings.lr_Z)
    require(settings.optimiser >= 0 and settings.optimiser <= 2, "optimiser", "0, 1 or 2", settings.optimiser)
    require(settings.batch >= 1, "batch", "at least 1 sequence", settings.batch)
    require(settings.spread >= 0.0 and settings.spread < inf, "spread", "a number of at least 0", settings.spread)
    require(settings.steps >= 0, "steps", "at least 0 steps", settings.steps)
    task = base_classes(
        settings.K, settings.queries, settings.common, settings.distinct, settings.M, settings.weights
    )  # fmt: skip
    columns = min(task.M, settings.K + 1)
    S, of_Y, of_Z = len(task.law), task.C * columns, task.Q * task.C
    state = State(
        settings=settings, task=task, columns=columns, stands_for=zeros(columns), Y=zeros(of_Y), Z=zeros(of_Z),
        grad_Y=zeros(of_Y), grad_Z=zeros(of_Z), memory_Y=adam_memory(of_Y), memory_Z=adam_memory(of_Z),
        X=whole_zeros(max(0, settings.T - 1)), N=zeros(S), f=zeros(S), g=zeros(S), delta=zeros(columns),
        words=token_table(task.law), random=generator(seed, 2), loss=nan, first_loss=nan, step=0, diverged_at=-1,
    )  # fmt: skip
    fill(state.stands_for, 1.0)
    state.stands_for[columns - 1] = float(task.M - columns + 1)
    if settings.spread > 0.0:
        random_start(state.Y, state.Z, columns, task, settings.spread, generator(seed, 1))
    return state


def attend(state: State, n: int, N: Vector) -> None:
    """The decoder's input f = N e^z / |N e^z| of a sequence of class n that has its tokens N times."""
    row, tokens, f = state.task.query[n] * state.task.C, state.task.tokens[n], state.f
    top = -inf  # the largest score that is present: it cancels, and keeps e^z finite
    for i in range(len(f)):
        if N[i] > 0.0:
            top = max(top, state.Z[row + tokens[i]])
    for i in range(len(f)):
        f[i] = N[i] * exp(state.Z[row + tokens[i]] - top) if N[i] > 0.0 else 0.0
    scale(f, 1.0 / sqrt(dot(f, f)))


def predict(state: State, n: int) -> float:
    """The loss -log alpha_n with alpha = softmax(Y'f); delta becomes e_n - alpha."""
    columns, tokens, f, delta = state.columns, state.task.tokens[n], state.f, state.delta
    fill(delta, 0.0)
    for i in range(len(f)):
        for k in range(columns):
            delta[k] += f[i] * state.Y[tokens[i] * columns + k]
    top = delta[0]
    for k in range(columns):
        top = max(top, delta[k])
    right = exp(delta[n] - top)
    behind = top - delta[n]
    wrong = 0.0  # a sum without the right one keeps its digits when it is tiny
    for k in range(columns):
        delta[k] = exp(delta[k] - top)
        if k != n:
            wrong += delta[k] * state.stands_for[k]
    for k in range(columns):
        delta[k] = wrong / (wrong + right) if k == n else -delta[k] / (wrong + right)
    return behind + (log1p(wrong) if behind == 0.0 else log(wrong + right))


def add_sample(state: State, n: int, N: Vector, share: float) -> float:
    """The loss of a sequence of class n with counts N; a share of its gradient is added to the batch's.

    The loss falls along f delta' in Y, and in row m of Z along f * (g - f (f.g)) with g = Y delta.
    """
    attend(state, n, N)
    loss = predict(state, n)
    columns, tokens, f, g, delta = state.columns, state.task.tokens[n], state.f, state.g, state.delta
    row = state.task.query[n] * state.task.C
    for i in range(len(f)):
        g[i] = 0.0
        for k in range(columns):
            g[i] += state.Y[tokens[i] * columns + k] * delta[k] * state.stands_for[k]
            state.grad_Y[tokens[i] * columns + k] -= share * f[i] * delta[k]
    mean = dot(f, g)
    for i in range(len(f)):
        state.grad_Z[row + tokens[i]] -= share * f[i] * (g[i] - f[i] * mean)
    return loss


def parameters(state: State) -> Matrix:
    """What is trained: Y and Z, each row after row."""
    return [state.Y, state.Z]


def gradient(state: State) -> Matrix:
    """The mean gradient of fresh sequences, in Y and in Z; above 1e9, or no number, the loss diverged."""
    settings, N = state.settings, state.N
    fill(state.grad_Y, 0.0)
    fill(state.grad_Z, 0.0)
    loss = 0.0
    if settings.T == 0:  # one sequence a class, in which every token has its exact share
        for n in range(settings.K):
            loss += add_sample(state, n, state.task.law, 1.0 / float(settings.K))
        state.loss = loss / float(settings.K)
    else:
        for _ in range(settings.batch):
            label = below(state.random, settings.K)
            draw_tokens(state.words, state.random, state.X)
            fill(N, 0.0)
            for t in range(len(state.X)):
                N[state.X[t]] += 1.0
            loss += add_sample(state, label, N, 1.0 / float(settings.batch))
        state.loss = loss / float(settings.batch)
    if not state.loss <= 1e9:
        state.diverged_at = state.step
    return [state.grad_Y, state.grad_Z]


def move(x: Vector, gradient: Vector, memory: AdamMemory, rate: float, optimiser: int) -> None:
    """One step of the optimiser."""
    if optimiser == 0:
        sgd(x, gradient, rate)
    elif optimiser == 1:
        momentum(x, memory.mean, gradient, rate, 0.9)
    else:
        adam(x, memory, gradient, rate, 0.9, 0.999, 1e-8)


def count_step(state: State) -> None:
    """One step more."""
    if state.step == 0:
        state.first_loss = state.loss
    state.step += 1


def step(state: State) -> None:
    """One step of both parts."""
    settings = state.settings
    gradient(state)
    if state.diverged_at >= 0:
        return
    move(state.Y, state.grad_Y, state.memory_Y, settings.lr_Y, settings.optimiser)
    move(state.Z, state.grad_Z, state.memory_Z, settings.lr_Z, settings.optimiser)
    count_step(state)


def done(state: State) -> bool:
    """Whether all steps are made, or the run has diverged."""
    return state.diverged_at >= 0 or state.step >= state.settings.steps


def attention(Z: Vector, n: int, task: Classes, start: int) -> Vector:
    """(C,) attention c_n = P(l | n) e^z, divided by its sum, of class n in an infinitely long sequence; `start` 0, or
    the number of common tokens for the shares of its distinct ones alone, which are found even where little is left.
    """
    row, tokens, c, top = task.query[n] * task.C, task.tokens[n], zeros(task.C), -inf
    for i in range(start, len(tokens)):
        top = max(top, Z[row + tokens[i]])
    for i in range(start, len(tokens)):
        c[tokens[i]] = task.law[i] * exp(Z[row + tokens[i]] - top)
    scale(c, 1.0 / total(c))
    return c


def all_attention(state: State) -> Vector:
    """(K C,) that of every class on all its tokens, one class after the other."""
    task, every = state.task, zeros(len(state.task.query) * state.task.C)
    for n in range(len(task.query)):
        c = attention(state.Z, n, task, 0)
        for token in range(task.C):
            every[n * task.C + token] = c[token]
    return every


def measure(state: State) -> Readings:
    """Loss of the last batch, and `all_attention`."""
    return {"loss": [state.loss], "attention": all_attention(state)}
