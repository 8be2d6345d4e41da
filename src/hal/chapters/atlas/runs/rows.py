"""The rows of the recorded grid: each of the six tasks with the attention of its chapter.

Chapter `atlas`. Source: our own; those that `tasks` does not have are made here, from the library's models.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from hal.chapters.atlas.runs.rates import Array
from hal.chapters.atlas.runs.tasks import TASKS, Problem, Rule
from lib import optim
from lib.attention import softmax
from lib.models import one_nn, scb
from lib.sampling import generators

__all__ = ["ROWS", "Row"]

#: Times the read-out's learning rate. One where the read-out is given, and in rows whose steps take long.
THREE, ONE = (0.25, 1.0, 4.0), (1.0,)


class Row(NamedTuple):
    """A row of the grid."""

    make: Callable[[Sequence[int], Array], Problem]
    steps: int
    readout: tuple[float, ...] = THREE  #: times the read-out's learning rate


def _places(seeds: Sequence[int], rates: Array) -> Problem:
    """Chapter 1; selected is the signal of attention, less than zero where the read-out's is."""
    task = scb.ring_task(T=128, N=3)
    model = scb.LinearTransformer(task)

    def rule(out: Rule, move: Rule) -> optim.Transform:
        V = out(0.02 * task.N / task.K_Q * rates, 0.002, 0)
        A = optim.chain(optim.project_affine(-1), move(0.02 * task.N / task.K_P, 0.0004, 0, 1.0, -1))
        return optim.per_field(V=V, A=A)

    return Problem(
        problem=model, start=model.init(len(rates)), rule=rule, record={}, level=0.3, steps=0, batch=64,
        selected=lambda p: scb.alpha_A(p, task) * np.abs(scb.alpha_V(p, task)),
    )  # fmt: skip


def _neighbours(seeds: Sequence[int], rates: Array) -> Problem:
    """Chapter 3 in its two numbers; the read-out is given."""
    d, N = 8, 16
    pair = one_nn.ReducedPair(d, N)
    tests = pair.sample(500, generators(seeds, 1))

    def selected(p: one_nn.Pair) -> Array:
        scores = tests.z * p.xi1[:, None, None]
        own = np.broadcast_to((p.xi1 - p.xi2)[:, None, None], scores[:, :1].shape)
        return np.asarray(softmax(np.concatenate([scores, own], axis=1), axis=1)[:, :N].max(axis=1).mean(axis=1))

    return Problem(
        problem=pair, start=pair.init(len(rates)),
        rule=lambda out, move: optim.per_field(xi1=move(12 / d, 0.02, 0, 1 / d), xi2=move(12.0, 0.02, 0)), record={},
        level=0.5, steps=0, batch=32, selected=selected,
    )  # fmt: skip


#: Task -> row.
ROWS: dict[str, Row] = {
    "Places": Row(_places, 1000),
    "Sentences": Row(TASKS["sentences"], 300),
    "Neighbours": Row(_neighbours, 1000, ONE),
    "Groups": Row(TASKS["groups"], 300, ONE),
    "Walks": Row(TASKS["walks"], 300, ONE),
    "Prompts": Row(TASKS["prompts"], 450),
}
