"""Explorer `group_sparse-downstream`: errors on a new task against the number of its examples, with a layer or without.

Chapter `group_sparse`. Source: arXiv 2504.08638, Section 4, and its downstream figure; the law of the inputs and the
learning rates are ours. The page computes all of it; tests hold the run to the library's fast model.
"""

from __future__ import annotations

from typing import Any

from lib.chapters.group_sparse.explorers._shared import sliders
from lib.explorer import Computed, Line, Say, Slider, Step, lines
from lib.models.group_sparse import textbook_downstream
from lib.models.group_sparse.textbook_downstream import FEWEST, RECORDS, Settings, examples_at
from lib.portable.primitives import Readings, Vector, zeros

MOST = 500  # examples
TIME_LABEL = "examples of the new task (examples)"
SHARE = 0.25  # of the two laws: 5 per cent of errors at five examples a variable


def settings(D: int, d: int, gamma: float, attention: float, lr: float) -> Settings:
    """The run of these sliders."""
    return Settings(D, d, gamma, attention, lr, MOST)


def laws(settings: Settings) -> Readings:
    """Examples at the records (20,), the shapes (d + D)/(4n) and d D/(4n) there, and the pretrained attention."""
    n, sparse, dense, kept = zeros(RECORDS), zeros(RECORDS), zeros(RECORDS), zeros(RECORDS)
    for i in range(RECORDS):
        n[i] = float(examples_at(i, settings.n))
        sparse[i] = min(0.5, SHARE * float(settings.d + settings.D) / n[i])
        dense[i] = min(0.5, SHARE * float(settings.d * settings.D) / n[i])
        kept[i] = settings.attention
    return {
        "n": n, "sparse": sparse, "dense": dense, "kept": kept, "last": [float(settings.n)],
        "middle": [float(examples_at(MIDDLE, settings.n))], "attention": [settings.attention],
        "sum": [float(settings.d + settings.D)], "product": [float(settings.d * settings.D)],
    }  # fmt: skip


MIDDLE = 12  # a record on the way


def outcome(tuned: Vector, frozen: Vector, linear: Vector, share: Vector) -> Readings:
    """Of one run: errors in per cent at a record on the way, and the tuned layer's attention at the end."""
    return {
        "tuned": [100.0 * tuned[MIDDLE]], "frozen": [100.0 * frozen[MIDDLE]], "linear": [100.0 * linear[MIDDLE]],
        "share": [share[RECORDS - 1]], "drop": [share[0] - share[RECORDS - 1]],
    }  # fmt: skip


def panels() -> list[Any]:
    """Errors over examples, and what becomes of the attention."""
    axis: dict[str, Any] = dict(x="laws.n", xlabel=TIME_LABEL, xlog=True, xswitch=True, xlim=(FEWEST, MOST))
    return [
        lines(
            y=[
                Line("tuned", "value and attention", idea="A"),
                Line("frozen", "value alone, attention frozen", idea="V"),
                Line("linear", "logistic regression, no layer", idea="prox"),
                Line("laws.sparse", "(d + D)/(4n)", theory=True),
                Line("laws.dense", "d D/(4n)", theory=True, dash=(2, 2)),
            ],
            ylabel="wrong on fresh examples (share)",
            title="Errors against examples",
            yswitch=True,
            ylim=(0, 0.5),
            height=340,
            wide=True,
            **axis,
        ),
        lines(
            y=[
                Line("share", "fine-tuned layer", idea="A"),
                Line("laws.kept", "as pretrained", theory=True),
            ],
            ylabel="attention (share)",
            title="Attention on the deciding group",
            ylim=(0, 1.05),
            height=120,
            wide=True,
            **axis,
        ),
    ]


READING = [
    [
        Say("Every run so far has diverged; a smaller learning rate may help.", runs=0, lost=">= 1"),
        Say("No run has finished yet.", runs=0),
        Say(
            "After {laws.middle} examples, wrong on fresh ones: value and attention {tuned:1} %, "
            "value alone {frozen:1} %, logistic regression {linear:1} %."
        ),
    ],
    [Say("Sizes: d + D = {laws.sum}, d D = {laws.product}.")],
    [
        Say(
            "Fine-tuning has harmed the attention: {laws.attention:2} before, {share:2} after {laws.last} examples.",
            drop="> 0.05",
        ),
        Say("Fine-tuning leaves the attention at {share:2}; it was {laws.attention:2}."),
    ],
]


TOUR = [
    Step(
        Say(
            "A new direction in the old group. A layer that knows the group is wrong in {frozen:1} %, one that does "
            "not in {linear:1} %, after {laws.middle} examples."
        ),
        "A new direction in the old group: a layer that knows the group needs fewer examples.",
        point="Errors against examples",
    ),
    Step(
        "The reason is the number of unknowns: d + D for the value, d D for logistic regression on everything.",
        D=10,
        d=6,
        point="Errors against examples",
    ),
    Step(
        "A layer that attends evenly, s = 1/D, has nothing to give: it sums all groups, and the others are noise.",
        attention=0.17,
        point="attention",
    ),
    Step("A larger margin makes everything easier, and the gap smaller.", gamma=0.8, point="gamma"),
    Step(
        "Too fast, and fine-tuning forgets what was known: attention leaves the group. A frozen layer cannot.",
        lr=10.0,
        D=8,
        point="Attention on the deciding group",
    ),
]


def explorer() -> Computed:
    """The explorer `group_sparse-downstream`, as the chapter shows it."""
    rate = Slider("Learning rate η D²", unit="no unit", live=(0.01, 10.0), log=True)
    return Computed(
        textbook_downstream,
        name="group_sparse-downstream",
        title="What the discovery is worth",
        settings=settings,
        theory=[laws],
        outcome=outcome,
        sliders={**sliders("D", "d", "gamma", "attention", D=(2, 10), d=(1, 10)), "lr": rate},
        default=dict(D=6, d=4, gamma=0.2, attention=0.9, lr=0.1),
        time="laws.n",
        time_label=TIME_LABEL,
        reading=READING,
        tour=TOUR,
        panels=panels(),
        columns=1,
        runs=12,
        first=2,
    )
