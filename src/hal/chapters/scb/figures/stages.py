"""Figure `scb-stages`: real training runs with their three stages, and the attention of the first one over time.

Chapter `scb`. Source: arXiv 2410.23438, Algorithm 1 and Figure 1 (settings ours, see the chapter).
"""

from typing import Any

from hal.chapters.scb.figures._shared import TABLE
from hal.explorer import Line, Mark, Say, Step, heatmap, over_steps, sliders, waiting
from lib.models.scb import textbook_stages
from lib.models.scb.textbook import Settings
from lib.models.scb.textbook_ring import even_weights
from lib.portable.primitives import Readings, Vector, floor, sqrt
from lib.theory.scb.portable import attention_signal, drift_number, switch_step

TITLE, RUN, COLUMNS, RUNS = "One training run, from uniform attention to the answer", textbook_stages, 3, 6
SLIDERS = sliders(TABLE, T=(128, 8, 512), N=4, Q=2, skew=0.0, lr=0.02, batch=32, lam=0.05)
SIGHT = ("T", "Q", "lam")


def settings(T: int, N: int, Q: int, skew: float, lr: float, batch: int, lam: float) -> Settings:
    """The run of these sliders: Stage 2 begins a fifth after the signal should be 0.2, and lasts 5 / lr steps."""
    d = drift_number(attention_signal(even_weights(Q), T), float(T))
    stage1, stage2, stage3 = switch_step(1.2, lr, d), floor(5.0 / lr + 0.5), floor(2.0 / lr + 0.5)
    return Settings(T, N, Q, 0.75, skew, lr, batch, lam * lr, stage1, stage2, stage3, 0.0, 0.0)


def stages(settings: Settings) -> Readings:
    """Where Stages 2 and 3 begin, how far uniform attention is from the answer, sizes."""
    uniform = sqrt(attention_signal(even_weights(settings.Q), settings.T))
    return {
        "second": [float(settings.stage1)], "third": [float(settings.stage1 + settings.stage2)], "uniform": [uniform],
        "nearly": [0.9 * uniform], "farther": [uniform + 0.005], "N": [float(settings.N)], "T": [float(settings.T)],
        "threshold": [settings.threshold],
    }  # fmt: skip


def outcome(steps: Vector, distance_V: Vector, distance_A: Vector, learned: Vector, mirrored: Vector) -> Readings:
    """Of one run: both distances at its end, that of A before Stage 3, and 1 if Stage 3 turned the run round."""
    last = len(steps) - 1
    return {
        "distance_V": [distance_V[last]], "distance_A": [distance_A[last]], "learned": [learned[0]],
        "mirrored": [mirrored[0]],
    }  # fmt: skip


def panels() -> list[Any]:
    """Attention and outputs over time, and distances and signals with the stages marked."""
    marks = [Mark("stages.second", "Stage 2"), Mark("stages.third", "Stage 3")]
    distances = [
        Line("distance_V", "‖V − P‖", idea="output"), Line("distance_A", "‖A − Q‖", idea="attention"),
        Line("rounded_A", "‖A − Q‖ after rounding a copy", idea="rival"),
    ]  # fmt: skip
    signals = [Line("alpha_V", "α_V", idea="output"), Line("alpha_A", "α_A", idea="attention")]
    return [
        heatmap("attention", rows="stages.N", columns="stages.T", xlabel="position in the context (token)",
                ylabel="last token k (token)", clabel="attention (fraction)", title="Attention A", outline="useful",
                outline_label="true positions", diverging=True, vmin=-0.6, vmax=0.6, wide=True, height=150),
        over_steps("Distance to the answer", "distance (no unit)", *distances, marks=marks, ylim=(0, 1), height=220),
        over_steps("Signal", "signal (no unit)", *signals, marks=marks, ylim=(-1.5, 1.5), height=220),
        heatmap("outputs", rows="stages.N", columns="stages.N", xlabel="label (token)", ylabel="token found (token)",
                clabel="output (fraction)", title="Output V", outline="likeliest",
                outline_label="where P is largest", vmin=0, vmax=1, height=220),
    ]  # fmt: skip


BEGINS = "Stage 2 begins at step {stages.second}"
MEDIAN = "distance_A"
READING = [
    [
        waiting()[0],
        Say(f"{BEGINS}, Stage 3 at step {{stages.third}}; no run has finished yet.", "runs == 0"),
        Say(f"{BEGINS}; after Stage 3, ‖V − P‖ = {{distance_V:2}} and ‖A − Q‖ = {{distance_A:2}}.", "runs == 1"),
        Say(f"{BEGINS}; after Stage 3 the middle of {{runs}} runs has ‖V − P‖ = {{distance_V:2}} and ‖A − Q‖ = "
            "{distance_A:2}."),
    ],
    [
        Say("Before Stage 3 the attention is farther from Q than uniform attention ({learned:2} and "
            "{stages.uniform:2}).", "runs >= 1", "learned >= stages.farther"),
        Say("Before Stage 3 the attention is hardly nearer to Q than uniform attention ({learned:2} and "
            "{stages.uniform:2}).", "runs >= 1", "learned >= stages.nearly"),
    ],
    [Say("The threshold is 0: Stage 2 is plain descent.", "stages.threshold == 0")],
    [
        Say("The attention farthest from uniform was below it: Stage 3 turned the run round, as a mirrored one.",
            "runs == 1", "sum.mirrored == 1"),
        Say("Stage 3 turned {sum.mirrored} of {runs} runs round, whose attention farthest from uniform was below it.",
            "sum.mirrored >= 1"),
    ],
]  # fmt: skip
TOUR = [
    Step("At the start every position gets the same attention, 1/T, and the output says no more than μ.", time=0,
         point="Attention A"),
    Step(Say("In Stage 1, here until step {stages.second}, the true positions light up together with speckle."),
         "In Stage 1 the true positions light up together with speckle.", time=180, point="Attention A"),
    Step("The speckle is gradient noise. Rounding a copy would already find the answer: that is the green curve.",
         time=200, point="Distance to the answer"),
    Step("Stage 2: after each step every entry moves towards zero by λ. The speckle is gone.", time=300,
         point="Attention A"),
    Step(Say("Stage 3 rounds, freezes A and trains V alone: it ends at ‖V − P‖ = {distance_V:2}."),
         "Stage 3 rounds, freezes A and trains V alone.", point="Output V"),
    Step("Without the threshold the speckle keeps growing until Stage 3 cuts it off.", point="lam", lam=0.0, time=440),
    Step("A threshold of half the learning rate eats the signal too.", point="Signal", lam=0.5, time=440),
]  # fmt: skip
