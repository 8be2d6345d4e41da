"""Figure `linear_block-flow`: start and step matrix, cell by cell, learned from zero: Gamma first, then the start.

Chapter `linear_block`. Source: arXiv 2402.14951, Theorem 6.3; the two phases, descent and its learning rate are ours.
"""

from typing import Any

from hal.chapters.linear_block.figures._shared import TABLE
from hal.chapters.linear_block.models import descent
from hal.chapters.linear_block.models.descent import Settings, State
from hal.chapters.linear_block.models.drawn import STEP, unpack
from hal.chapters.linear_block.models.measures import across, along, mean_part
from hal.chapters.linear_block.theory.flow import stable_rate
from hal.chapters.linear_block.theory.portable_start import best_risk_from
from hal.figure import Line, Say, Step, grid, over_steps, sliders, waiting
from lib.models.linear_block.textbook import law_of, population_risk
from lib.portable.primitives import Readings, Vector, floor, nan, zeros
from lib.portable.vectors import filled, part, total
from lib.theory.linear_block.portable import best_gains, best_risk

LAST = 20.0  # time of a whole run: learning rate times steps
EARLIEST = 0.01
WORK = 1e6  # features that the drawn training reads; the run ends where they are spent
CORNER, NOW, BEST, RISK = "Early: Γ at its largest", "At the chosen time", "The best step", "Risk"
TITLE, RUN, COLUMNS, RUNS, PRECOMPUTED_RUNS = "The gain first, then the start", descent, 3, 4, 1
TIME, TIME_LABEL = "time", "training time η · steps (no unit)"
SLIDERS = sliders(TABLE, M=20, d=(5, 2, 6), norm=4.0, sigma=0.7, decay=0.0, lr=0.02, batch=8)
PRIMARY_SLIDERS = ("norm", "decay", "lr")


def settings(M: int, d: int, norm: float, sigma: float, decay: float, lr: float, batch: int) -> Settings:
    """The run of these sliders, as long as a page can take it."""
    steps = min(floor(LAST / lr), floor(WORK / float(batch * (M + 1) * (d + 1))))
    return Settings(d, M, sigma, norm, decay, lr, batch, max(25, steps))


def laws(settings: Settings) -> Readings:
    """The best start and step ((d + 1) d,), rows and columns of these cells; both ends of time, the best risks from the
    prior mean and from zero there; the best gain along the mean, and what is clearly above it; the stable rate.
    """
    law = law_of(settings.d, settings.M, settings.sigma, settings.norm, settings.decay, 1.0)
    h, d, M, last = law.h, settings.d, float(settings.M), settings.lr * float(settings.steps)
    gains, cells, rate = best_gains(h, 1.0, law.sigma, M), zeros((d + 1) * d), 0.0
    for i in range(d):
        cells[i] = law.mean[i]
        cells[d + d * i + i] = gains[i]
    goal, least = total(gains) / float(d), best_risk(h, law.sigma, M)
    rate = stable_rate(h, 1.0, law.mean, law.sigma, M)
    return {
        "cells": cells, "rows": [float(d + 1)], "columns": [float(d)], "time": [EARLIEST, last], "last": [last],
        "best": filled(2, least), "stuck": filled(2, best_risk_from(h, 1.0, law.mean, law.sigma, M, zeros(d))),
        "least": [least], "goal": [goal], "above": [goal + 0.02], "lr": [settings.lr], "share": [settings.lr / rate],
    }  # fmt: skip


def probe(state: State) -> Readings:
    """Of the training on all prompts the risk, beta along the prior mean, the step's gain along it and across it, and
    all cells ((d + 1) d,): beta, then Gamma row by row; of the drawn one the risk, NaN once it has diverged.
    """
    block, drawn, d = state.block, state.drawn, state.settings.d
    unpack(STEP, drawn.theta[0], drawn.block)
    cells = zeros((d + 1) * d)
    for i in range(d):
        cells[i] = block.alpha[i]
        for j in range(d):
            cells[d + d * i + j] = block.Q[j][i]
    return {
        "risk": [state.risk], "beta": [mean_part(block.alpha)], "along": [along(block.Q)],
        "across": [across(block.Q)], "cells": cells,
        "drawn_risk": [nan if drawn.diverged_at >= 0 else population_risk(drawn.law, drawn.block, drawn.gradient)],
    }  # fmt: skip


