"""Does parity decide on large circles? Random initialisations of three sizes on circles of 4 to 33 nodes.

Chapter `random_walk`. Source: ours; arXiv 2511.23239 has random initialisations on one circle, of 6 nodes. An unbiased
walk of 49 nodes, 200 walks, tokens that are unit vectors, 300 steps of gradient descent at learning rate 10.
"""

import math
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hal.chapters.random_walk.runs.learning import learn
from hal.results import path_of
from hal.results.rows import recorded_rows
from lib.models import random_walk as rw
from lib.theory import random_walk as theory

__all__ = ["EVEN", "GRID", "ODD", "SEEDS", "SIGMAS", "Setting", "ends", "fitted_push", "predicted", "recorded_sizes"]

COMMAND = "python -m hal.chapters.records random_walk sizes"
RECORD = path_of("random_walk", "sizes")
N, M, RATE, STEPS, WALKS = 49, 1000, 10.0, 300, 200
SEEDS = range(5000, 5032)
EVEN, ODD = (4, 6, 8, 10, 12, 16, 20, 24, 28, 32), (5, 7, 9, 11, 13, 17, 21, 25, 29, 33)  # nodes
SIGMAS = (0.01, 0.02, 0.04)
HALF = 0.5  # of the attention more on one parity than on the other: the run has chosen


class Setting(NamedTuple):
    """A circle and an initialisation."""

    K: int  #: nodes
    sigma: float  #: standard deviation of the initialisation


GRID = tuple(Setting(*one) for one in product(sorted((*EVEN, *ODD)), SIGMAS))


def ends(setting: Setting, seeds: Sequence[int] = SEEDS) -> dict[str, Any]:
    """Train from every seed, and tell where each run ends.

    Args:
        setting: the circle and the initialisation.
        seeds: R of them.

    Returns:
        odd, attention on odd lags less that on even ones (R), None of a run that diverged; parent, the number of runs
        with most attention on the parent; lost, of those that diverged.
    """
    run = learn(rw.Walk(setting.K, N, 0.5), seeds, lr=RATE, steps=STEPS, n=WALKS, sigma=setting.sigma,
                unit_length=True).run  # fmt: skip
    odd, lost = run["odd"][:, -1], ~np.isfinite(run["accuracy"][:, -1])
    told = [None if gone else round(float(one), 3) for one, gone in zip(odd, lost, strict=True)]
    return {"odd": told, "parent": int(np.sum((run["lag"][:, -1] == 1) & ~lost)), "lost": int(lost.sum())}


def recorded_sizes(path: str | Path = RECORD) -> dict[Setting, dict[str, Any]]:
    """The record: what `ends` returned, by setting.

    Raises:
        InputError: if there is no record, or it lacks a setting.
    """
    rows = recorded_rows(path, "the recorded circles", COMMAND, [one._asdict() for one in GRID])
    return {Setting(*key): row for key, row in rows.items()}


def predicted(K: int, sigma: float, scale: float = 1.0) -> float:
    """The proportion of runs on even lags, if the lean is normal with variance 2 and the walks add `parity_push`.

    Args:
        K, sigma: an even circle and the initialisation.
        scale: what the push is multiplied by.
    """
    return 0.5 * math.erfc(0.5 * scale * theory.parity_push(K, N, M, RATE, sigma))


def fitted_push(found: Mapping[Setting, Mapping[str, Any]], draws: int = 400) -> tuple[float, float, float]:
    """How much the walks push, over theory: the likeliest scale of `predicted`, and its 95% interval over seeds.

    Args:
        found: the record.
        draws: of the bootstrap, each with seeds of its own.
    """
    scales = np.geomspace(0.25, 6.0, 200)
    settings = [one for one in found if one.K in EVEN and one.K > 4]
    chance = np.array([[predicted(*one, scale) for scale in scales] for one in settings]).clip(1e-9, 1 - 1e-9)
    wrong = np.array([[odd is not None and odd < 0 for odd in found[one]["odd"]] for one in settings])
    there = np.array([[odd is not None for odd in found[one]["odd"]] for one in settings])

    def likeliest(seeds: NDArray[np.int64]) -> float:
        bad, all_of = wrong[:, seeds].sum(axis=1), there[:, seeds].sum(axis=1)
        return float(scales[np.argmax(bad @ np.log(chance) + (all_of - bad) @ np.log1p(-chance))])

    rng, count = np.random.default_rng(0), len(SEEDS)
    drawn = [likeliest(rng.integers(count, size=count)) for _ in range(draws)]
    low, high = np.quantile(drawn, [0.025, 0.975]).tolist()
    return likeliest(np.arange(count)), low, high
