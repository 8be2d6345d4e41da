"""The paper's algorithm, its three stages put together from `optim` and `train`; every run goes through it.

Chapter `scb`. Source: arXiv 2410.23438, Section 2.3 and Algorithm 1; the refit after Stage 3 is beyond the paper. Rates
have no unit, batches are in samples. A rate or threshold that is negative or not finite, and sizes that disagree, are
refused (`InputError`).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hal.chapters.scb import models
from lib import optim
from lib.errors import require
from lib.models import scb
from lib.optim import Transform
from lib.optim.base import rebuild, stateless
from lib.sampling import generators
from lib.train import Trajectory, train


def stack(tasks: Sequence[scb.Task]) -> scb.Task:
    """R tasks of one shape as one `Task` with a leading run axis; a single task stays as it is."""
    require(len(tasks) > 0, "tasks", "at least one task", "none")
    shapes = sorted({(t.N, t.T) for t in tasks})
    require(len(shapes) == 1, "tasks", "tasks of one shape (N, T)", shapes)
    if all(t is tasks[0] for t in tasks):
        return tasks[0]
    return scb.Task(*(np.stack([getattr(t, name) for t in tasks]) for name in ("mu", "P", "Q")))


def hold_mean(mu: NDArray[np.float64]) -> Transform:
    """Right-multiply the update of V (R, N, N) by I - mu 1^T, so that V mu does not move."""
    return stateless(lambda updates, params: rebuild(updates, [u - np.matmul(u, mu[..., None]) for u in updates]))


Record = Mapping[str, Callable[[Any], NDArray]]


def preconditioned(
    task: scb.Task,
    lr_V: optim.hyper.Hyper,
    lr_A: optim.hyper.Hyper,
    threshold: optim.hyper.Hyper | None = None,
    keep_mean: bool = False,
) -> optim.Transform:
    """The paper's update, equations (4) to (6): gradients rescaled by token frequency, kept on the affine sets, A
    soft-thresholded. The left projector on V is left out: it changes nothing.

    Step sizes and soft threshold lambda are numbers, (R,), or schedules; None leaves the proximal step out. `keep_mean`
    also keeps V mu = mu exactly (the right projector; beyond the paper).
    """
    A = optim.chain(
        optim.precondition(1 / task.mu[..., :, None]),
        optim.scale_by_learning_rate(lr_A),
        optim.project_affine(-1) if threshold is None else optim.prox_l1(threshold, keep_sums=-1),
    )
    return optim.per_field(V=output_step(task, lr_V, keep_mean), A=A)


def output_step(task: scb.Task, lr: optim.hyper.Hyper, keep_mean: bool = False) -> optim.Transform:
    """The step of V in `preconditioned`: its gradient rescaled by token frequency, V mu kept if asked."""
    steps = [optim.precondition(1 / task.mu[..., None, :]), optim.scale_by_learning_rate(lr)]
    return optim.chain(*steps, hold_mean(task.mu)) if keep_mean else optim.chain(*steps)


def stages(switch: ArrayLike, before: ArrayLike, after: ArrayLike) -> Callable[[int], Any]:
    """Schedule: `before` until step `switch`, `after` from there on; each a number or an array (R,)."""
    switch, before, after = np.asarray(switch), np.asarray(before, float), np.asarray(after, float)
    if switch.ndim == before.ndim == after.ndim == 0:  # the common case, asked three times a step
        turn, first, second = int(switch), float(before), float(after)
        return lambda step: first if step < turn else second

    def value(step: int) -> Any:
        chosen = np.where(step < switch, before, after)
        return float(chosen) if chosen.ndim == 0 else chosen

    return value


def learn(
    task: scb.Task,
    seeds: Sequence[int],
    *,
    lr: ArrayLike,
    batch: int,
    steps: int,
    switch: ArrayLike | None = None,
    lr_after: ArrayLike | None = None,
    ratio: float = 1.0,
    threshold: ArrayLike = 0.0,
    keep_mean: bool = False,
    record: Record | None = None,
    record_at: Sequence[int] | NDArray[np.int64] | None = None,
    start: Any = None,
    model: Any = None,
) -> Trajectory:
    """Train R runs from the paper's start: Stage 1 without threshold, Stage 2 (from `switch`) with it.

    The layers' steps are eta_V = lr / K_Q and eta_A = lr / K_P, as in the paper.

    Args:
        task: one task for all runs, or R tasks.
        seeds: R seeds of the training samples.
        lr: base step eta; number or (R,).
        batch: samples a step; not used if the model draws nothing.
        steps: number of steps.
        switch: step at which Stage 2 begins; None keeps Stage 1 (plain SGD) to the end.
        lr_after: base step from `switch` on; None keeps `lr`.
        ratio: base step of attention, in units of that of V.
        threshold: soft threshold lambda per step from `switch` on.
        keep_mean: keep V mu = mu exactly.
        record: what to record, name -> function of the parameters; default: signals and distances.
        record_at: steps to record.
        start: parameters to start from; default V = mu 1^T, A uniform.
        model: what to train; default the linear transformer on real tokens.
    """
    model = scb.LinearTransformer(task) if model is None else model
    draws = getattr(model, "draws", True)
    for name, value in {"lr": lr, "lr_after": lr if lr_after is None else lr_after, "threshold": threshold}.items():
        optim.hyper.hyper(name, value, low=0.0)(0)  # named as the caller wrote it, before it becomes a schedule
    never = steps + 1 if switch is None else switch
    rate = stages(never, lr, lr if lr_after is None else lr_after)
    level = None if switch is None else stages(never, 0.0, threshold)
    # Plain numbers where there is one task: they are divided by twice a step.
    K_Q, K_P = (K if K.ndim else float(K) for K in (task.K_Q, task.K_P))
    return train(
        problem=model,
        params=model.init(len(seeds)) if start is None else start,
        optimiser=preconditioned(
            task,
            lambda step: rate(step) / K_Q,
            lambda step: rate(step) * ratio / K_P,
            level,
            keep_mean,
        ),
        steps=steps,
        batch=batch if draws else None,
        rng=generators(seeds) if draws else None,
        record=signals(task) if record is None else record,
        record_at=record_at,
        settings={"lr": lr, "batch": batch, "switch": switch, "threshold": threshold, "seeds": list(seeds)},
    )


def finish(
    task: scb.Task,
    params: scb.Params,
    seeds: Sequence[int],
    *,
    lr: float,
    batch: int,
    steps: int,
    keep: float = 0.25,
    record_at: Sequence[int] | NDArray[np.int64] | None = None,
    record: Record | None = None,
    model: Any = None,
) -> Trajectory:
    """Stage 3: round and normalise the attention, freeze it, train V alone, V mu kept; the last half at a fifth of lr.

    Mirrored runs are flipped first. Entries below `keep` times the row's largest become 0. The seeds are other ones
    than those of the first stages; all else is as in `learn`.

    Section 3.4 and Appendix F of the paper; the decay of the rate is ours.
    """
    upright = models.unmirror(params, task)
    start = scb.Params(upright.V, models.round_attention(upright.A, keep))
    rate = stages(steps // 2, lr, lr / 5)
    V = output_step(task, lambda step: rate(step) / task.K_Q, keep_mean=True)
    model = scb.LinearTransformer(task) if model is None else model
    draws = getattr(model, "draws", True)
    return train(
        problem=model, params=start, optimiser=optim.per_field(V=V, A=optim.freeze()), steps=steps,
        batch=batch if draws else None, rng=generators(seeds, 3) if draws else None,
        record=signals(task) if record is None else record, record_at=record_at, settings={"lr": lr},
    )  # fmt: skip


def signals(task: scb.Task) -> dict[str, Callable[[scb.Params], NDArray]]:
    """The chapter's standard records: signal coordinates and distances; each (R,) a step."""
    measures = {
        "alpha_V": scb.alpha_V,
        "alpha_A": scb.alpha_A,
        "distance_V": scb.distance_V,
        "distance_A": scb.distance_A,
    }
    return {name: _bind(measure, task) for name, measure in measures.items()}


def _bind(measure: Callable, task: scb.Task) -> Callable[[scb.Params], NDArray]:
    return lambda params: measure(params, task)
