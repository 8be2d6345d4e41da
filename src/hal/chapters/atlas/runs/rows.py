"""The rows of the recorded grid: each of the six tasks, with linear and with softmax attention where both exist.

Chapter `atlas`. Source: our own; those that `tasks` does not have are made here, from the library's models.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from hal.chapters.atlas.runs.rates import Array
from hal.chapters.atlas.runs.tasks import FRESH, TASKS, Problem, Rule, explained, groups, prompts
from hal.chapters.linear_block.models.stacks import SmallBlock
from hal.chapters.scb.models.softmax import SoftmaxParams, SoftmaxTransformer, as_linear
from lib import optim
from lib.attention import softmax
from lib.models import linear_block as lb
from lib.models import one_nn, scb
from lib.sampling import generators

__all__ = ["ABSENT", "ROWS", "Row"]

#: Times the read-out's learning rate. One where the read-out is given, and in rows whose steps take long.
THREE, ONE = (0.25, 1.0, 4.0), (1.0,)


class Row(NamedTuple):
    """A row of the grid."""

    make: Callable[[Sequence[int], Array], Problem]
    steps: int
    softens: float  #: the threshold of a step's soft threshold, times attention's learning rate
    readout: tuple[float, ...] = THREE  #: times the read-out's learning rate


def _places(seeds: Sequence[int], rates: Array, soft: bool = False) -> Problem:
    """Chapter 1; selected is the signal of attention, less than zero where the read-out's is, or the support's mass."""
    task = scb.ring_task(T=128, N=3)
    model = SoftmaxTransformer(task) if soft else scb.LinearTransformer(task)
    support = task.Q > 0
    new = model.sample(FRESH, generators(seeds, 1))

    def loss(p: Any) -> Array:
        return scb.loss_and_gradient(as_linear(p) if isinstance(p, SoftmaxParams) else p, new)[0]

    worst = loss(model.init(len(rates)))
    best = loss(scb.Params(*(np.repeat(x[None], len(rates), axis=0) for x in (task.P, task.Q))))

    def rule(out: Rule, move: Rule) -> optim.Transform:
        V = out(0.02 * task.N / task.K_Q * rates, 0.002, 0)
        if soft:
            return optim.per_field(V=V, w=move(6.0 * task.N, 0.02, 0, float(task.T)))
        A = optim.chain(optim.project_affine(-1), move(0.02 * task.N / task.K_P, 0.0004, 0, 1.0, -1))
        return optim.per_field(V=V, A=A)

    def selected(p: Any) -> Array:
        if soft:
            return np.asarray((as_linear(p).A * support).sum(axis=-1).mean(axis=-1))
        return scb.alpha_A(p, task) * np.abs(scb.alpha_V(p, task))

    return Problem(
        problem=model, start=model.init(len(rates)), rule=rule, record={}, level=0.3, steps=0, batch=64,
        selected=selected, right=lambda p: (worst - loss(p)) / (worst - best),
    )  # fmt: skip


def _neighbours(seeds: Sequence[int], rates: Array) -> Problem:
    """Chapter 3 in its two numbers; the read-out is given."""
    d, N = 8, 16
    pair = one_nn.ReducedPair(d, N)
    tests = pair.sample(FRESH, generators(seeds, 1))

    def selected(p: one_nn.Pair) -> Array:
        scores = tests.z * p.xi1[:, None, None]
        own = np.broadcast_to((p.xi1 - p.xi2)[:, None, None], scores[:, :1].shape)
        return np.asarray(softmax(np.concatenate([scores, own], axis=1), axis=1)[:, :N].max(axis=1).mean(axis=1))

    def right(p: one_nn.Pair) -> Array:
        return 1 - one_nn.pair_loss_and_gradient(p, tests)[0] / (0.5 - 0.5 / N)

    return Problem(
        problem=pair, start=pair.init(len(rates)),
        rule=lambda out, move: optim.per_field(xi1=move(12 / d, 0.02, 0, 1 / d), xi2=move(12.0, 0.02, 0)), record={},
        level=0.5, steps=0, batch=32, selected=selected, right=right,
    )  # fmt: skip


def _softmax_prompts(seeds: Sequence[int], rates: Array) -> Problem:
    """Chapter 6 with softmax over all tokens, from four random matrices, without MLP; selected is read as if linear."""
    d, M = 5, 20
    task = lb.Task(np.eye(d), np.eye(d), np.zeros(d), sigma=1.0, M=M)
    block = SmallBlock(task)
    new = task.sample(FRESH, generators(seeds, 1))

    def selected(p: lb.Weights) -> Array:
        found = lb.effective_of(p, mlp=False)
        return np.asarray(found.c * np.trace(found.Q, axis1=1, axis2=2) / d)

    def rule(out: Rule, move: Rule) -> optim.Transform:
        return optim.per_field(
            **{name: out(0.04 * rates, 0.002, 0) for name in ("P", "V")},
            **{name: move(0.04, 0.002, 0) for name in ("K", "Q")},
            W1=optim.freeze(), W2=optim.freeze(),
        )  # fmt: skip

    return Problem(
        problem=block, start=block.init(len(rates), generators(seeds, 2)), rule=rule, record={}, level=0.5, steps=0,
        batch=64, selected=selected, right=explained(block.output, task, new),
    )  # fmt: skip


#: Task and attention -> row.
ROWS: dict[str, Row] = {
    "Places, linear": Row(_places, 1000, 0.05),
    "Places, softmax": Row(partial(_places, soft=True), 1200, 0.0004),
    "Sentences, softmax": Row(TASKS["sentences"], 300, 0.0004),
    "Neighbours, softmax": Row(_neighbours, 1000, 0.0, ONE),
    "Groups, linear": Row(partial(groups, linear=True), 150, 0.01, ONE),
    "Groups, softmax": Row(groups, 300, 0.01, ONE),
    "Walks, softmax": Row(TASKS["walks"], 300, 0.0001, ONE),
    "Prompts, linear, c = 0": Row(prompts, 450, 0.05),
    "Prompts, linear": Row(partial(prompts, own=True), 250, 0.05, ONE),
    "Prompts, softmax": Row(_softmax_prompts, 500, 0.05, ONE),
}  # fmt: skip

#: Task and attention -> why the library has no such model.
ABSENT = {
    name: "no linear model: the task's softmax is what its chapter is about"
    for name in ("Sentences, linear", "Neighbours, linear", "Walks, linear")
}
