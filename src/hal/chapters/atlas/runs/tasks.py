"""Groups, Walks, Prompts and Sentences as problems to train: a rate for each layer, and what is read of a run.

Chapter `atlas`. Source: our own. The settings are those of `hal.chapters.atlas.models`, the models the library's.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from hal.chapters.atlas.models.effective_block import EffectiveBlock
from hal.chapters.atlas.runs.rates import Array
from lib import optim
from lib.models import group_sparse as gs
from lib.models import linear_block as lb
from lib.models import random_walk as rw
from lib.models import scan_snap as ss
from lib.sampling import generators
from lib.train import GivenBatches

__all__ = ["TASKS", "Problem", "Rule"]


class Rule(Protocol):
    """How a field is trained."""

    def __call__(
        self, rate: Any, adam: float, length: float, scale: float = 1.0, keep: int | None = None
    ) -> optim.Transform:
        """The optimiser of a field.

        Args:
            rate: learning rate; a number or one a run.
            adam: that of Adam and of sign descent.
            length: of every step, for steps of one length.
            scale: what `rate` was multiplied by because a parameter stands for several entries of a weight matrix.
            keep: a model axis whose sums stay, counted from the end.
        """


class Problem(NamedTuple):
    """A task to train, R runs, and what is read of its parameters, (R,) each."""

    problem: Any
    start: Any
    rule: Callable[[Rule, Rule], optim.Transform]  # of the read-out's rule and attention's
    record: dict[str, Callable[[Any], Array]]  # seen: attention; out: the read-out; asked: what the loss still asks
    level: float  # of what is seen, at half-way
    steps: int
    batch: int | None
    selected: Callable[[Any], Array]  # the right place's share, 1 at best


def _groups(seeds: Sequence[int], rates: Array) -> Problem:
    n = 200
    task = gs.Task(D=6, d=4)
    model = gs.GroupTransformer(task)
    X, y = (np.repeat(part, len(rates) // len(seeds), axis=0) for part in task.sample(n, generators(seeds)))

    def seen(p: Any) -> Array:
        return np.asarray(model.attention(p, X)[..., task.star, :].mean(axis=(1, 2)))

    return Problem(
        problem=GivenBatches(model, [gs.Examples(X, y)]), start=model.init(len(rates)),
        rule=lambda out, move: optim.per_field(v=out(0.05 * rates, 0.01, 0), W=move(0.05, 0.003, 0.009)),
        record={
            "seen": seen,
            "out": lambda p: p.v[:, : task.d] @ task.v_star,
            "asked": lambda p: (1 / (1 + np.exp(y * model.output(p, X)))).mean(axis=1),
        }, level=0.5, steps=260, batch=None, selected=seen,
    )  # fmt: skip


def _walks(seeds: Sequence[int], rates: Array) -> Problem:
    K, N, n, p = 6, 25, 500, 0.5
    layer, rho = rw.MinimalTransformer(K=K, N=N, M=N), (N + 1) / 2
    few, times = rw.Walk(K, N, p).sample(n, generators(seeds)), len(rates) // len(seeds)
    walks = rw.Walks(np.repeat(few.s, times, axis=0), np.repeat(few.weight, times, axis=0))
    target = walks.s[:, :, -1]

    def asked(p: Any) -> Array:
        f = np.take_along_axis(layer.output(p, walks), target[..., None], axis=-1)[..., 0]
        return np.asarray((1 / (f + 0.1)).mean(axis=1))

    def seen(p: Any) -> Array:
        return np.asarray(layer.attention(p, walks)[..., -2].mean(axis=1))

    return Problem(
        problem=GivenBatches(layer, [walks]), start=layer.init(len(rates)),
        rule=lambda out, move: optim.per_field(V=out(0.05 * rates, 0.01, 0), u=move(0.05 * rho, 0.02, 0, rho),
                                          g=move(0.05 * rho**2, 0.02, 0.06, rho**2)),
        record={
            "seen": seen,
            "out": lambda p: np.linalg.norm(p.V - p.V.mean(axis=-1, keepdims=True), axis=(1, 2)),
            "asked": asked,
        }, level=0.5, steps=200, batch=None, selected=seen,
    )  # fmt: skip


def _prompts(seeds: Sequence[int], rates: Array) -> Problem:
    """Chapter 6 in its effective parameters, from c = 0 and a small Q."""
    d, M = 5, 20
    task = lb.Task(np.eye(d), np.eye(d), np.zeros(d), sigma=1.0, M=M)
    block = EffectiveBlock(task, start=0.0)
    zero = block.init(len(rates), generators([0] * len(rates)))
    best = M / (M + d + 2)

    def seen(p: Any) -> Array:
        return np.asarray(np.trace(p.Q, axis1=1, axis2=2) / d)

    return Problem(
        problem=block, start=zero._replace(c=0 * zero.c, Q=zero.Q / 6),
        rule=lambda out, move: optim.per_field(alpha=out(0.004 * rates, 0.002, 0), v=out(0.004 * rates, 0.002, 0),
                                          c=out(0.004 * rates, 0.002, 0), Q=move(0.02, 0.002, 0.01),
                                          q=move(0.02, 0.002, 0)),
        record={"seen": seen, "out": lambda p: p.c, "asked": lambda p: 1 - p.c * seen(p) / best},
        level=0.3, steps=300, batch=64,
        selected=lambda p: p.c * seen(p) / best,
    )  # fmt: skip


def _sentences(seeds: Sequence[int], rates: Array) -> Problem:
    task = ss.base_task()
    model = ss.Transformer(task)

    def asked(p: Any) -> Array:
        f = task.P * np.exp(p.Z[:, task.query])
        f /= np.linalg.norm(f, axis=-1, keepdims=True)
        logits = np.matmul(f, p.Y)
        chances = np.exp(logits - logits.max(axis=-1, keepdims=True)) * ss.output_weights(p.Y.shape[-1], task)
        chances /= chances.sum(axis=-1, keepdims=True)
        right, wrong = chances[:, [0, 1], [0, 1]], chances[:, [0, 1], [1, 0]]
        return np.asarray(((1 - right + wrong) / np.sqrt(2)).mean(axis=1))

    def seen(p: Any) -> Array:
        return np.asarray((ss.attention(p, task) * task.distinct).sum(axis=-1).mean(axis=1))

    return Problem(
        problem=model, start=model.init(len(rates)),
        rule=lambda out, move: optim.per_field(Y=out(1.0 * rates, 0.02, 0), Z=move(1.0, 0.02, 0.02)),
        record={
            "seen": seen,
            "out": lambda p: np.linalg.norm(p.Y[..., 0] - p.Y[..., 1], axis=-1) / np.sqrt(2),
            "asked": asked,
        }, level=0.45, steps=200, batch=128, selected=seen,
    )  # fmt: skip


#: The tasks by name.
TASKS: dict[str, Callable[[Sequence[int], Array], Problem]] = {
    "groups": _groups, "walks": _walks, "prompts": _prompts, "sentences": _sentences,
}  # fmt: skip
