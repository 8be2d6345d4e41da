"""Attention on the right place and right answers of runs: honest ones, and ones that answer for another reason.

Chapter `atlas`. Source: our own; each instance is of a chapter.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from hal.chapters.atlas.runs.rates import Array
from lib import optim
from lib.models import group_sparse as gs
from lib.models import random_walk as rw
from lib.models import scan_snap as ss
from lib.sampling import generators
from lib.train import GivenBatches, train

__all__ = ["RUNS", "Reason"]


class Reason(NamedTuple):
    """One run at its end, mean over seeds."""

    seen: float  #: attention on the right place
    right: float  #: accuracy on new examples over the best possible one


def right_sentences(p: ss.Params, task: ss.Task, tests: ss.Batch) -> Array:
    """Share of test sequences whose most likely next token is the right one, (R,)."""
    z = np.take_along_axis(p.Z, tests.query[..., None], axis=1)
    f = tests.counts * np.exp(z - z.max(axis=-1, keepdims=True))
    logits = np.matmul(f / np.linalg.norm(f, axis=-1, keepdims=True), p.Y)[..., : task.K]
    return np.asarray((logits.argmax(axis=-1) == tests.label).mean(axis=1))


def _sentences(seeds: Sequence[int], moves: float = 1.0) -> Reason:
    """Chapter 2, both layers by gradient descent; attention's rate times `moves`."""
    task = ss.base_task()
    model, tests = ss.Transformer(task), ss.sample(task, 1000, generators(seeds, 3))

    run = train(model, model.init(len(seeds)), optim.per_field(Y=optim.sgd(1.0), Z=optim.sgd(moves)), 400, 128,
                generators(seeds), {
                    "seen": lambda p: (ss.attention(p, task) * task.distinct).sum(axis=-1).mean(axis=1),
                    "right": lambda p: right_sentences(p, task, tests),
                }, [0, 400])  # fmt: skip
    return Reason(float(run["seen"][:, -1].mean()), float(run["right"][:, -1].mean()))


def _groups(seeds: Sequence[int], adam: bool = False) -> Reason:
    """Chapter 4, 6 groups of 4 and 500 examples; one optimiser for both layers. No answer is half a right one."""
    rule = optim.adam(0.01) if adam else optim.sgd(0.1)
    task = gs.Task(D=6, d=4)
    model, new = gs.GroupTransformer(task), task.sample(1000, generators(seeds, 1))
    run = train(GivenBatches(model, [task.sample(500, generators(seeds))]), model.init(len(seeds)),
                optim.per_field(v=rule, W=rule), 500, record={
                    "seen": lambda p: gs.mean_attention(p, model, new.X),
                    "right": lambda p: (1 + np.sign(model.output(p, new.X) * new.y)).mean(axis=1) / 2,
                }, record_at=[0, 500])  # fmt: skip
    return Reason(float(run["seen"][:, -1].mean()), float(run["right"][:, -1].mean()))


def _walks(seeds: Sequence[int], p: float = 0.8, N: int = 97) -> Reason:
    """Chapter 5, 500 walks over 6 nodes; a best answer is right in max(p, 1 - p) of all cases."""
    layer, walk = rw.MinimalTransformer(K=6, N=N, M=1000), rw.Walk(6, N, p)
    few, new = walk.sample(500, generators(seeds)), walk.sample(2000, generators(seeds, 1))
    rule = optim.per_field(V=optim.sgd(1.0), u=optim.sgd(layer.rho), g=optim.sgd(layer.rho**2))
    run = train(GivenBatches(layer, [few]), layer.init(len(seeds)), rule, 12, record={
        "seen": lambda q: layer.attention(q, new)[..., -2].mean(axis=1),
        "right": lambda q: rw.accuracy(layer.output(q, new), new),
    }, record_at=[0, 12])  # fmt: skip
    return Reason(float(run["seen"][:, -1].mean()), float(run["right"][:, -1].mean()) / max(p, 1 - p))


#: Task -> an honest run, and one that is right for another reason.
RUNS: dict[str, tuple[Callable[[Sequence[int]], Reason], Callable[[Sequence[int]], Reason]]] = {
    "Sentences": (_sentences, lambda seeds: _sentences(seeds, 0.0)),
    "Groups": (_groups, lambda seeds: _groups(seeds, True)),
    "Walks": (_walks, lambda seeds: _walks(seeds, 1.0, 98)),
}
