"""Small figure `linear_block-prompts`: what training on n prompts costs, the block next to start and step.

Chapter `linear_block`. Source: ours; the first open question of arXiv 2402.14951, Section 7. Recorded risks of sixteen
seeds each, and theory in closed form. Noise 0.5, H = Psi = 1, a prior mean of norm 2.
"""

from typing import Any, NamedTuple

from hal.chapters.linear_block.runs.prompts_needed import (
    EXAMPLES,
    FEATURES,
    ROWS,
    needed,
    of_block,
    of_step,
    prompts_of,
    row_of,
)
from hal.explorer import Idea, Line, Mark, Say, Slider, lines
from lib.portable.primitives import Readings, nan, zeros
from lib.portable.vectors import filled, scaled
from lib.theory.linear_block.portable import best_risk
from lib.theory.linear_block.portable_prompts import costs

SIGMA = 0.5
LEVEL = 0.1  # of the best risk: an excess that is small enough
LOW = 12.0  # prompts at the ends of the picture
HIGH = 10000.0
TITLE = "How many prompts does training need?"
HINT = "Move the features: by how much does the block need more?"
CASES = [*(f"M = {M}" for M in EXAMPLES), *(f"{rows} rows" for rows in ROWS)]
ELSEWHERE = "Recorded for four features; for others M = 20."
SLIDERS = {
    "other": Slider(
        "M, or rows", default=2, names=dict(enumerate(CASES)),
        idle=[Say(ELSEWHERE, "size < 2"), Say(ELSEWHERE, "size > 2")],
    ),
    "size": Slider("Features d", default=2, names={i: f"{d}" for i, d in enumerate(FEATURES)}),
}  # fmt: skip


class Chosen(NamedTuple):
    """What is chosen."""

    d: int
    M: float
    row: int  # of the record
    thin: bool  # the block's matrices have fewer rows than there are features


def settings(other: int, size: int) -> Chosen:
    """At four features, which of the recorded numbers of examples, or of the block's rows; which of features."""
    M = float(EXAMPLES[other]) if size == 2 and other < 5 else 20.0
    return Chosen(FEATURES[size], M, row_of(size, other), size == 2 and other == 5)


def risks(settings: Chosen) -> Readings:
    """Over the prompts n (7,): step and block, risk above the best over it, medians, with low and high quartiles;
    told_step and told_block, theory; ends, level (2,), a tenth. The prompts for it: needs_step and needs; times, their
    ratio, and told_times, that of theory.
    """
    row, n, cost = settings.row, prompts_of(settings.d), costs(settings.d, settings.M, SIGMA)
    one = 1.0 / best_risk(filled(settings.d, 1.0), SIGMA, settings.M)
    step, block = scaled(of_step(row, 1), one), scaled(of_block(row, 1), one)
    told_step, told_block = zeros(len(n)), zeros(len(n))
    for k in range(len(n)):
        told_step[k] = one * cost[0] / n[k]
        told_block[k] = nan if settings.thin else one * cost[1] / n[k]
    a, b = needed(n, step, LEVEL), needed(n, block, LEVEL)
    return {
        "n": n, "step": step, "step_low": scaled(of_step(row, 0), one), "step_high": scaled(of_step(row, 2), one),
        "block": block, "block_low": scaled(of_block(row, 0), one), "block_high": scaled(of_block(row, 2), one),
        "told_step": told_step, "told_block": told_block, "ends": [LOW, HIGH], "level": [LEVEL, LEVEL],
        "needs_step": [a], "needs": [b], "times": [b / a], "told_times": [cost[1] / cost[0]],
    }  # fmt: skip


def picture() -> Any:
    """Two falling lines with bands, each with its theory, and how many prompts bring each to a tenth."""
    series = [
        Line("risks.block", "block", idea="second", band=("risks.block_low", "risks.block_high")),
        Line("risks.step", "start and step", idea="step", band=("risks.step_low", "risks.step_high")),
        Line("risks.told_block", "block, theory", idea="second", theory=True),
        Line("risks.told_step", "step, theory", idea="step", theory=True),
        Line("risks.level", "a tenth", x="risks.ends", theory=True, dash=(1, 2)),
    ]
    return lines("risks.n", series, xlabel="training prompts n (prompts)", title="", xlog=True, ylog=True, height=235,
                 ylabel="risk above the best, over it (no unit)", xlim=(LOW, HIGH), ylim=(0.005, 15.0),
                 marks=[Mark("risks.needs_step", "step"), Mark("risks.needs", "block")])  # fmt: skip


def say() -> list[Say]:
    """Prompts for a tenth, and how many times as many the block needs."""
    return [
        Say("To come within a tenth of the best risk, the block needs {risks.needs:0} prompts, {risks.times:2} times "
            "as many as start and step; theory says {risks.told_times:2}."),
        Say("With fewer rows than features the block never comes within a tenth of the best risk; start and step need "
            "{risks.needs_step:0} prompts."),
    ]  # fmt: skip


IDEA = Idea(
    "The block needs more prompts, but not half as many again.",
    greater=lambda drawn: 1.5 * drawn["risks.needs_step"][0],
    than=lambda drawn: drawn["risks.needs"][0],
    breaks={"other": 5},
)
