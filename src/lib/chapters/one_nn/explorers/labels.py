"""Explorer `one_nn-labels`: four laws of labels, and what the full matrix learns under each.

Chapter `one_nn`. Source: the conditions on labels of arXiv 2411.10830 by its talk; that products meet them and leave
the family is ours. The page computes all of it, and the run is the textbook model.
"""

from __future__ import annotations

from typing import Any

from lib.chapters.one_nn.explorers._shared import TIME_LABEL, sliders
from lib.explorer import Computed, Line, Say, Step, heatmap, lines
from lib.models.one_nn import textbook
from lib.models.one_nn.textbook import Settings
from lib.models.one_nn.textbook_record import RECORDS
from lib.portable.numbers import exp, log
from lib.portable.primitives import Readings, Vector, floor, zeros
from lib.theory.one_nn.portable import law_of, path

STEPS = 1000
WORK = 2e6  # as in `training`


def settings(labels: int, N: int, d: int, lr: float, batch: int) -> Settings:
    """The run of these sliders, as many steps as a page can take at once."""
    steps = floor(WORK / float(batch * (N + 1) * (d + 2)))
    return Settings(N, d, lr, batch, 3.0, 0.0, labels, max(RECORDS, min(STEPS, steps)))


def flow(settings: Settings) -> Readings:
    """The reduced flow of fair signs at the times of the records: t, loss, each (49,); d + 2; the law."""
    t = zeros(RECORDS + 1)
    for i in range(1, RECORDS + 1):
        due = floor(exp(log(float(settings.steps)) * float(i) / float(RECORDS)) + 0.5)
        t[i] = settings.lr * float(max(i, due))
    xi1, xi2, loss = path(law_of(settings.d, settings.N), 0.0, settings.sigma, t, 1e-3)
    return {
        "t": t, "loss": loss, "zero": zeros(RECORDS + 1), "size": [float(settings.d + 2)],
        "law": [float(settings.labels)],
        "last": [loss[RECORDS]], "end": [t[RECORDS]], "xi1": [xi1[RECORDS]], "xi2": [xi2[RECORDS]],
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
    """The matrix, the loss, and what is beside the family."""
    time: dict[str, Any] = dict(x="flow.t", xlabel=TIME_LABEL, xlog=True)
    return [
        heatmap(
            "W",
            rows="flow.size",
            columns="flow.size",
            xlabel="column: x_q (d), label slot, last slot (index)",
            ylabel="row: x_j (d), label, last slot (index)",
            clabel="entry of W (no unit)",
            title="The matrix W",
            diverging=True,
            height=300,
        ),
        lines(
            y=[
                Line("loss", "SGD, mean of recent batches", idea="sgd"),
                Line("flow.loss", "reduced flow of fair signs", theory=True),
            ],
            ylabel="loss L (no unit)",
            title="The loss",
            ylim=(0.0, 0.6),
            height=300,
            **time,
        ),
        lines(
            y=[
                Line("label_pull", "W₂₃, mean of recent steps", idea="mirror"),
                Line("flow.zero", "in the family", theory=True),
            ],
            ylabel="W₂₃ (no unit)",
            title="Does a label attract by itself?",
            ylim=(-0.2, 0.2),
            height=140,
            **time,
        ),
        lines(
            y=[Line("off", "‖W − family‖ / ‖W‖", idea="noise")],
            ylabel="share of ‖W‖ (no unit)",
            title="Beside the family",
            ylog=True,
            ylim=(1e-3, 1),
            height=140,
            **time,
        ),
    ]


READING = [
    [
        Say("Every run so far has diverged; a smaller learning rate may help.", runs=0, lost=">= 1"),
        Say("No run has finished yet.", runs=0),
        Say("At t = {flow.end} the loss is {loss:3}; the flow of fair signs has {flow.last:3}."),
    ],
    [Say("Beside the family: {off:1} % of W. Averaged over the last five sixths of the time, W₂₃ = {pull:3}.")],
    [
        Say("Fair signs: the paper's conditions hold, and what is beside the family is noise.", **{"flow.law": 0}),
        Say(
            "A random wave: the labels depend on the points, and far points know nothing of each other.",
            **{"flow.law": 1},
        ),
        Say("Products: any two labels are independent, not any three.", **{"flow.law": 2}),
        Say(
            "A linear rule: near examples agree, so the conditions fail, and the loss is another one.",
            **{"flow.law": 3},
        ),
    ],
]


TOUR = [
    Step(
        "Fair signs. The matrix starts with one entry, the mask −σ, below on the right.", time=1, point="The matrix W"
    ),
    Step(
        "Then its first d diagonal entries grow, alike: W = diag(ξ₁I, 0, −ξ₂). The rest is noise.", point="The matrix W"
    ),
    Step("A random wave gives labels that depend on the points; nothing changes.", labels=1, point="labels"),
    Step(
        Say("Products of bits meet every printed condition, yet W₂₃ leaves 0: in the mean it is {pull:3} here."),
        "Products of bits meet every printed condition, yet W₂₃ leaves 0 in the mean over time.",
        labels=2,
        point="Does a label attract by itself?",
    ),
    Step(
        "A linear rule breaks the conditions: the matrix looks the same, the loss is lower.", labels=3, point="The loss"
    ),
]


def explorer() -> Computed:
    """The explorer `one_nn-labels`, as the chapter shows it."""
    return Computed(
        textbook,
        name="one_nn-labels",
        title="Which labels will do",
        settings=settings,
        theory=[flow],
        outcome=outcome,
        sliders=sliders("labels", "N", "d", "lr", "batch", N=(2, 31), d=(2, 8)),
        default=dict(labels=0, N=3, d=8, lr=1.0, batch=32),
        time="flow.t",
        time_label=TIME_LABEL,
        reading=READING,
        tour=TOUR,
        panels=panels(),
        columns=2,
        runs=8,
        first=1,
    )