def at_end(state: State, along: Vector, cells: Vector) -> Readings:
    """The cells where the gain along the mean is largest; whether the drawn training has diverged."""
    size, top = (state.settings.d + 1) * state.settings.d, 0
    for k in range(len(along)):
        top = k if along[k] > along[top] else top
    lost = 1.0 if state.drawn.diverged_at >= 0 else 0.0
    return {"corner": part(cells, size * top, size), "drawn_lost": [lost]}


def run_metrics(time: Vector, risk: Vector, along: Vector, drawn_risk: Vector, drawn_lost: Vector) -> Readings:
    """Of one run: the risk at the end, on all prompts and on drawn ones; whether the drawn training diverged; the gain
    along the mean, its largest, when that is, and at the end.
    """
    last, lost, top = len(risk) - 1, drawn_lost[0], 0
    for k in range(len(along)):
        top = k if along[k] > along[top] else top
    return {
        "end": [risk[last]], "drawn_end": [nan if lost > 0.0 else drawn_risk[last]], "gone": [lost],
        "top": [along[top]], "top_at": [time[top]], "left": [along[last]],
    }  # fmt: skip


def panels() -> list[Any]:
    """Start and step where the gain is largest, at the chosen time, and at their best; the risk over time."""

    def cells(name: str, title: str, alt: str, moves: bool = False) -> Any:
        return grid(cells=name, rows="laws.rows", columns="laws.columns", row_names=("β", *["Γ"] * 6), largest=2.0,
                    digits=2, idea="step", title=title, alt=alt, frames=moves, height=230)  # fmt: skip

    def level(name: str, label: str, idea: str | None) -> Line:
        return Line(name, label, idea=idea, theory=True, x="laws.time")

    return [
        cells("corner", CORNER, "A pale row β over a square Γ in which no cell is empty."),
        cells("cells", NOW, "A dark row β over a square Γ with a diagonal and nothing beside it.", True),
        cells("laws.cells", BEST, "The same: a dark row β, and Γ with a diagonal alone."),
        over_steps(
            RISK, "risk (squared labels)", Line("risk", "on all prompts", idea="loss"),
            Line("drawn_risk", "on drawn prompts", idea="rival", each=True),
            level("laws.stuck", "best step from 0", "zero start"), level("laws.best", "best step", None),
            x=TIME, xlabel=TIME_LABEL, xlog=True, xswitch=True, xlim=(EARLIEST, None), ylog=True, yswitch=True,
            height=150, wide=True,
        ),
    ]  # fmt: skip


SHARE = "{laws.share:2} times the rate below which descent was stable in all our cases"
END = "At time {laws.last} the risk is {end:3} on all prompts"
MEDIAN = "drawn_risk"
READING = [
    [
        Say("At this learning rate descent blows up.", "runs == 0", "lost >= 1"),
        waiting()[1],
        Say("The gain of Γ along β* rises to {top:2} at time {top_at}, above the best one, {laws.goal:2}, and ends at "
            "{left:2}.", "top > laws.above"),
        Say("The gain of Γ along β* never exceeds the best one, {laws.goal:2}, by more than 0.02; it ends at {left:2}.",
            "runs >= 1"),
    ],
    [Say(f"η = {{laws.lr:3}} is {SHARE}.")],
    [
        Say(f"{END}; the best is {{laws.least:3}}. On drawn prompts {{sum.gone:0}} of {{runs:0}} runs have blown up.",
            "sum.gone >= 1"),
        Say(f"{END}, {{drawn_end:3}} on drawn ones; the best is {{laws.least:3}}."),
    ],
]  # fmt: skip
TOUR = [
    Step("From zero: no start, no step. The risk is that of saying nothing.", time=0.0, point=NOW),
    Step("First Γ grows, and along the mean most: the mean looks like one more task, and smears over all cells.",
         time=0.1, point=NOW),
    Step("Then the row β fills, and what Γ had for the mean fades: a diagonal is left.", time=8.0, point=NOW),
    Step("With the mean at zero Γ is a diagonal from the first step on.", norm=0.0, lr=0.1, point=CORNER),
    Step("Features of falling variance: the last directions take long.", decay=1.5, norm=1.0, point=BEST),
    Step("A rate four times the bound, and descent blows up.", lr=0.21, point=RISK),
]  # fmt: skip
