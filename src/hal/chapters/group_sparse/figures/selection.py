"""Figure `group_sparse-selection`: value and attention learned from n examples, beside the population's two scalars.

Chapter `group_sparse`. Source: arXiv 2504.08638, Section 5 and its figures of pretraining; the population's flow is
ours.
"""

from typing import Any

from hal.chapters.group_sparse.figures._shared import MAP, TABLE, attention_map, right_answers
from hal.chapters.group_sparse.runs import fast_runs
from hal.explorer import Line, Say, Step, over_steps, sliders, waiting
from lib.models.group_sparse import textbook
from lib.models.group_sparse.textbook import RECORDS, Settings, steps_of
from lib.portable.primitives import Readings, Vector, floor, zeros
from lib.portable.vectors import fill, numbered
from lib.theory.group_sparse.portable import beside_a_run, law_of

STEPS = 200  # of a run, where its work allows
FEWEST = 20  # of a run that costs more
WORK = 1e8  # multiplications of a run; it ends where they are spent
TITLE, RUN, FAST, COLUMNS, RUNS, FIRST = "Finding the group that decides", textbook, fast_runs, 3, 4, 1
DEAR = "A run here reads all examples at every step: it is drawn as it grows, many groups take a while."
SLIDERS = sliders(TABLE, D=4, d=2, n=200, lr=0.3, sigma=1.0, flips=0.0)
HERO, FOLDED = True, 3
ATTENTION, DIRECTION, LENGTH = "Attention on the group", "Direction of the value", "Length of its variables' part"


def settings(D: int, d: int, n: int, lr: float, sigma: float, flips: float) -> Settings:
    """The run of these sliders, as many steps as a page can take."""
    m = d + D
    steps = floor(WORK / float(2 * n * D * m * (m + D)))
    return Settings(D, d, n, lr, max(FEWEST, min(STEPS, steps)), sigma, flips)


def flow(settings: Settings) -> Readings:
    """The population's flow of two scalars at the steps of the records: attention, loss, each (61,); their ends."""
    law = law_of(settings.D, settings.sigma)
    law.flips = settings.flips
    attention, loss = beside_a_run(law, settings.lr, steps_of(settings))
    perfect = zeros(RECORDS + 1)
    fill(perfect, 1.0)
    return {
        "attention": attention, "loss": loss, "perfect": perfect, "D": [float(settings.D)],
        "groups": numbered(settings.D), "last": [attention[RECORDS]], "steps": [float(settings.steps)],
        "flips": [100.0 * settings.flips],
    }  # fmt: skip


def outcome(attention: Vector, cosine: Vector, ratio: Vector, test: Vector, accuracy: Vector) -> Readings:
    """Of one run, at its end: attention, cosine, norm ratio, and right answers in per cent; whether it memorised."""
    last = len(attention) - 1
    return {
        "attention": [attention[last]], "cosine": [cosine[last]], "ratio": [ratio[last]],
        "test": [100.0 * test[last]], "gap": [100.0 * (accuracy[last] - test[last])], "trained": [accuracy[last]],
    }  # fmt: skip


def panels() -> list[Any]:
    """The attention map, attention, loss, right answers, and the talk's two measures of the value."""
    looks = Line("attention", "n examples", idea="attention"), Line("flow.attention", "population", theory=True)
    losses = Line("loss", "n examples, training", idea="fit"), Line("flow.loss", "population", theory=True)
    perfect = Line("flow.perfect", "population", theory=True)
    cosine = Line("cosine", "⟨v₁, v*⟩ / ‖v₁‖", idea="output")
    ratio = Line("ratio", "norm ratio", idea="output")
    return [
        attention_map(230),
        over_steps(ATTENTION, "attention (share)", *looks, ylim=(0, 1.05), height=230),
        over_steps("The loss", "loss L (nats)", *losses, ylog=True, yswitch=True, ylim=(0.005, 1), height=230),
        right_answers(150),
        over_steps(DIRECTION, "cosine with v* (no unit)", cosine, perfect, ylim=(0, 1.05), height=150),
        over_steps(LENGTH, "‖v₁‖ / ‖v‖ (no unit)", ratio, perfect, ylim=(0, 1.05), height=150),
    ]


MEDIAN = "loss"
READING = [
    [
        *waiting(),
        Say("After {flow.steps} steps the deciding group has {attention:2} of the attention; in the population's flow "
            "it has {flow.last:2}."),
    ],
    [Say("Cosine {cosine:3}, norm ratio {ratio:3}; {test:1} % of 200 fresh examples are right.")],
    [
        Say("It has memorised: its own examples are all right, {gap:1} points more than fresh ones.",
            "gap > 10", "trained >= 1", "flow.flips <= 0"),
        Say("On its own examples it is right {gap:1} points more often.", "gap > 10", "flow.flips <= 0"),
        Say("A training label is wrong with the chance {flow.flips:0} %; fresh ones are right.", "flow.flips > 0.5"),
    ],
]  # fmt: skip
TOUR = [
    Step("At the start W = 0: every query looks at all groups alike. One of them decides, and nobody has said which.",
         time=0, point=MAP),
    Step("The first steps are the value's: it finds the direction v* while attention is still nearly even.", time=4,
         point=DIRECTION),
    Step("Only then does attention pay: row 2 of the map, the group, fills up, for all queries at once.", time=60,
         point=MAP),
    Step("Dashed: the population, two numbers instead of a matrix. It ends higher.", time=200, point=ATTENTION),
    Step(Say("With 20 examples of 24 variables it memorises: {test:0} % of fresh examples are right."),
         "With 20 examples of 24 variables it memorises.", n=20, D=6, d=4, point="Right answers"),
    Step(Say("Three labels in ten are wrong: the group gets {attention:2} of the attention, and the value reads more."),
         "Three labels in ten are wrong: attention stays spread out, and the value reads positions too.", flips=0.3,
         point=LENGTH),
]  # fmt: skip
