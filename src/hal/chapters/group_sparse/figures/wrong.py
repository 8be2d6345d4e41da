"""Figure `group_sparse-wrong`: right answers by the wrong mechanism, when the learning rate crosses a limit.

Chapter `group_sparse`. Source: beyond arXiv 2504.08638. With even attention the value's positions have curvature
D (D + 1)/8, so steps along them grow from the learning rate 16/(D (D + 1)) on.
"""

from typing import Any

from hal.chapters.group_sparse.figures._shared import MAP, TABLE, attention_map, right_answers
from hal.figure import Line, Say, Step, over_steps, sliders, waiting
from lib.models.group_sparse import textbook
from lib.models.group_sparse.textbook import RECORDS, STAR, Settings, State, look, norm_ratio, on_group, steps_of
from lib.portable.primitives import Readings, Vector, floor, zeros
from lib.portable.vectors import fill, numbered
from lib.theory.group_sparse.portable import beside_a_run, largest_rate, law_of

STEPS = 120  # of a run, where its work allows
FEWEST = 20  # of a run that costs more
PARTS = 512.0  # of one, in which the map is kept: as finely as its colours can show
WORK = 3e7  # multiplications of a run; it ends where they are spent
TITLE, RUN, COLUMNS, PRECOMPUTED_RUNS = "Right answers, wrong mechanism", textbook, 2, 8
SLIDERS = sliders(TABLE, D=6, d=4, n=(100, 20, 300), lr=(1.5, 0.05, 3.0))
PRIMARY_SLIDERS, PACE = ("D", "d", "lr"), (0.25, 12)  # the first steps one by one: attention falls in them
ATTENTION, LENGTH = "Attention on the relevant group", "How much of the value vector reads variables"


def settings(D: int, d: int, n: int, lr: float) -> Settings:
    """The run of these sliders, as many steps as a page can take at once."""
    m = d + D
    steps = floor(WORK / float(2 * n * D * m * (m + D)))
    return Settings(D, d, n, lr, max(FEWEST, min(STEPS, steps)), 1.0, 0.0)


def flow(settings: Settings) -> Readings:
    """The population in small steps: attention (61,); the limit of the learning rate, and how far beyond it this one
    is.
    """
    attention, _loss = beside_a_run(law_of(settings.D, 1.0), settings.lr, steps_of(settings))
    perfect = zeros(RECORDS + 1)
    fill(perfect, 1.0)
    limit = largest_rate(settings.D)
    return {
        "attention": attention, "perfect": perfect, "D": [float(settings.D)], "groups": numbered(settings.D),
        "limit": [limit], "times": [settings.lr / limit], "lr": [settings.lr],
    }  # fmt: skip


def probe(state: State) -> Readings:
    """Attention on the group, norm ratio, accuracy on both kinds of examples, and the map (D D,) in parts of 1/512."""
    look(state)
    parts = zeros(len(state.map))
    for k in range(len(parts)):
        parts[k] = floor(PARTS * state.map[k] + 0.5) / PARTS
    return {
        "attention": [on_group(state, STAR)], "ratio": [norm_ratio(state.v, state.settings.d)],
        "accuracy": [state.accuracy], "test": [state.test], "map": parts,
    }  # fmt: skip


def run_metrics(attention: Vector, ratio: Vector, test: Vector, accuracy: Vector) -> Readings:
    """Of one run, at its end: attention, norm ratio, right answers in per cent; 1 where most attention is elsewhere."""
    last = len(attention) - 1
    return {
        "attention": [attention[last]], "ratio": [ratio[last]],
        "test": [100.0 * test[last]], "trained": [100.0 * accuracy[last]],
        "gap": [100.0 * (accuracy[last] - test[last])],
        "wrong": [1.0 if attention[last] < 0.5 else 0.0],
    }  # fmt: skip


def panels() -> list[Any]:
    """The attention map, right answers, attention, and what the value reads."""
    small = "population, small steps"
    looks = Line("attention", "each run", idea="attention", each=True), Line("flow.attention", small, theory=True)
    ratio = Line("ratio", "norm ratio", idea="output"), Line("flow.perfect", small, theory=True)
    return [
        attention_map(210),
        right_answers(210),
        over_steps(ATTENTION, "attention (no unit)", *looks, ylim=(0, 1.05), height=150),
        over_steps(LENGTH, "‖v₁‖ / ‖v‖ (no unit)", *ratio, ylim=(0, 1.05), height=150),
    ]


MEDIAN = "attention"
READING = [
    [
        Say("The learning rate {flow.lr:2} is {flow.times:2} times the limit {flow.limit:2} = 16/(D (D + 1)).",
            "flow.times > 1.005"),
        Say("The learning rate {flow.lr:2} is below the limit {flow.limit:2} = 16/(D (D + 1)).", "flow.times < 0.995"),
        Say("The learning rate {flow.lr:2} is at the limit {flow.limit:2} = 16/(D (D + 1))."),
    ],
    [
        *waiting(),
        Say("Accuracy: {trained:1}% on training examples, {test:1}% on 200 new ones. Group 2 gets {attention:2} of the "
            "attention."),
    ],
    [
        Say("In {sum.wrong} of {runs} runs most attention is elsewhere: the layer memorises its examples.",
            "trained >= 97", "gap >= 5", "sum.wrong == runs"),
        Say("In {sum.wrong} of {runs} runs most attention is elsewhere.", "sum.wrong >= 1"),
    ],
]  # fmt: skip
TOUR = [
    Step("The learning rate is four times the limit. On its own examples the layer is soon right.",
         point="Accuracy"),
    Step("But attention has not found the group: the row of group 2 does not stand out.", point=MAP),
    Step("In the first steps the value vector overshot along the positional encodings. Attention was thrown off the "
         "group, below the sixth that it had at first.", time=8, point=ATTENTION),
    Step("It does not come back in these steps. The value vector goes on reading positions, and memorises the rest.",
         point=LENGTH),
    Step("At 0.3, just below the limit, the layer gives the same answers, and gets them from the group.",
         lr=0.3, point=ATTENTION),
    Step("At nearly twice the limit most runs still come back.", lr=0.7, point=LENGTH),
    Step("With fewer groups the limit is higher: with three groups 1.5 is only slightly beyond it.", D=3, point="D"),
]  # fmt: skip
