"""Groups, Walks, Prompts and Sentences at five learning rates of the read-out, many seeds at a time, with their clocks.

Chapter `atlas`. Source: our own; Theorem 1. The settings are those of `lib.models.atlas`, the models the library's.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from hal.chapters.atlas.runs.rates import FACTORS, Array, Fan
from lib import optim
from lib.errors import require
from lib.models import group_sparse as gs
from lib.models import linear_block as lb
from lib.models import random_walk as rw
from lib.models import scan_snap as ss
from lib.optim.base import rebuild, stateless
from lib.sampling import generators
from lib.train import GivenBatches, train

__all__ = ["TASKS", "fan_of"]

Rule = Callable[[Any, float, float], optim.Transform]  # of a learning rate, of Adam's, and of a length of every step
TINY = 1e-9  # a norm that every gradient has to be cut to


class Problem(NamedTuple):
    """A task to train: its readings are attention on the right place, the read-out, and what the loss still asks."""

    problem: Any
    start: Any
    rule: Callable[[Rule, Rule], optim.Transform]  # of the read-out's rule and attention's
    record: dict[str, Callable[[Any], Array]]
    level: float
    steps: int
    batch: int | None


def _groups(seeds: Sequence[int], rates: Array) -> Problem:
    n = 200
    model = gs.GroupTransformer(task := gs.Task(D=6, d=4))
    few = task.sample(n, generators(seeds))
    X, y = (np.repeat(part, len(FACTORS), axis=0) for part in few)
    return Problem(
        GivenBatches(model, [gs.Examples(X, y)]), model.init(len(rates)),
        lambda out, seen: optim.per_field(v=out(0.05 * rates, 0.01, 0), W=seen(0.05, 0.003, 0.009)),
        {
            "seen": lambda p: model.attention(p, X)[..., task.star, :].mean(axis=(1, 2)),
            "out": lambda p: p.v[:, : task.d] @ task.v_star,
            "asked": lambda p: (1 / (1 + np.exp(y * model.output(p, X)))).mean(axis=1),
        }, 0.5, 260, None,
    )  # fmt: skip


def _walks(seeds: Sequence[int], rates: Array) -> Problem:
    K, N, n = 6, 25, 500
    layer, rho = rw.MinimalTransformer(K=K, N=N, M=N), (N + 1) / 2
    few = rw.Walk(K, N, 0.5).sample(n, generators(seeds))
    walks = rw.Walks(np.repeat(few.s, len(FACTORS), axis=0), np.repeat(few.weight, len(FACTORS), axis=0))
    target = walks.s[:, :, -1]

    def asked(p: Any) -> Array:
        f = np.take_along_axis(layer.output(p, walks), target[..., None], axis=-1)[..., 0]
        return np.asarray((1 / (f + 0.1)).mean(axis=1))

    return Problem(
        GivenBatches(layer, [walks]), layer.init(len(rates)),
        lambda out, seen: optim.per_field(V=out(0.05 * rates, 0.01, 0), u=seen(0.05 * rho, 0.02, 0),
                                          g=seen(0.05 * rho**2, 0.02, 0.06)),
        {
            "seen": lambda p: layer.attention(p, walks)[..., -2].mean(axis=1),
            "out": lambda p: np.linalg.norm(p.V - p.V.mean(axis=-1, keepdims=True), axis=(1, 2)),
            "asked": asked,
        }, 0.5, 200, None,
    )  # fmt: skip


def _prompts(seeds: Sequence[int], rates: Array) -> Problem:
    d, M = 5, 20
    block = lb.EffectiveBlock(lb.Task(np.eye(d), np.eye(d), np.zeros(d), sigma=1.0, M=M), start=0.0)
    zero = block.init(len(rates), generators([0] * len(rates)))
    best = M / (M + d + 2)

    def seen(p: Any) -> Array:
        return np.asarray(np.trace(p.Q, axis1=1, axis2=2) / d)

    return Problem(
        block, zero._replace(c=0 * zero.c, Q=zero.Q / 6),
        lambda out, move: optim.per_field(alpha=out(0.004 * rates, 0.002, 0), v=out(0.004 * rates, 0.002, 0),
                                          c=out(0.004 * rates, 0.002, 0), Q=move(0.02, 0.002, 0.01),
                                          q=move(0.02, 0.002, 0)),
        {"seen": seen, "out": lambda p: p.c, "asked": lambda p: 1 - p.c * seen(p) / best}, 0.3, 300, 64,
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

    return Problem(
        model, model.init(len(rates)),
        lambda out, seen: optim.per_field(Y=out(1.0 * rates, 0.02, 0), Z=seen(1.0, 0.02, 0.02)),
        {
            "seen": lambda p: (ss.attention(p, task) * task.distinct).sum(axis=-1).mean(axis=1),
            "out": lambda p: np.linalg.norm(p.Y[..., 0] - p.Y[..., 1], axis=-1) / np.sqrt(2),
            "asked": asked,
        }, 0.45, 200, 128,
    )  # fmt: skip


#: The tasks by name.
TASKS: dict[str, Callable[[Sequence[int], Array], Problem]] = {
    "groups": _groups, "walks": _walks, "prompts": _prompts, "sentences": _sentences,
}  # fmt: skip


def _gradient(rate: Any, adam: float, length: float) -> optim.Transform:
    return optim.sgd(rate)


def _adam(rate: Any, adam: float, length: float) -> optim.Transform:
    times = np.asarray(rate) / np.median(rate)  # Adam has a learning rate of its own, with the same factors
    return optim.adam(adam * times)


def _even(rate: Any, adam: float, length: float) -> optim.Transform:
    return optim.chain(optim.clip_by_global_norm(TINY), optim.sgd(length / TINY))


def _contrast(rate: Any, adam: float, length: float) -> optim.Transform:
    """Gradient descent on what the decoder says differently of two classes, columns 0 and 1; the rest stays zero."""

    def apart(slope: Array) -> Array:
        half = 0.5 * (slope[..., 0] - slope[..., 1])
        out = np.zeros_like(slope)
        out[..., 0], out[..., 1] = half, -half
        return out

    kept = stateless(lambda updates, params: rebuild(updates, map(apart, updates)))
    return optim.chain(kept, optim.sgd(rate))


RULES: dict[str, tuple[Rule, Rule]] = {
    "gradient descent": (_gradient, _gradient),
    "Adam": (_adam, _adam),
    "even steps": (_gradient, _even),
    "contrast alone": (_contrast, _gradient),
}  # fmt: skip


def fan_of(task: str, seeds: Sequence[int], optimiser: str = "gradient descent", steps: int | None = None) -> Fan:
    """Train one task at five learning rates of the read-out; runs of one seed have the same examples.

    Args:
        task: a name among `TASKS`.
        seeds: of the samples.
        optimiser: of both layers "gradient descent" or "Adam"; or "even steps": gradient descent for the read-out, and
            steps of one length, whatever the gradient's, for attention; or, in Sentences, "contrast alone": gradient
            descent for what the decoder says differently of the two classes, and nothing else.
        steps: of each run; None takes the task's own number.

    Returns:
        Step, clock and accumulated read-out at half-way, on a straight line between two steps.

    Raises:
        InputError: if the task or the optimiser is unknown.
    """
    require(task in TASKS, "task", f"one of {', '.join(TASKS)}", repr(task))
    require(optimiser in RULES, "optimiser", f"one of {', '.join(RULES)}", repr(optimiser))
    made = TASKS[task](seeds, np.tile(FACTORS, len(seeds)))
    count = made.steps if steps is None else steps
    rngs = [rng for seed in seeds for rng in generators([seed] * len(FACTORS))] if made.batch else None
    run = train(made.problem, made.start, made.rule(*RULES[optimiser]), count, made.batch, rngs, made.record,
                range(count + 1))  # fmt: skip
    told = run["out"] * run["asked"]
    found = [half_way(run["seen"], np.cumsum(sums, axis=1) - sums, made.level) for sums in (told, run["out"])]
    shape = (len(seeds), len(FACTORS))
    return Fan(found[0][0].reshape(shape), found[0][1].reshape(shape), found[1][1].reshape(shape))


def half_way(seen: Array, clock: Array, level: float) -> tuple[Array, Array]:
    """The step and the clock at which attention reaches a level, (runs,) each; NaN where it does not.

    Args:
        seen: (runs, steps + 1) attention before each step.
        clock: (runs, steps + 1) the clock before each step.
        level: to reach.
    """
    step, read = np.full(len(seen), np.nan), np.full(len(seen), np.nan)
    for r, (attention, told) in enumerate(zip(seen, clock, strict=True)):
        over = np.flatnonzero((attention[1:] >= level) & (attention[:-1] < level))
        if over.size:
            k = over[0]
            share = (level - attention[k]) / (attention[k + 1] - attention[k])
            step[r], read[r] = k + share, told[k] + share * (told[k + 1] - told[k])
    return step, read
