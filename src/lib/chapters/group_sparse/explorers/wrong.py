"""Explorer `group_sparse-wrong`: right answers by the wrong mechanism, when the learning rate crosses a limit.

Chapter `group_sparse`. Source: beyond arXiv 2504.08638. With even attention the value's positions have curvature
D (D + 1)/8, so steps along them grow from the learning rate 16/(D (D + 1)) on. The page computes all of it.
"""

from __future__ import annotations

from typing import Any

from lib.chapters.group_sparse.explorers._shared import TIME_LABEL, attention_map, over_steps, right_answers, sliders
from lib.explorer import Computed, Line, Say, Step
from lib.models.group_sparse import textbook
from lib.models.group_sparse.textbook import Settings
from lib.models.group_sparse.textbook_record import RECORDS
from lib.portable.primitives import Readings, Vector, floor, zeros
from lib.portable.vectors import fill
from lib.theory.group_sparse.portable import beside_a_run, largest_rate, law_of, numbered

STEPS = 120
WORK = 3e7  # multiplications of a run; it ends where they are spent


def settings(D: int, d: int, n: int, lr: float) -> Settings:
    """The run of these sliders, as many steps as a page can take at once."""
    m = d + D
    steps = floor(WORK / float(2 * n * D * m * (m + D)))
    return Settings(D, d, n, lr, max(20, min(STEPS, steps)), 1.0, 0.0)


def flow(settings: Settings) -> Readings:
    """The population in small steps: t, attention, each (61,); the limit of the learning rate, and how far beyond it
    this one is.
    """
    t, attention, _loss = beside_a_run(law_of(settings.D, 1.0), settings.lr, settings.steps, RECORDS)
    perfect = zeros(RECORDS + 1)
    fill(perfect, 1.0)
    limit = largest_rate(float(settings.D))
    return {
        "t": t, "attention": attention, "perfect": perfect, "D": [float(settings.D)], "groups": numbered(settings.D),
        "limit": [limit], "times": [settings.lr / limit], "lr": [settings.lr],
    }  # fmt: skip


def outcome(attention: Vector, ratio: Vector, test: Vector, accuracy: Vector) -> Readings:
    """Of one run, at its end: attention, norm ratio, right answers in per cent; 1 where most attention is elsewhere."""
    last = len(attention) - 1
    return {
        "attention": [attention[last]], "ratio": [ratio[last]],
        "test": [100.0 * test[last]], "trained": [100.0 * accuracy[last]],
        "wrong": [1.0 if attention[last] < 0.5 else 0.0],
    }  # fmt: skip


def panels() -> list[Any]:
    """The attention map, right answers, attention, and what the value reads."""
    return [
        attention_map(210),
        right_answers(210),
        over_steps(
            "Attention on the deciding group",
            "attention (share)",
            Line("attention", "gradient descent", idea="A"),
            Line("flow.attention", "population, small steps", theory=True),
            ylim=(0, 1.05),
            height=150,
        ),
        over_steps(
            "How much of the value reads variables",
            "‖v₁‖ / ‖v‖ (no unit)",
            Line("ratio", "norm ratio", idea="V"),
            Line("flow.perfect", "population, small steps", theory=True),
            ylim=(0, 1.05),
            height=150,
        ),
    ]


READING = [
    [
        Say(
            "The learning rate {flow.lr:2} is {flow.times:1} times the limit {flow.limit:2} = 16/(D (D + 1)).",
            **{"flow.times": "> 1"},
        ),
        Say("The learning rate {flow.lr:2} is below the limit {flow.limit:2} = 16/(D (D + 1))."),
    ],
    [
        Say("Every run so far has diverged; a smaller learning rate may help.", runs=0, lost=">= 1"),
        Say("No run has finished yet.", runs=0),
        Say(
            "Training examples: {trained:1} % right; fresh ones: {test:1} %. "
            "The group gets {attention:2} of the attention, the norm ratio is {ratio:2}."
        ),
    ],
    [
        Say(
            "In {sum.wrong} of {runs} runs most attention is elsewhere: the examples are learned by heart.",
            trained=">= 97",
            **{"sum.wrong": ">= 1"},
        ),
        Say("In {sum.wrong} of {runs} runs most attention is elsewhere.", **{"sum.wrong": ">= 1"}),
    ],
]


TOUR = [
    Step(
        "A learning rate four times the limit. On its own examples the layer is soon right, every time.",
        point="Right answers",
    ),
    Step(
        "But attention has not found the group: the row of group 2 does not stand out as it should.",
        point="Who looks at whom",
    ),
    Step(
        "What happened in the first steps: the value overshot along the positions, and attention was thrown off the "
        "group, below the sixth that it had at the start.",
        time=8,
        point="Attention on the deciding group",
    ),
    Step(
        "It never comes back. The value goes on reading positions, and the rest is learned by heart.",
        point="How much of the value reads variables",
    ),
    Step(
        "A rate of 0.3, just below the limit: the same answers on the training examples, by the group.",
        lr=0.3,
        point="Attention on the deciding group",
    ),
    Step(
        "Nearly twice the limit is not yet lost: the runs come back.",
        lr=0.7,
        point="How much of the value reads variables",
    ),
    Step(
        "Fewer groups, higher limit: with three groups the rate 1.5 is only slightly beyond it.",
        D=3,
        point="D",
    ),
]


def explorer() -> Computed:
    """The explorer `group_sparse-wrong`, as the chapter shows it."""
    return Computed(
        textbook,
        name="group_sparse-wrong",
        title="Right answers, wrong mechanism",
        settings=settings,
        theory=[flow],
        outcome=outcome,
        sliders=sliders("D", "d", "n", "lr", D=(2, 8), n=(20, 300), lr=(0.05, 3.0)),
        default=dict(D=6, d=4, n=100, lr=1.5),
        time="flow.t",
        time_label=TIME_LABEL,
        reading=READING,
        tour=TOUR,
        panels=panels(),
        columns=2,
        runs=8,
        first=1,
    )
