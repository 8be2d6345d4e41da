"""Small figure `scb-saves`: where one step from an old task takes fewer samples than Stage 1, as a map.

Chapter `scb`. Source: arXiv 2410.23438, Section 4; recorded runs of ours, sixteen seeds.
"""

from typing import NamedTuple

from hal.chapters.scb.runs.saves import CORRELATIONS, LENGTHS, TOKENS, scratch_samples, step_samples
from hal.explorer import Idea, Say, Slider, grid
from lib.portable.numbers import exp, log
from lib.portable.primitives import Readings, Vector, nan, zeros

LARGEST = 3.0  # doublings with full ink
TITLE, HINT = "Which old task saves samples?", "Green, the old task is cheaper. Choose a cell."
SLIDERS = {
    "N": Slider("Vocabulary N", default=1, names={i: f"{n:.0f}" for i, n in enumerate(TOKENS)}),
    "rho": Slider("Correlation ρ", "row of the map", 3, (1, 8), log=False, hidden=True),
    "T": Slider("Context T", "column of the map", 4, (1, 6), log=False, hidden=True),
}


class Chosen(NamedTuple):
    """What is chosen: places in the record."""

    N: int
    rho: int  # from 1
    T: int  # from 1


def settings(N: int, rho: int, T: int) -> Chosen:
    """A cell of the map of a vocabulary."""
    return Chosen(N, rho, T)


def least(step: Vector, scratch: float) -> float:
    """The correlation at which the step takes as many samples as Stage 1, between two that were measured; NaN if none
    saves, or all do.
    """
    for j in range(len(step)):
        if not step[j] <= scratch:
            if j == 0:
                return nan
            above, below = log(scratch / step[j - 1]), log(step[j] / scratch if step[j] > 0.0 else 1000.0)
            x, y = log(CORRELATIONS[j - 1]), log(CORRELATIONS[j])
            return exp((x * below + y * above) / (above + below))
    return nan


def map_of(settings: Chosen) -> Readings:
    """Of 8 correlations and 6 lengths, row after row: doublings from the samples of the step to those of Stage 1, -3
    where 16,384 samples are not enough, NaN where nothing was measured; the chosen cell, its samples of both, and the
    smallest correlation that saves in its column.
    """
    rows, columns = len(CORRELATIONS), len(LENGTHS)
    cells, chosen = zeros(rows * columns), zeros(rows * columns)
    for j in range(columns):
        step, scratch = step_samples(settings.N, j), scratch_samples(settings.N, j)
        for i in range(rows):
            more = log(scratch / step[i]) / log(2.0) if step[i] > 0.0 else -LARGEST
            cells[i * columns + j] = more if scratch > 0.0 else nan
    chosen[(settings.rho - 1) * columns + settings.T - 1] = 1.0
    own, other = step_samples(settings.N, settings.T - 1), scratch_samples(settings.N, settings.T - 1)
    here = own[settings.rho - 1]
    return {
        "cells": cells, "chosen": chosen, "step": [here], "scratch": [other], "least": [least(own, other)],
        "missing": [0.0 if other > 0.0 else 1.0], "lost": [0.0 if here > 0.0 else 1.0],
    }  # fmt: skip


def picture() -> grid:
    """The map: green where the old task is cheaper."""
    return grid(
        cells="map_of.cells", rows=len(CORRELATIONS), columns=len(LENGTHS), outline="map_of.chosen", idea="signal",
        row_names=[f"{rho:g}" for rho in CORRELATIONS], column_names=[f"{T:.0f}" for T in LENGTHS],
        rows_are="correlation ρ", columns_are="context T", pick=("rho", "T"), largest=LARGEST, root=False, height=235,
        alt="Eight rows of correlations, six columns of contexts: the upper cells are green, and further down to the "
            "right; the lower cells are purple.",
    )  # fmt: skip


def say() -> list[Say]:
    """What both take in the chosen cell."""
    saves = "at this T the old task saves from ρ = {map_of.least:2} on"
    return [
        Say("Not measured: training from scratch takes long at this context.", "map_of.missing >= 1"),
        Say(f"One step takes more than 16,384 samples, training from scratch {{map_of.scratch:0}}: {saves}.",
            "map_of.lost >= 1"),
        Say(f"One step takes {{map_of.step:0}} samples, training from scratch {{map_of.scratch:0}}: {saves}."),
    ]  # fmt: skip


IDEA = Idea(
    "Longer contexts ask for less correlation: at ρ = 0.57 the old task saves with T = 512, not with T = 32.",
    lambda drawn: min(drawn["map_of.cells"][2 * 6 + 4], -drawn["map_of.cells"][2 * 6]),
    lambda drawn: 0.0,
    breaks={"N": 0},
)
