"""Claims SNAP-17, 20, 21 and 23: the paper's experiments, sampled anew, and replayed draw by draw.

Chapter `scan_snap`. Source: arXiv 2305.16380, Section 8, Figures 4 to 6, 11 and 12, whose seeds are 1 to 10.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scan_snap import runs
from hal.chapters.scan_snap.runs import published, rates, syn_small
from hal.chapters.scan_snap.runs.figure6 import recall
from hal.claims import Part, Result, claim, result, seed_block
from lib import optim
from lib.models import scan_snap as ss

Array = NDArray[np.float64]

RATES = (0.5, 3.0)  # rates of attention, the outer ones of Figure 6's four
RATIOS = {1: (1, 2, 5, 10), 3: (1, 10), 5: (1, 10), 10: (1, 10)}  # of the rates; all four where a run is cheap
_OTHERS = tuple(range(11, 21))  # seeds that the figure does not have
_RUNS = {1: 10, 3: 6, 5: 2, 10: 1}  # of the recall curves: the more queries, the less a run scatters
_SMALL = 10  # runs of Syn-Small
# Attention on the ten distinct tokens after 100 steps at lr_Y = 1 and 10, one seed: the authors' released logs.
_RELEASED = {
    1.0: (0.006, 0.012, 0.018, 0.026, 0.036, 0.049, 0.067, 0.093, 0.127, 0.181),
    10.0: (0.006, 0.013, 0.020, 0.027, 0.036, 0.045, 0.055, 0.068, 0.081, 0.100),
}


def _uninformative() -> ss.Task:
    """Syn-Small with one law for both classes, their mean: no token says anything about the next one."""
    task = ss.base_task()
    return ss.Task(np.broadcast_to(task.P.mean(axis=0), task.P.shape), task.query, task.M, task.L)


@claim(
    "SNAP-17",
    where="Figure 4",
    says=(
        "On Syn-Small attention leaves the common tokens and goes to distinct ones, the more the more frequent they "
        "are; a faster decoder ends denser."
    ),
    control={"informative": False},
    breaks="both classes draw from the same distribution: no token is distinct",
)
def _check_17(informative: bool = True, block: int = 0) -> Result:
    """Medians over runs, as now and then one ends far sparser than the others."""
    parts, seeds = [], seed_block(block, _SMALL)
    task = None if informative else _uninformative()
    for lr_Y, released in _RELEASED.items():
        run = syn_small(seeds, rates(lr_Y), task=task)
        last = run.distinct[:, -1].mean(axis=1)  # (R, D)
        p = np.array(released) / np.sum(released)
        rate = f"lr_Y = {lr_Y:g}"
        parts += [
            Part(
                f"{rate}: share of the 8 most frequent distinct tokens that rise",
                (run.z_distinct[:, -1, :, 2:] > 0).mean(),
                0.97,
                0,
                "at least",
            ),
            Part(f"{rate}: share of common tokens that fall", (run.z_common[:, -1] < 0).mean(), 0.97, 0, "at least"),
            Part(
                f"{rate}: least rise of attention to the next more frequent token",
                np.median(np.diff(last).min(axis=-1)),
                0,
                0,
                "at least",
            ),
            *(
                Part(f"{rate}: attention on the {word} distinct token over the released log", share, 1, room)
                for word, share, room in zip(
                    ("rarest", "most frequent"), np.median(last / released, axis=0)[[0, -1]], (0.15, 0.1), strict=True
                )
            ),
            Part(f"{rate}: entropy, nats", np.median(run.entropy[:, -1]), -(p * np.log(p)).sum(), 0.025),
        ]
    return result(*parts, seeds=seeds)


@claim(
    "SNAP-20",
    where="Figure 5",
    says=(
        "Under Adam the learning rate decides which distinct token gets most attention: a rare one at 0.1, a middle "
        "one at 0.5, the most frequent at 1."
    ),
    control={"make": optim.momentum},
    breaks="momentum in place of Adam, at the learning rates of Adam: always the most frequent token",
)
def _check_20(make: Callable[[float], optim.Transform] = optim.adam, block: int = 0) -> Result:
    parts, seeds = [], seed_block(block, _SMALL)
    for lr, low, high in ((0.1, None, 3), (0.5, 4, 7), (1.0, 9, 9)):
        run = syn_small(seeds, rates(lr, lr, make))
        first = np.median(run.distinct[:, -1].argmax(axis=-1))
        name = f"most attended distinct token at rate {lr:g} (0 rarest, 9 most frequent)"
        near = (high, 0.0, "at most") if low is None else ((low + high) / 2, (high - low) / 2, "absolute")
        parts.append(Part(name, first, *near))
    return result(*parts, seeds=seeds)


class Cells(NamedTuple):
    """Cells of Figure 6 for one number of queries: z rates of attention, n ratios, S seeds."""

    entropy: Array  #: (z, n, S) nats
    drop: Array  #: (z, n, S) recall at the lowest threshold less recall at the highest


@cache
def _one(queries: int, seed: int) -> tuple[Array, Array]:
    figure = runs.replayed_figure6((queries,), RATES, RATIOS[queries], (seed,), points=2)
    return figure.entropy[0, ..., 0], figure.recall[0, ..., 0, 0] - figure.recall[0, ..., 0, 1]


def replayed(queries: int, seeds: Sequence[int]) -> Cells:
    """Cells for a number of queries, with the random numbers that the released program draws for these seeds."""
    entropy, drop = zip(*(_one(queries, seed) for seed in seeds), strict=True)
    return Cells(np.stack(entropy, axis=-1), np.stack(drop, axis=-1))


def released(queries: int) -> tuple[Array, Array]:
    """Published mean and spread (z, n) of the same cells, nats."""
    chosen = np.ix_(
        [published.QUERIES.index(queries)],
        [published.LR_Z.index(z) for z in RATES],
        [published.RATIOS.index(n) for n in RATIOS[queries]],
    )
    mean, std = runs.published_figure6()
    return mean[chosen][0], std[chosen][0]


@claim(
    "SNAP-21",
    where="Figures 4 and 6",
    says=(
        "With the random numbers of the released runs, drawn in the same order, our gradients give the released "
        "numbers: mean and spread of the entropy in Figure 6 to the last printed digit, and the logged losses. The "
        "spread is a standard deviation over ten seeds, not a standard error. (20 cells of the figure's 64, some of "
        "each number of queries; the record of the chapter has them all.)"
    ),
    control={"queries": (1,), "seeds": _OTHERS},
    breaks="other random numbers: ten other seeds of the same program, for one query",
)
def _check_21(queries: Sequence[int] = published.QUERIES, seeds: Sequence[int] = published.SEEDS) -> Result:
    gaps = np.zeros(2)
    for q in queries:
        entropy = replayed(q, seeds).entropy
        ours = entropy.mean(axis=-1), entropy.std(axis=-1, ddof=1)
        found = [np.abs(a - b).max() for a, b in zip(ours, released(q), strict=True)]
        gaps = np.maximum(gaps, found)
    small, medium = (runs.replayed_losses(name) for name in ("figure4", "figure6"))
    losses = [np.abs(log.replayed / log.published - 1) for log in (small, medium)]
    return result(
        # The table is rounded to 0.001, so that 0.0005 is equality; the margin is for rounding errors at its edge.
        Part("largest difference of a mean, nats", gaps[0], 5e-4, 2e-6, "at most"),
        Part("largest difference of a spread, nats", gaps[1], 5e-4, 2e-6, "at most"),
        Part("Fig. 4, losses of steps 0 to 20, relative difference", losses[0][:11].max(), 1e-4, 0, "at most"),
        Part("Fig. 6, losses of the first run, relative difference", losses[1].max(), 1e-4, 0, "at most"),
        seeds=seeds,
    )


@claim(
    "SNAP-23",
    where="Figures 11 and 12",
    says=(
        "Attention is flatter the larger the rate of the decoder in units of that of attention, and sparser the larger "
        "the rate of attention: over the printed thresholds recall drops by more, and by less, whatever the number of "
        "queries."
    ),
    control={"trained": False},
    breaks="recall before the same runs are trained",
)
def _check_23(trained: bool = True, block: int = 0) -> Result:
    # Rises and falls of 0.02 were set before blocks 16 to 23 were looked at: there the least is 0.075.
    seeds = [seed + 1 for seed in seed_block(block, len(published.SEEDS))]
    parts = []
    for queries, runs_of in _RUNS.items():
        drop = (_drop if trained else _first_drop)(queries, seeds[:runs_of])
        parts += [
            Part(
                f"queries {queries}: least rise of the drop from ratio 1 to 10",
                (drop[:, -1] - drop[:, 0]).min(),
                0.02,
                0,
                "at least",
            ),
            Part(
                f"queries {queries}: least fall of the drop from lr_Z 0.5 to 3",
                (drop[0] - drop[1]).min(),
                0.02,
                0,
                "at least",
            ),
        ]
        if queries == 3:
            recorded = zip(("1", "10"), drop[0], (0.34, 0.56), strict=True)
            parts += [
                Part(f"queries 3, lr_Z 0.5, ratio {n}: drop against the recorded one", found, known, 0.08)
                for n, found, known in recorded
            ]
    return result(*parts, seeds=seeds)


def _drop(queries: int, seeds: Sequence[int]) -> Array:
    """Fall of recall (z, n) over the thresholds of the figure, mean over replayed runs."""
    return replayed(queries, seeds).drop.mean(axis=-1)


def _first_drop(queries: int, seeds: Sequence[int]) -> Array:
    """The same at the start of the runs, which knows no rate."""
    task, ends = runs.medium_task(queries), np.array(runs.THRESHOLDS[queries])
    found = []
    for seed in seeds:
        stream = runs.draw_stream(task, seed, steps=1)
        low, high = recall(stream.start, task, ends, stream.others)[0]
        found.append(low - high)
    return np.full((len(RATES), len(RATIOS[queries])), np.mean(found))
