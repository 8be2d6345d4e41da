"""Chapter 4's task, *Groups*, with a learning rate for each layer.

Chapter `atlas`. Source: our own; examples and gradients are those of `lib.models.group_sparse.textbook`.
"""

from dataclasses import dataclass
from typing import NamedTuple

from hal.chapters.atlas.models.layers import Layer, Now, Rates, layer, learn
from lib.models.group_sparse.textbook import STAR, Settings, State, add_example, draw_examples, take, untrained
from lib.portable.numbers import exp
from lib.portable.primitives import Matrix, Vector, zero_matrix, zeros
from lib.portable.random_numbers import generator
from lib.portable.vectors import fill, fill_rows

EXAMPLES = 200  # the same in every step


@dataclass
class Groups:
    """A run."""

    model: State
    v: Layer
    W: Layer
    now: Now  # its clock is the sum of v_* E[1 / (1 + e^margin)], v_* the entry of v that decides


class Examples(NamedTuple):
    """What the runs of one seed train on; none of them writes into it."""

    tokens: Matrix
    y: Vector


def draw(seed: int) -> Examples:
    """Examples without errors in their labels."""
    own = Settings(6, 4, EXAMPLES, 0.0, 0, 1.0, 0.0)
    drawn = Examples(zero_matrix(EXAMPLES * own.D, own.D + own.d), zeros(EXAMPLES))
    draw_examples(own, 0.0, drawn.tokens, drawn.y, generator(seed, 0))
    return drawn


def begin(rates: Rates, examples: Examples) -> Groups:
    """Before the first step: both layers zero, so that attention is even."""
    model = untrained(Settings(6, 4, EXAMPLES, 0.0, 0, 1.0, 0.0))
    model.tokens, model.y, m = examples.tokens, examples.y, len(model.v)
    return Groups(
        model, layer(rates, rates.readout, m, 0.05, 0.01, 1.0),
        layer(rates, rates.attention, m * m, 0.05, 0.003, 1.0), Now(0.0, 0.0, False),
    )  # fmt: skip


def advance(run: Groups) -> None:
    """One step on all examples. What is seen is attention on the deciding group, mean over queries and examples."""
    model, n, D = run.model, run.model.settings.n, run.model.settings.D
    fill(model.grad_v, 0.0)
    fill_rows(model.grad_W, 0.0)
    seen, asked = 0.0, 0.0
    for i in range(n):
        asked += 1.0 / (1.0 + exp(add_example(model, take(model, model.tokens, i), model.y[i])))
        for j in range(D):
            seen += model.S[j][STAR]
    run.now.seen = seen / float(n * D)
    run.now.clock += model.v[0] * asked / float(n)
    learn(run.v, [model.v], [model.grad_v])
    learn(run.W, model.W, model.grad_W)
    run.now.lost = not abs(model.v[0]) <= 1e9
