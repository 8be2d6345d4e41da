"""Runs of the released program that several claims share: some cells of Figure 6, each seed run once in a process.

Chapter `scan_snap`. Source: arXiv 2305.16380, Figures 6, 11 and 12; seeds 1 to 10 are those of the figures.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scan_snap import runs
from hal.chapters.scan_snap.runs import published

Array = NDArray[np.float64]

RATES = (0.5, 3.0)  # rates of attention, the outer ones of the figure's four
RATIOS = {1: (1, 2, 5, 10), 3: (1, 10), 5: (1, 10), 10: (1, 10)}  # of the rates; all four where a run is cheap


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
