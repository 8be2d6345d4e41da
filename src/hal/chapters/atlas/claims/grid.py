"""Claims ATL-21 and ATL-22: pieces of the recorded grid on other seeds, and the laws behind them.

Chapter `atlas`. Source: our own; derived in the chapter.
"""

import numpy as np

from hal.chapters.atlas.runs.grid import FOUND, recorded_grid, run
from hal.chapters.atlas.runs.rows import ROWS
from hal.claims import Part, Result, claim, result, seed_block
from lib.theory import atlas as theory

_ROW, _OTHER, _RULE = "Prompts, linear, c = 0", "Prompts, linear", "soft threshold"
_RAW = 0.004 / 0.02  # the read-out's learning rate over attention's, in the middle of the grid
_START, _D = 0.05, 5  # of Q, and features


def _found(row: str, factors: np.ndarray, attention: float, steps: int, seeds: list[int]) -> np.ndarray:
    """Whether runs find their place, (factors, seeds), at these factors of the read-out's rate over attention's."""
    points = [
        {"row": row, "optimiser": _RULE, "steps": steps, "attention": attention, "readout": attention * f, "seed": s}
        for f in factors.tolist() for s in seeds
    ]  # fmt: skip
    return np.array([one["selected"] > FOUND for one in run.many(points)]).reshape(len(factors), len(seeds))


@claim(
    "ATL-21",
    where="our own; derived in the chapter, no number fitted",
    says="Where a soft threshold pulls attention to zero while it waits for the read-out, the linear block learns from "
    "a start without a value for labels only if the read-out is fast enough: $\\eta_V/\\eta_A$ must be above "
    "$(\\lambda/2q_0)^2/d$.",
    control={"heard": True},
    breaks="the block starts with a value for labels, so that attention does not have to wait",
)
def _check_21(heard: bool = False, block: int = 0) -> Result:
    """The rates at which it learns, each between two neighbours of a ladder; and the cells of the recorded grid."""
    seeds, row = list(seed_block(block, 2)), _OTHER if heard else _ROW
    law = theory.critical_ratio(ROWS[_ROW].softens, _START, _D) / _RAW
    ladder = 0.25 * 2 ** ((np.arange(6) - 2.5) / 4)  # no rung is at the law's 0.25
    parts = []
    for attention, steps in ((1.0, 400), (2.0, 250)):
        alive = _found(row, ladder, attention, steps, seeds).mean(axis=1) > 0.5
        first = int(alive.argmax()) if alive.any() else len(ladder)
        parts.append(Part(f"least factor of the read-out over attention, attention times {attention:g}",
                          float(0.25 * 2 ** ((first - 3) / 4)), law, 0.25, "relative", drift=0.06))  # fmt: skip
    whole = recorded_grid()[row, _RULE]
    factors = np.array(ROWS[row].readout) / np.array([[0.25], [1.0], [4.0]])
    counted = (np.abs(np.log2(factors / law)) > 0.5) & (np.array(whole["lost"]) == 0)
    agree = (np.array(whole["found"]) > 8) == (factors > law)
    parts.append(Part("cells of the recorded grid that do as the law says, share", agree[counted].mean(), 1.0, 0.01))
    return result(*parts, seeds=seeds)


@claim(
    "ATL-22",
    where="our own; the corollary of Theorem 1 of the chapter",
    says="On softmax attention of chapter 1 the half-way time falls with both learning rates like their powers $-1/2$, "
    "which add up to $-1$: four times the rate of either layer is about half the time.",
    control={"optimiser": "Adam"},
    breaks="Adam trains both layers",
)
def _check_22(optimiser: str = "gradient descent", block: int = 0) -> Result:
    """Powers from three pairs of rates, the middle one and each layer's four times, medians over seeds."""
    seeds, pairs = list(seed_block(block, 4)), ((1.0, 1.0), (4.0, 1.0), (1.0, 4.0))
    points = [
        {"row": "Places, softmax", "optimiser": optimiser, "steps": 1000, "readout": out, "attention": seen, "seed": s}
        for out, seen in pairs for s in seeds
    ]  # fmt: skip
    half = np.array([one["half"] for one in run.many(points)]).reshape(len(pairs), len(seeds))
    by = [float(np.log(np.median(half[i]) / np.median(half[0])) / np.log(4.0)) for i in (1, 2)]
    return result(
        Part("power of the half-way time in the read-out's learning rate", by[0], -0.5, 0.08, drift=0.005),
        Part("in attention's", by[1], -0.5, 0.08, drift=0.005),
        Part("sum of both", sum(by), -1.0, 0.07, drift=0.005),
        seeds=seeds,
    )
