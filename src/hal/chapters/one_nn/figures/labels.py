"""Figure `one_nn-labels`: four laws of labels, and what the full matrix learns under each.

Chapter `one_nn`. Source: the conditions on labels of arXiv 2411.10830 by its talk; that products meet them and leave
the family is ours.
"""

from typing import Any

from hal.chapters.one_nn.figures._shared import TABLE, TIME_LABEL
from hal.explorer import Line, Say, Step, heatmap, over_steps, sliders, waiting
from lib.models.one_nn import textbook
from lib.models.one_nn.textbook import RECORDS, Settings, steps_of
from lib.portable.primitives import Readings, Vector, floor, zeros
from lib.theory.one_nn.portable_flow import path
from lib.theory.one_nn.portable_sphere import law_of

STEPS = 1000
WORK = 2e6  # as in `training`
MATRIX, LOSS, PULL = "The matrix W", "The loss", "Does a label attract by itself?"
TITLE, RUN, COLUMNS, FIRST, TIME = "Products of labels leave the family", textbook, 2, 1, "t"
FOLDED = 2
SLIDERS = sliders(TABLE, labels=2, N=(3, 2, 31), d=(8, 2, 8), lr=1.0, batch=32)


def settings(labels: int, N: int, d: int, lr: float, batch: int) -> Settings:
    """The run of these sliders, as many steps as a page can take at once; 49 records at the least."""
    steps = floor(WORK / float(batch * (N + 1) * (d + 2)))
    return Settings(N, d, lr, batch, 3.0, 0.0, labels, max(RECORDS, min(STEPS, steps)))


def flow(settings: Settings) -> Readings:
    """The reduced flow of fair signs at the times of the records: loss, (49,); d + 2; the law; N."""
    t = steps_of(settings)
    xi1, xi2, loss = path(law_of(settings.d, settings.N), 0.0, settings.sigma, t, 1e-3)
    last = len(t) - 1
    return {
        "loss": loss, "zero": zeros(len(t)), "size": [float(settings.d + 2)], "law": [float(settings.labels)],
        "last": [loss[last]], "end": [t[last]], "xi1": [xi1[last]], "xi2": [xi2[last]],
        "N": [float(settings.N)],
    }  # fmt: skip


def outcome(t: Vector, loss: Vector, off: Vector, label_pull: Vector) -> Readings:
    """Of one run: loss and share beside the family in per cent at its end; W_23, its mean over time from a sixth on."""
    last = len(t) - 1
    mean, spent = 0.0, 0.0
    for i in range(1, len(t)):
        if 6.0 * t[i] > t[last]:
            mean += (t[i] - t[i - 1]) * label_pull[i]
            spent += t[i] - t[i - 1]
    return {"loss": [loss[last]], "off": [100.0 * off[last]], "pull": [mean / spent]}


def panels() -> list[Any]:
    """The matrix, its entry W_23, the loss, and what is beside the family."""
    time: dict[str, Any] = dict(x=TIME, xlabel=TIME_LABEL)
    losses = [
        Line("loss", "SGD, mean of recent batches", idea="fit"),
        Line("flow.loss", "reduced flow of fair signs", theory=True),
    ]  # fmt: skip
    pulls = [
        Line("label_pull", "W₂₃, mean of recent steps", idea="second"),
        Line("flow.zero", "in the family", theory=True),
    ]  # fmt: skip
    return [
        heatmap("W", rows="flow.size", columns="flow.size", xlabel="column: x_q (d), label slot, last slot (index)",
                ylabel="row: x_j (d), label, last slot (index)", clabel="entry of W (no unit)", title=MATRIX,
                diverging=True, height=300),
        over_steps(PULL, "W₂₃ (no unit)", *pulls, ylim=(-0.08, 0.12), height=300, **time),
        over_steps(LOSS, "loss L (no unit)", *losses, xlog=True, ylim=(0.0, 0.6), height=140, **time),
        over_steps("Outside the family", "share of ‖W‖ (no unit)", Line("off", "‖W − family‖ / ‖W‖", idea="noise"),
                   xlog=True, ylog=True, ylim=(1e-3, 1), height=140, **time),
    ]  # fmt: skip


MEDIAN = "loss"
READING = [
    [*waiting(), Say("At t = {flow.end:0} the loss is {loss:3}; the flow of fair signs has {flow.last:3}.")],
    [Say("Outside the family: {off}% of W. Averaged over the last five sixths of the time, W₂₃ = {pull:3}.")],
    [
        Say("Fair signs: the paper's conditions hold, and what is outside the family is noise.", "flow.law == 0",
            "off <= 20"),
        Say("Fair signs: the paper's conditions hold, but such small batches, or large steps, carry W off the family.",
            "flow.law == 0"),
        Say("A random wave: the labels depend on the points, and far points know nothing of each other.",
            "flow.law == 1"),
        Say("Products: any two labels are independent, not any three.", "flow.law == 2", "flow.N >= 3"),
        Say("Products of two bits: with two examples these are fair signs.", "flow.law == 2"),
        Say("A linear rule: near examples agree, so the conditions fail, and the loss is another one.",
            "flow.law == 3"),
    ],
]  # fmt: skip
TOUR = [
    Step("Fair signs. The matrix starts with one entry, the mask −σ, below on the right.", labels=0, time=1,
         point=MATRIX),
    Step("Then its first d diagonal entries grow, alike: W = diag(ξ₁I, 0, −ξ₂). The rest is noise.", labels=0,
         point=MATRIX),
    Step("A random wave gives labels that depend on the points; nothing changes.", labels=1, point="labels"),
    Step(Say("Products of bits meet every printed condition, yet W₂₃ leaves 0: in the mean it is {pull:3} here."),
         "Products of bits meet every printed condition, yet W₂₃ leaves 0 in the mean over time.", labels=2,
         point=PULL),
    Step("A linear rule breaks the conditions: near examples agree. The matrix looks the same.", labels=3, point=LOSS),
]  # fmt: skip
