"""Two pushes on attention in Sentences, added up along each run's own path: a clock without a fitted number.

Chapter `atlas`. Source: our own. What the decoder says of a token has two parts: the contrast of the two classes, and
what it says alike of both against outputs that never come next. Each is a length times a shape, and each has a residual
of its own. The contrast pushes distinct tokens up against common ones, the other part down.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hal.chapters.atlas.runs.fans import RULES, half_way
from hal.chapters.atlas.runs.rates import Array
from hal.chapters.atlas.runs.tasks import TASKS
from hal.results import path_of
from hal.results.rows import recorded_rows
from lib.attention import softmax
from lib.models import scan_snap as ss
from lib.sampling import generators
from lib.train import train

COMMAND = "python -m hal.chapters.records atlas pushes"
RECORD = path_of("atlas", "pushes")
SEEDS, TIMES = range(4100, 4116), (0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0)  # times: of the decoder's learning rate, 1
GRID = [{"times": times} for times in TIMES]
#: Whose shapes, and how long the sequences are. "attention": the shapes that a decoder has that learned all it knows
#: with the attention of the moment; "decoder": those it has.
VERSIONS = (("attention", "infinite"), ("attention", "finite"), ("decoder", "infinite"), ("decoder", "finite"))
LEVEL, TESTS, STEPS = 0.45, 1000, 200  # distinct mass at half-way; sequences that stand for all
SIGN = np.array([[1.0], [-1.0]])  # of the contrast, by class


def asked(task: ss.Task) -> float:
    """What the clock should read at half-way, nats: log-odds of the distinct mass there less those at the start."""
    first = float(ss.mass_on(task.P, task.distinct))
    return float(np.log(LEVEL / (1 - LEVEL)) - np.log(first / (1 - first)))


def pushes(p: ss.Params, task: ss.Task, tests: ss.Batch, alike: float = 1.0) -> Array:
    """How fast the log-odds of the distinct mass rise per unit of attention's learning rate, (R, 4), by version, nats.

    Args:
        p: of R runs, decoder folded.
        task: two classes with a query each.
        tests: sequences for all runs.
        alike: what the push by what is said alike of both classes is multiplied by.
    """
    Z, Y = p.Z[:, task.query], p.Y
    grown, told = np.exp(Z - Z.max(axis=-1, keepdims=True)), []
    halves = (Y[..., 0] - Y[..., 1]) / 2, alike * ((Y[..., 0] + Y[..., 1]) / 2 - Y[..., 2])
    long = (_inputs(task.P * grown), np.arange(task.K))
    short = (_inputs(tests.counts * grown[:, tests.label[0]]), tests.label[0])
    for shapes, length in VERSIONS:
        f, label = long if length == "infinite" else short
        of = [label == n for n in range(task.K)]
        left = _residuals(f @ Y, label, task)
        if shapes == "attention":
            seen = np.stack([f[:, one].mean(axis=1) for one in of], axis=1)
            drawn = (_inputs(seen[:, 0] - seen[:, 1]), _inputs(seen[:, 0] + seen[:, 1]))
            parts = [np.linalg.norm(part, axis=-1)[:, None] * shape for part, shape in zip(halves, drawn, strict=True)]
            left = tuple(np.broadcast_to(rest.mean(axis=1)[:, None], rest.shape) for rest in left)
        else:
            parts = list(halves)
        says = SIGN[label] * parts[0][:, None] * left[0][..., None] + parts[1][:, None] * left[1][..., None]
        moved = f * (says - f * (f * says).sum(axis=-1, keepdims=True))
        mean = np.stack([moved[:, one].mean(axis=1) for one in of], axis=1) / task.K  # classes are equally likely
        own, shared = task.P * grown * task.distinct, task.P * grown * task.common
        rise = (own * mean).sum(-1) / own.sum(-1) - (shared * mean).sum(-1) / shared.sum(-1)
        told.append(rise.mean(axis=1))
    return np.stack(told, axis=-1)


def clocks(seeds: Sequence[int], times: float, alike: float = 1.0, steps: int = STEPS, tests: int = TESTS) -> Array:
    """Train Sentences, and read the step and the clocks where attention is half-way.

    Args:
        seeds: R of them.
        times: of the decoder's learning rate, 1; attention's is 1.
        alike: as for `pushes`.
        steps: of each run.
        tests: sequences that stand for all.

    Returns:
        (1 + 4, R): the step; the clock of each version, nats; NaN for a run that does not get there.
    """
    made = TASKS["sentences"](seeds, np.full(len(seeds), times))
    task = made.problem.task
    some = ss.sample(task, tests, generators([10**6]))

    def told(p: Any) -> Array:
        return np.concatenate([made.record["seen"](p)[:, None], pushes(p, task, some, alike)], axis=-1)

    rule = made.rule(*RULES["gradient descent"])
    run = train(made.problem, made.start, rule, steps, made.batch, generators(seeds), {"told": told}, range(steps + 1))
    seen, rates = run["told"][..., 0], run["told"][..., 1:]
    sums = np.cumsum(rates, axis=1) - rates
    found = [half_way(seen, sums[..., i], LEVEL) for i in range(len(VERSIONS))]
    return np.stack([found[0][0], *(clock for _, clock in found)])


def cell(times: float) -> dict[str, Any]:
    """One setting of the record: steps and clocks (seeds), None of a run that is not half-way, and how many are not."""
    found = clocks(SEEDS, times)
    rows = [[round(float(x), 4) if np.isfinite(x) else None for x in row] for row in found]
    return {"step": rows[0], "clock": rows[1:], "lost": int(np.isnan(found[0]).sum())}


def recorded_clocks(path: Path | str = RECORD) -> tuple[Array, Array, int]:
    """The record: step (times, seeds), clocks (versions, times, seeds) in nats, and how many runs are not half-way.

    Raises:
        InputError: if there is no record, or it lacks a row.
    """
    rows = recorded_rows(path, "the recorded pushes", COMMAND, GRID)
    kept = [rows[(times,)] for times in TIMES]
    clock = np.array([row["clock"] for row in kept], float).swapaxes(0, 1)
    return np.array([row["step"] for row in kept], float), clock, sum(row["lost"] for row in kept)


def _inputs(scores: Array) -> Array:
    return np.asarray(scores / np.linalg.norm(scores, axis=-1, keepdims=True))


def _residuals(logits: Array, label: Any, task: ss.Task) -> tuple[Array, ...]:
    """Of the contrast, 1 - p + p', and of what is said alike, 1 - p - p': (R, samples) each."""
    p = softmax(logits + np.log(ss.output_weights(logits.shape[-1], task)))
    at = np.arange(len(label))
    right, wrong = p[:, at, label], p[:, at, 1 - label]
    return 1 - right + wrong, 1 - right - wrong
