"""Explorer `one_nn-training`: SGD on the full matrix beside the reduced flow of two scalars, over its loss.

Chapter `one_nn`. Source: arXiv 2411.10830 by its talk; the reduced flow is its two-scalar form. The page computes all
of it: the functions from `settings` to `outcome` are portable, and the run is the textbook model.
"""

from __future__ import annotations

from typing import Any

from lib.chapters.one_nn.explorers._shared import TIME_LABEL, sliders
from lib.chapters.one_nn.runs.textbook_twin import fast_runs
from lib.explorer import Computed, Field, Line, Mark, Path, Say, Step, lines, plane
from lib.models.one_nn import textbook
from lib.models.one_nn.textbook import Settings
from lib.portable.numbers import exp, log
from lib.portable.primitives import Readings, Vector, divide, floor, zeros
from lib.theory.one_nn.portable import descent, law_of, log_times, path
from lib.theory.one_nn.portable_paths import time_of, value_at

END = 1e6  # of the flow
TIMES = 49  # of its path
WORK = 2e6  # numbers that a run of SGD draws and multiplies; it ends where they are spent
MOST = 1000  # steps
LEVEL = 0.1  # of the loss, a mark on the way
FIELD = 9  # rows of arrows
LOWEST_PULL = -4.0  # of the plane: xi_1 across
LOWEST_MASK = -10.0  # xi_2 up
HIGHEST = 100.0  # of both


def settings(N: int, d: int, lr: float, batch: int, sigma: float, start: float) -> Settings:
    """The run of these sliders, as many steps as a page can take at once."""
    steps = floor(WORK / float(batch * (N + 1) * (d + 2)))
    return Settings(N, d, lr, batch, sigma, start, 0, max(20, min(MOST, steps)))


def flow(settings: Settings) -> Readings:
    """The reduced flow from the same start: t, xi1, xi2, loss, each (49,); when its loss is 0.1; where it is when SGD
    ends; its loss at the end.
    """
    t = log_times(END, TIMES)
    xi1, xi2, loss = path(law_of(settings.d, settings.N), settings.start, settings.sigma, t, 1e-3)
    spent = settings.lr * float(settings.steps)
    reached = time_of(LEVEL, t, loss)
    return {
        "t": t, "xi1": xi1, "xi2": xi2, "loss": loss, "reached": [reached], "last": [loss[TIMES - 1]],
        "ratio": [divide(xi1[TIMES - 1], xi2[TIMES - 1])], "spent": [spent], "meets_xi1": [value_at(spent, t, xi1)],
        "sigma": [settings.sigma], "lowest": [least(xi1)],
    }  # fmt: skip


def least(values: Vector) -> float:
    """The smallest value, and 0 at the most."""
    result = 0.0
    for i in range(len(values)):
        result = min(result, values[i])
    return result


def scene(settings: Settings) -> Readings:
    """The flow's arrows on a grid, row by row, and the band of the reduced loss there.

    Every second column is computed; between two stands their mean, and of ln L the cubic with the right slopes.
    """
    law = law_of(settings.d, settings.N)
    wide = 2 * FIELD - 1
    x, y, place, out = zeros(wide), zeros(FIELD), zeros(2), zeros(2)
    u, v, band = zeros(wide * FIELD), zeros(wide * FIELD), zeros(wide * FIELD)
    level, rise = zeros(wide), zeros(wide)  # of a row: ln L and its slope in xi_1
    for i in range(wide):
        x[i] = LOWEST_PULL + (HIGHEST - LOWEST_PULL) * float(i) / float(wide - 1)
    for j in range(FIELD):
        y[j] = LOWEST_MASK + (HIGHEST - LOWEST_MASK) * float(j) / float(FIELD - 1)
        for i in range(0, wide, 2):
            place[0] = x[i]
            place[1] = y[j]
            descent(0.0, place, out, law)
            u[j * wide + i] = out[0]
            v[j * wide + i] = out[1]
            level[i] = log(law.slopes[0])
            rise[i] = law.slopes[1] / law.slopes[0]
        for i in range(1, wide, 2):
            k = j * wide + i
            u[k] = 0.5 * (u[k - 1] + u[k + 1])
            v[k] = 0.5 * (v[k - 1] + v[k + 1])
            level[i] = 0.5 * (level[i - 1] + level[i + 1]) + 0.25 * (x[i] - x[i - 1]) * (rise[i - 1] - rise[i + 1])
        for i in range(wide):
            band[j * wide + i] = band_of(exp(level[i]))
    return {"x": x, "y": y, "u": u, "v": v, "band": band}


def band_of(loss: float) -> float:
    """1 for a loss above 0.4, 2 above 0.2, 3 above 0.1, 4 above 0.05, 0 below."""
    if loss > 0.4:
        return 1.0
    if loss > 0.2:
        return 2.0
    if loss > 0.1:
        return 3.0
    return 4.0 if loss > 0.05 else 0.0


def outcome(t: Vector, xi1: Vector, xi2: Vector, off: Vector) -> Readings:
    """Of one run, at its end: both scalars, and what is beside the family in per cent of W."""
    last = len(t) - 1
    return {"xi1": [xi1[last]], "xi2": [xi2[last]], "off": [100.0 * off[last]]}


