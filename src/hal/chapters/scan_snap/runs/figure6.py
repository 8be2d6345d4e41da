"""Figure 6 of Scan and Snap: entropy of attention over learning rates, with the released random numbers and with ours.

Chapter `scan_snap`. For each seed the 16 pairs of rates see the same samples from the same start, so that they are one
run of 16. Source: arXiv 2305.16380, Section 8, Figures 6, 11 and 12 (Syn-Medium); numbers of tokens from the authors'
released settings. What is out of range is refused with an `InputError`.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hal import results
from hal.chapters.scan_snap.runs.learning import learn, rates
from hal.chapters.scan_snap.runs.published import (
    BATCH,
    LENGTH,
    LR_Z,
    QUERIES,
    RATIOS,
    SEEDS,
    STEPS,
    draw_stream,
    replay,
)
from lib.attention import softmax
from lib.errors import require
from lib.models import scan_snap as ss
from lib.train import Trajectory

Array = NDArray[np.float64]

RECORD = results.path_of("scan_snap", "figure6")
COMMAND = "python -m hal.chapters.records scan_snap figure6"
# Ends of the printed axes of Figures 11 and 12: thresholds near 1 / M.
THRESHOLDS = {1: (0.028, 0.038), 3: (0.012, 0.016), 5: (0.0075, 0.0105), 10: (0.004, 0.0052)}


class Figure6(NamedTuple):
    """A grid of runs: q query counts, z rates of attention, n ratios of the rates, S seeds, H thresholds."""

    queries: tuple[int, ...]  #: q; two classes each
    lr_Z: tuple[float, ...]  #: z; per step
    ratios: tuple[float, ...]  #: n; rate of the decoder over lr_Z
    seeds: tuple[int, ...]  #: S
    entropy: Array  #: (q, z, n, S) nats, of attention on a class's distinct tokens; NaN for a run that diverged
    thresholds: Array  #: (q, H) softmax weights
    recall: Array  #: (q, z, n, S, H) share of distinct tokens above the threshold

    @property
    def mean(self) -> Array:
        """(q, z, n) entropy in nats, mean over seeds."""
        return self.entropy.mean(axis=-1)

    @property
    def std(self) -> Array:
        """(q, z, n) sample standard deviation over seeds, nats (the published spread)."""
        return self.entropy.std(axis=-1, ddof=1)


def medium_task(queries: int) -> ss.Task:
    """Syn-Medium: two classes a query, ten common tokens, ten distinct tokens a class, 127 contextual tokens; K is
    twice the number of queries, and M = 10 + 20 queries + 3 queries."""
    require(queries >= 1, "queries", "at least 1", queries)
    return ss.base_task(K=2 * queries, queries=queries, L=LENGTH)


def replayed_figure6(
    queries: Sequence[int] = QUERIES,
    lr_Z: Sequence[float] = LR_Z,
    ratios: Sequence[float] = RATIOS,
    seeds: Sequence[int] = SEEDS,
    points: int = 41,
) -> Figure6:
    """Figure 6 from the very random numbers of the released runs; the whole takes half a minute.

    Args:
        queries: q numbers of query tokens.
        lr_Z: z rates of attention, per step.
        ratios: n rates of the decoder in units of lr_Z.
        seeds: S seeds of the released program, 1 to 10 in the figure.
        points: H thresholds of the recall curves.

    Returns:
        The `Figure6`; a cell does not depend on which others are asked for.
    """

    def run(task: ss.Task, seed: int, lr_Y: Array, lr_Z: Array) -> tuple[Trajectory, Array]:
        stream = draw_stream(task, seed, STEPS, BATCH)
        return replay(task, stream, rates(lr_Y, lr_Z), len(lr_Z)), stream.others

    return _sweep(run, queries, lr_Z, ratios, seeds, points)


def own_figure6(
    queries: Sequence[int] = QUERIES,
    lr_Z: Sequence[float] = LR_Z,
    ratios: Sequence[float] = RATIOS,
    seeds: Sequence[int] = SEEDS,
    points: int = 41,
) -> Figure6:
    """Figure 6 from random numbers of our own: the standard run `learn` from a random start, with seeds of ours.

    In its recall, tokens that never occur as context have the logit 0; the released start gives them random ones.
    """

    def run(task: ss.Task, seed: int, lr_Y: Array, lr_Z: Array) -> tuple[Trajectory, None]:
        same, ends = [seed] * len(lr_Z), [0, STEPS]
        run = learn(
            task, same, rates(lr_Y, lr_Z), steps=STEPS, batch=BATCH, random=True, shared=True, record={}, record_at=ends
        )
        return run, None

    return _sweep(run, queries, lr_Z, ratios, seeds, points)


def recall(params: ss.Params, task: ss.Task, thresholds: Array, others: Array | None = None) -> Array:
    """(R, H) share of distinct tokens whose plain softmax weight exceeds each of H thresholds, mean over queries.

    The softmax of row m of Z runs over all M tokens and is not weighted by how often a token occurs. `others` (R or 1,
    Q, M - C) are the logits of tokens that never occur as context, which keep those of the start; default zeros. The
    quantity of the paper's Figures 11 and 12; the definition is inferred from their axes.
    """
    rows = np.zeros((*params.Z.shape[:-1], max(task.M, task.C)))
    rows[..., : task.C] = params.Z
    if others is not None:
        expected = (task.Q, rows.shape[-1] - task.C)
        require(others.shape[1:] == expected, "others", f"shape (R or 1, {expected[0]}, {expected[1]})", others.shape)
        rows[..., task.C :] = others
    weight = softmax(rows)[..., : task.C]  # (R, Q, C)
    mine = np.stack([task.distinct[task.query == m].any(axis=0) for m in range(task.Q)])  # (Q, C)
    above = (weight[..., None] > thresholds) & mine[..., None]
    return (above.sum(axis=-2) / mine.sum(axis=-1)[:, None]).mean(axis=-2)


def _sweep(
    run: Callable[[ss.Task, int, Array, Array], tuple[Trajectory, Array | None]],
    queries: Sequence[int],
    lr_Z: Sequence[float],
    ratios: Sequence[float],
    seeds: Sequence[int],
    points: int,
) -> Figure6:
    for name, values in {"queries": queries, "lr_Z": lr_Z, "ratios": ratios, "seeds": seeds}.items():
        require(len(values) > 0, name, "at least one value", "none")
    for q in queries:
        require(q in THRESHOLDS, "queries", f"numbers among {tuple(THRESHOLDS)}", q)
    require(points >= 2, "points", "at least 2 thresholds", points)
    shape = (len(queries), len(lr_Z), len(ratios), len(seeds))
    entropy, recalled = np.empty(shape), np.empty((*shape, points))
    thresholds = np.stack([np.linspace(*THRESHOLDS[q], points) for q in queries])
    attention = np.repeat(np.asarray(lr_Z, dtype=np.float64), len(ratios))
    decoder = attention * np.tile(np.asarray(ratios, dtype=np.float64), len(lr_Z))
    for i, q in enumerate(queries):
        task = medium_task(q)
        for j, seed in enumerate(seeds):
            end, others = run(task, seed, decoder, attention)
            lost = end.diverged_at >= 0
            with np.errstate(all="ignore"):  # the last logits of a run that diverged may be any number
                found = np.where(lost, np.nan, ss.entropy(end.params, task))
                above = np.where(lost[:, None], np.nan, recall(end.params, task, thresholds[i], others))
            entropy[i, :, :, j] = found.reshape(shape[1:3])
            recalled[i, :, :, j] = above.reshape(*shape[1:3], points)
    return Figure6(tuple(queries), tuple(lr_Z), tuple(ratios), tuple(seeds), entropy, thresholds, recalled)


def recorded_figure6(path: Path | str = RECORD) -> dict[str, Any]:
    """The recorded runs of the whole figure, which take too long for a page.

    Returns:
        "axes" (queries, lr_Z, "lr_Y over lr_Z"); "published", "replay" and "own", each with mean and std (q, z, n) in
        nats; "largest difference of replay"; "provenance".
    """
    found: dict[str, Any] = results.read(path, "the recorded runs of Figure 6", COMMAND)
    return found
