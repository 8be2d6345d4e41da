"""A new task on the same group, learned by online SGD in three ways: value and attention, the value alone, no layer.

Chapter `group_sparse`. Source: arXiv 2504.08638, Section 4; the law of the inputs and the learning rates are ours. The
pretrained layer puts the attention `attention` on the group that decides, whatever the input, and its value is
forgotten. Every example is used once.
"""

from dataclasses import dataclass
from typing import NamedTuple

from lib.errors import require
from lib.models.group_sparse.textbook import STAR, TESTS, State, add_example, draw_token, output, take, untrained
from lib.models.group_sparse.textbook import Settings as Sizes
from lib.portable.numbers import exp, log
from lib.portable.optimisers import sgd
from lib.portable.primitives import Matrix, Readings, Vector, floor, zeros
from lib.portable.random_numbers import generator, normals, uniform
from lib.portable.records import Records, column, ended, is_due, new_row, room_for
from lib.portable.vectors import add, dot, fill, fill_rows

RECORDS = 20  # of a whole run, evenly in the logarithm of the number of examples
FEWEST = 5  # examples of the first record
RATE_LINEAR = 0.1


class Settings(NamedTuple):
    """What a reader can choose."""

    D: int = 6  # groups
    d: int = 4  # variables in a group
    gamma: float = 0.2  # margin of the new task
    attention: float = 0.9  # of the pretrained layer, on the group that decides
    lr: float = 0.1  # learning rate of the layer, times D^2
    n: int = 500  # examples


@dataclass
class Learners:
    """A run: three learners on one stream, and their errors so far."""

    settings: Settings
    layer: State  # value and attention; room for one example and all tests
    v: Vector  # (d + D,) value over frozen attention
    w: Vector  # (d D,) weights of logistic regression on all variables
    read_out: Vector  # (d + D,) what the value reads of one example under frozen attention
    flat: Vector  # (d D,) its variables
    random: Vector
    seen: int  # examples
    diverged_at: int  # -1 while the layer has not
    kept: Records  # examples, tuned, frozen, linear; share, the attention of the tuned layer on the group


def steps_of(settings: Settings) -> Vector:
    """(20,) after how many examples a whole run makes its records: from 5 on, evenly in the logarithm."""
    due = zeros(RECORDS)
    for i in range(RECORDS):
        share = float(i) / float(RECORDS - 1)
        due[i] = float(floor(exp(log(float(FEWEST)) + share * log(float(settings.n) / float(FEWEST))) + 0.5))
    return due


def draw(settings: Settings, tokens: Matrix, y: Vector, random: Vector) -> None:
    """Examples whose deciding group has the component y (gamma + |g|) along its last axis; y is a fair sign."""
    g = zeros(1)
    for i in range(len(y)):
        for j in range(settings.D):
            draw_token(1.0, settings.D, j, tokens[i * settings.D + j], random)
        y[i] = -1.0 if uniform(random) < 0.5 else 1.0
        normals(random, g)
        tokens[i * settings.D + STAR][settings.d - 1] = y[i] * (settings.gamma + abs(g[0]))


def start(settings: Settings, seed: int) -> Learners:
    """The pretrained layer before the first example."""
    require(settings.gamma >= 0.0, "gamma", "a margin of at least 0", settings.gamma)
    require(settings.attention > 0.0 and settings.attention < 1.0, "attention", "between 0 and 1", settings.attention)
    require(settings.n >= FEWEST, "n", "at least 5 examples", settings.n)
    require(settings.lr >= 0.0, "lr", "a number of at least 0", settings.lr)
    D, d = settings.D, settings.d
    layer = untrained(Sizes(D, d, 1, 0.0, 0, 1.0, 0.0))  # room for one example of the stream
    draw(settings, layer.fresh, layer.fresh_y, generator(seed, 2))
    gap = log(settings.attention * float(D - 1) / (1.0 - settings.attention))
    for j in range(D):
        layer.W[d + STAR][d + j] = gap / (0.5 * float(D + 1))
    m = d + D
    return Learners(
        settings, layer, zeros(m), zeros(d * D), zeros(m), zeros(d * D), generator(seed, 3), 0, -1,
        room_for(steps_of(settings), 5),
    )  # fmt: skip


def look(state: Learners, H: Matrix) -> None:
    """What the frozen layer's value reads, D times the mean token; and the variables one after the other."""
    settings = state.settings
    fill(state.read_out, 0.0)
    for i in range(settings.D):
        others = (1.0 - settings.attention) / float(settings.D - 1)
        add(state.read_out, float(settings.D) * (settings.attention if i == STAR else others), H[i])
        for a in range(settings.d):
            state.flat[i * settings.d + a] = H[i][a]


def logistic_step(w: Vector, x: Vector, y: float, rate: float) -> None:
    """One step of SGD on log(1 + e^(-y w'x))."""
    add(w, rate * y / (1.0 + exp(y * dot(w, x))), x)


def learn(state: Learners) -> None:
    """All three take one step on a fresh example."""
    settings, layer = state.settings, state.layer
    draw(settings, layer.tokens, layer.y, state.random)
    H, y = take(layer, layer.tokens, 0), layer.y[0]
    fill(layer.grad_v, 0.0)
    fill_rows(layer.grad_W, 0.0)
    add_example(layer, H, y)
    rate = settings.lr / float(settings.D * settings.D)
    sgd(layer.v, layer.grad_v, rate)
    for a in range(len(layer.W)):
        sgd(layer.W[a], layer.grad_W[a], rate)
    look(state, H)
    logistic_step(state.v, state.read_out, y, rate)
    logistic_step(state.w, state.flat, y, RATE_LINEAR)
    state.seen += 1


def keep(state: Learners) -> None:
    """Put the three errors on the test examples on record, and the mean attention of the tuned layer."""
    layer, row = state.layer, new_row(state.kept)
    tuned, frozen, linear, share = 0, 0, 0, 0.0
    for i in range(TESTS):
        H, y = take(layer, layer.fresh, i), layer.fresh_y[i]
        look(state, H)
        tuned += 0 if y * output(layer, H) > 0.0 else 1
        frozen += 0 if y * dot(state.v, state.read_out) > 0.0 else 1
        linear += 0 if y * dot(state.w, state.flat) > 0.0 else 1
        for j in range(len(H)):
            share += layer.S[j][STAR] / float(len(H) * TESTS)
    row[0] = float(state.seen)
    row[1] = float(tuned) / float(TESTS)
    row[2] = float(frozen) / float(TESTS)
    row[3] = float(linear) / float(TESTS)
    row[4] = share


def step(state: Learners) -> None:
    """One example more for all three."""
    learn(state)
    while is_due(state.kept, float(state.seen)):
        keep(state)
    if not abs(dot(state.layer.v, state.layer.v)) <= 1e18:
        state.diverged_at = state.seen


def done(state: Learners) -> bool:
    """Whether all examples are used, or the tuned layer has diverged."""
    return state.diverged_at >= 0 or state.seen >= state.settings.n


def read(state: Learners) -> Readings:
    """So far: steps (the examples), errors tuned, frozen, linear, and the tuned layer's attention share, each (count,);
    and diverged_at.
    """
    kept = state.kept
    return {
        "steps": column(kept, 0), "tuned": column(kept, 1), "frozen": column(kept, 2), "linear": column(kept, 3),
        "share": column(kept, 4), "diverged_at": ended(state.diverged_at),
    }  # fmt: skip
