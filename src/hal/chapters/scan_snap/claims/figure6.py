"""Claims SNAP-21 to SNAP-23: Figure 6 and the recall curves, replayed draw by draw and with our own random numbers.

Chapter `scan_snap`, arXiv 2305.16380, Figures 4, 6, 11, 12.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scan_snap import runs
from hal.chapters.scan_snap.claims._replay import RATES, RATIOS, released, replayed
from hal.chapters.scan_snap.runs import published
from hal.claims import Part, Result, claim, result, seed_block
from lib import optim
from lib.models import scan_snap as ss

Array = NDArray[np.float64]
_OTHERS = tuple(range(11, 21))  # seeds that the figure does not have
_RUNS = {1: 10, 3: 6, 5: 2, 10: 1}  # of the recall curves: the more queries, the less a run scatters
_ERRORS = 4.0  # standard errors that the mean of our seeds may lie from the published one


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
    "SNAP-22",
    where="Figure 6",
    says=f"With random numbers of our own the entropies of Figure 6 come out within {_ERRORS:g} standard errors.",
    control={"make": optim.sgd},
    breaks="gradient descent without momentum, at the same rates",
)
def _check_22(make: Callable[[Any], optim.Transform] = optim.momentum, block: int = 0) -> Result:
    parts, seeds = [], seed_block(block, len(published.SEEDS))
    for q in (1, 3):
        mean, std = released(q)
        for z, n in ((0.5, 1), (3.0, 1), (0.5, 10)):
            cell = RATES.index(z), RATIOS[q].index(n)
            # Means of ten runs each; the published ones are rounded to 0.001.
            room = _ERRORS * std[cell] * np.sqrt(2 / len(seeds)) + 5e-4
            found = _own_entropy(q, z, n, seeds, make).mean()
            parts.append(Part(f"queries {q}, lr_Z {z:g}, ratio {n}: nats", found, mean[cell], room))
    return result(*parts, seeds=seeds)


def _own_entropy(
    queries: int, lr_Z: float, ratio: float, seeds: Sequence[int], make: Callable[[Any], optim.Transform]
) -> Array:
    """Entropy (S,) in nats of our runs of one cell of Figure 6."""
    task = runs.medium_task(queries)
    optimiser = runs.rates(lr_Z * ratio, lr_Z, make)
    end = runs.learn(task, seeds, optimiser, random=True, record={}, record_at=[0, 100])
    return ss.entropy(end.params, task)


@claim(
    "SNAP-23",
    where="Figures 11 and 12",
    says=(
        "Attention is flatter the larger the rate of the decoder in units of that of attention, and sparser the larger "
        "the rate of attention: over the printed thresholds recall drops by more, and by less, whatever the number of "
        "queries."
    ),
    control={"trained": False},
    breaks="recall at the start of the same runs",
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
        low, high = ss.recall(stream.start, task, ends, stream.others)[0]
        found.append(low - high)
    return np.full((len(RATES), len(RATIOS[queries])), np.mean(found))
