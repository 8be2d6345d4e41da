"""Explorer `scb-stages`: real training runs with their three stages, and the attention of the first one over time.

Chapter `scb`. Source: arXiv 2410.23438, Algorithm 1 and Figure 1 (settings ours, see the chapter). The page computes
all of it: the functions from `settings` to `outcome` are portable, and the run is the textbook model.
"""

from __future__ import annotations

from typing import Any

from lib.chapters.scb.explorers._shared import TIME_LABEL, sliders
from lib.explorer import Computed, Line, Mark, Say, Step, heatmap, lines
from lib.models.scb import textbook_stages
from lib.models.scb.textbook import Settings
from lib.models.scb.textbook_record import RECORDS
from lib.models.scb.textbook_ring import even_weights
from lib.portable.primitives import Readings, Vector, floor, sqrt, zeros
from lib.theory.scb.portable import attention_signal, drift_number, switch_step


def settings(T: int, N: int, Q: int, skew: float, lr: float, batch: int, lam: float) -> Settings:
    """The run of these sliders: Stage 2 begins a fifth after the signal should be 0.2, and lasts 5 / lr steps."""
    d = drift_number(attention_signal(even_weights(Q), T), T)
    stage2, stage3 = floor(5.0 / lr + 0.5), floor(2.0 / lr + 0.5)
    return Settings(
        T, N, Q, 0.75, skew, lr, batch, lam * lr, switch_step(1.2, lr, d), stage2, stage3, 0.0, 0.0
    )  # fmt: skip


def stages(settings: Settings) -> Readings:
    """The steps that are recorded, where Stages 2 and 3 begin, how far uniform attention is from the answer, sizes."""
    whole = settings.stage1 + settings.stage2 + settings.stage3
    steps = zeros(RECORDS + 1)
    for i in range(RECORDS + 1):
        steps[i] = float((i * whole + RECORDS - 1) // RECORDS)
    uniform = sqrt(attention_signal(even_weights(settings.Q), settings.T))
    return {
        "steps": steps,
        "second": [float(settings.stage1)],
        "third": [float(settings.stage1 + settings.stage2)],
        "uniform": [uniform],
        "nearly": [0.9 * uniform],
        "N": [float(settings.N)],
        "T": [float(settings.T)],
        "threshold": [settings.threshold],
    }


def outcome(steps: Vector, distance_V: Vector, distance_A: Vector, learned: Vector, mirrored: Vector) -> Readings:
    """Of one run: both distances at its end, that of A before Stage 3, and 1 if Stage 3 turned the run round."""
    last = len(steps) - 1
    return {
        "distance_V": [distance_V[last]],
        "distance_A": [distance_A[last]],
        "learned": [learned[0]],
        "mirrored": [mirrored[0]],
    }


def panels() -> list[Any]:
    """Attention and outputs over time, and distances and signals with the stages marked."""
    marks = [Mark("stages.second", "Stage 2"), Mark("stages.third", "Stage 3")]
    return [
        heatmap(
            "attention",
            rows="stages.N",
            columns="stages.T",
            xlabel="position in the context (token)",
            ylabel="last token k (token)",
            clabel="attention (fraction)",
            title="Attention A",
            outline="useful",
            outline_label="true positions",
            diverging=True,
            vmin=-0.6,
            vmax=0.6,
            wide=True,
            height=150,
        ),
        lines(
            x="stages.steps",
            y=[
                Line("distance_V", "‖V − P‖", idea="V"),
                Line("distance_A", "‖A − Q‖", idea="A"),
                Line("rounded_A", "‖A − Q‖ after rounding a copy", idea="prox"),
            ],
            marks=marks,
            xlabel=TIME_LABEL,
            ylabel="distance (no unit)",
            title="Distance to the answer",
            ylim=(0, 1),
            height=220,
        ),
        lines(
            x="stages.steps",
            y=[Line("alpha_V", "α_V", idea="V"), Line("alpha_A", "α_A", idea="A")],
            marks=marks,
            xlabel=TIME_LABEL,
            ylabel="signal (no unit)",
            title="Signal",
            ylim=(-1.5, 1.5),
            height=220,
        ),
        heatmap(
            "outputs",
            rows="stages.N",
            columns="stages.N",
            xlabel="label (token)",
            ylabel="token found (token)",
            clabel="output (fraction)",
            title="Output V",
            outline="likeliest",
            outline_label="where P is largest",
            vmin=0,
            vmax=1,
            height=220,
        ),
    ]


READING = [
    [
        Say("Every run so far has diverged; a smaller learning rate may help.", runs=0, lost=">= 1"),
        Say("Stage 2 begins at step {stages.second}, Stage 3 at step {stages.third}; no run has finished yet.", runs=0),
        Say(
            "Stage 2 begins at step {stages.second}; after Stage 3, ‖V − P‖ = {distance_V:2} and "
            "‖A − Q‖ = {distance_A:2}.",
            runs=1,
        ),
        Say(
            "Stage 2 begins at step {stages.second}; after Stage 3 the middle of {runs} runs has "
            "‖V − P‖ = {distance_V:2} and ‖A − Q‖ = {distance_A:2}."
        ),
    ],
    [
        Say(
            "Before Stage 3 the attention is hardly nearer to Q than uniform attention ({learned:2} and "
            "{stages.uniform:2}).",
            runs=">= 1",
            learned=">= stages.nearly",
        ),
    ],
    [Say("The threshold is 0: Stage 2 is plain descent.", **{"stages.threshold": 0})],
    [
        Say("The run was mirrored; Stage 3 turned it round.", runs=1, **{"sum.mirrored": 1}),
        Say("One of the runs was mirrored; Stage 3 turned it round.", **{"sum.mirrored": 1}),
        Say("{sum.mirrored} of the runs were mirrored; Stage 3 turned them round.", **{"sum.mirrored": ">= 2"}),
    ],
]


TOUR = [
    Step(
        "At the start every position gets the same attention, 1/T, and the output says no more than μ.",
        time=0,
        point="Attention A",
    ),
    Step(
        Say("In Stage 1, here until step {stages.second}, the true positions light up together with speckle."),
        "In Stage 1 the true positions light up together with speckle.",
        time=180,
        point="Attention A",
    ),
    Step(
        "The speckle is gradient noise. Rounding a copy would already find the answer: that is the green curve.",
        time=200,
        point="Distance to the answer",
    ),
    Step(
        "Stage 2: after each step every entry moves towards zero by λ. The speckle is gone.",
        time=300,
        point="Attention A",
    ),
    Step(
        Say("Stage 3 rounds, freezes A and trains V alone: it ends at ‖V − P‖ = {distance_V:2}."),
        "Stage 3 rounds, freezes A and trains V alone.",
        point="Output V",
    ),
    Step("Without the threshold the speckle keeps growing until Stage 3 cuts it off.", point="lam", lam=0.0, time=440),
    Step("A threshold of half the learning rate eats the signal too.", point="Signal", lam=0.5, time=440),
]


def explorer() -> Computed:
    """The explorer `scb-stages`, as the chapter shows it."""
    return Computed(
        textbook_stages,
        name="scb-stages",
        title="One training run, from uniform attention to the answer",
        settings=settings,
        theory=[stages],
        outcome=outcome,
        sliders=sliders("T", "N", "Q", "skew", "lr", "batch", "lam"),
        default=dict(T=128, N=4, Q=2, skew=0.0, lr=0.02, batch=32, lam=0.05),
        time="stages.steps",
        reading=READING,
        tour=TOUR,
        panels=panels(),
        columns=3,
        runs=6,
    )