def panels() -> list[Any]:
    """The plane of the two scalars, the loss, the scalars over time, and what is beside the family."""
    return [
        plane(
            paths=[
                Path("xi1", "xi2", "SGD on the full matrix", idea="sgd", t="t"),
                Path("flow.xi1", "flow.xi2", "reduced flow", theory=True),
            ],
            field=Field("scene.x", "scene.y", "scene.u", "scene.v"),
            start=("start", "sigma"),
            basin="scene.band",
            basin_labels=("loss above 0.4", "0.2 to 0.4", "0.1 to 0.2", "0.05 to 0.1"),
            xlabel="pull to the query ξ₁ (no unit)",
            ylabel="mask ξ₂ (no unit)",
            title="Downhill in the plane of the two scalars",
            xlim=(LOWEST_PULL, HIGHEST),
            ylim=(LOWEST_MASK, HIGHEST),
            equal=False,
            height=320,
        ),
        lines(
            x="flow.t",
            y=[Line("loss", "SGD, mean of recent batches", idea="sgd", x="t"), Line("flow.loss", "flow", theory=True)],
            marks=[Mark("flow.reached", "flow: loss 0.1")],
            xlabel=TIME_LABEL,
            ylabel="loss L (no unit)",
            title="The loss",
            xlog=True,
            xswitch=True,
            ylog=True,
            yswitch=True,
            xlim=(1, END),
            ylim=(0.005, 1),
            height=320,
        ),
        lines(
            x="flow.t",
            y=[
                Line("xi1", "ξ₁", idea="A", x="t"),
                Line("xi2", "ξ₂", idea="softmax", x="t"),
                Line("flow.xi1", "ξ₁, flow", theory=True),
                Line("flow.xi2", "ξ₂, flow", theory=True),
            ],
            xlabel=TIME_LABEL,
            ylabel="scalar (no unit)",
            title="The two scalars",
            xlog=True,
            ylog=True,
            yswitch=True,
            xlim=(1, END),
            ylim=(0.01, 200),
            height=130,
        ),
        lines(
            x="flow.t",
            y=[Line("off", "‖W − family‖ / ‖W‖", idea="noise", x="t")],
            xlabel=TIME_LABEL,
            ylabel="share of ‖W‖ (no unit)",
            title="Beside the family",
            xlog=True,
            ylog=True,
            xlim=(1, END),
            ylim=(1e-3, 1),
            height=130,
        ),
    ]


READING = [
    [
        Say("Every run so far has diverged; a smaller learning rate may help.", runs=0, lost=">= 1"),
        Say("No run has finished yet.", runs=0),
        Say(
            "At t = {flow.spent} SGD has ξ₁ = {xi1:2}; the flow has {flow.meets_xi1:2}. "
            "Beside the family: {off:1} % of W."
        ),
        Say("At t = {flow.spent} SGD has ξ₁ = {xi1:2}. Beside the family: {off:1} % of W."),
    ],
    [
        Say("The flow's loss is 0.1 at t = {flow.reached}, and {flow.last:3} at t = 1,000,000."),
        Say("The flow's loss is {flow.last:3} at t = 1,000,000."),
    ],
    [
        Say(
            "With a negative mask the query looks at itself first, and ξ₁ goes the wrong way, to {flow.lowest:2}.",
            **{"flow.sigma": "< 0", "flow.lowest": "< -0.004"},
        ),
    ],
]


TOUR = [
    Step(
        "At the start ξ₁ = 0: every example gets the same attention, and the answer is the mean of all labels.",
        time=0,
        point="Downhill in the plane of the two scalars",
    ),
    Step(
        "For a long time little happens: ξ₁ grows like t, at the speed E z₍₁₎ / (dN), and the loss hardly moves.",
        time=30,
        point="The two scalars",
    ),
    Step(
        Say("Then the examples near the query win. The flow's loss passes 0.1 at t = {flow.reached}."),
        "Then the examples near the query win.",
        time=2000,
        point="The loss",
    ),
    Step(
        "Late, everything slows down: ξ₁ grows like the cube root of t. Both scalars grow together.",
        time=1e6,
        point="Downhill in the plane of the two scalars",
    ),
    Step(
        "Solid: SGD on all (d + 2)² numbers of W. It follows two numbers; what is beside them is noise of the batch.",
        time=2000,
        point="Beside the family",
    ),
    Step(
        "A negative mask: the query looks at itself, the loss stays near one half, and the start takes longer.",
        sigma=-6.0,
        time=2000,
        point="sigma",
    ),
]


def explorer() -> Computed:
    """The explorer `one_nn-training`, as the chapter shows it."""
    return Computed(
        textbook,
        name="one_nn-training",
        title="Two numbers of a matrix",
        settings=settings,
        theory=[flow, scene],
        outcome=outcome,
        sliders=sliders("N", "d", "lr", "batch", "sigma", "start"),
        default=dict(N=8, d=4, lr=2.0, batch=16, sigma=3.0, start=0.0),
        time="flow.t",
        time_label=TIME_LABEL,
        reading=READING,
        tour=TOUR,
        panels=panels(),
        columns=2,
        runs=4,
        first=1,
        fast=fast_runs,
    )
