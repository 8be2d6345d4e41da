"""Figure `group_sparse-downstream`: errors on a new task against the number of its examples, with a layer or without.

Chapter `group_sparse`. Source: arXiv 2504.08638, Section 4, and its downstream figure; the law of the inputs and the
learning rates are ours. Time is the examples, one by one.
"""

from typing import Any

from hal.chapters.group_sparse.figures._shared import TABLE
from hal.explorer import Line, Say, Slider, Step, over_steps, sliders, waiting
from lib.models.group_sparse import textbook_downstream
from lib.models.group_sparse.textbook_downstream import FEWEST, RECORDS, Settings, steps_of
from lib.portable.primitives import Readings, Vector, zeros
from lib.portable.vectors import fill

MOST = 500  # examples
MIDDLE = 12  # a record on the way
SHARE = 0.25  # of the two laws: 5 per cent of errors at five examples a variable
TITLE, RUN, COLUMNS, RUNS, FIRST = "What the discovery is worth", textbook_downstream, 1, 12, 2
TIME_LABEL = "examples of the new task (examples)"
SLIDERS = {
    **sliders(TABLE, D=(6, 2, 10), d=(4, 1, 10), gamma=0.2, attention=0.9),
    "lr": Slider("Learning rate η D²", "no unit", 0.1, (0.01, 10.0)),
}
ERRORS, ATTENTION = "Errors against examples", "Attention on the deciding group"


def settings(D: int, d: int, gamma: float, attention: float, lr: float) -> Settings:
    """The run of these sliders."""
    return Settings(D, d, gamma, attention, lr, MOST)


def laws(settings: Settings) -> Readings:
    """The shapes (d + D)/(4n) and d D/(4n) at the records (20,), and the pretrained attention; sizes."""
    n, sparse, dense, kept = steps_of(settings), zeros(RECORDS), zeros(RECORDS), zeros(RECORDS)
    for i in range(RECORDS):
        sparse[i] = min(0.5, SHARE * float(settings.d + settings.D) / n[i])
        dense[i] = min(0.5, SHARE * float(settings.d * settings.D) / n[i])
    fill(kept, settings.attention)
    return {
        "sparse": sparse, "dense": dense, "kept": kept, "last": [float(settings.n)], "middle": [n[MIDDLE]],
        "attention": [settings.attention], "sum": [float(settings.d + settings.D)],
        "product": [float(settings.d * settings.D)],
    }  # fmt: skip


def outcome(tuned: Vector, frozen: Vector, linear: Vector, share: Vector) -> Readings:
    """Of one run: errors in per cent at a record on the way, and the tuned layer's attention at the end."""
    return {
        "tuned": [100.0 * tuned[MIDDLE]], "frozen": [100.0 * frozen[MIDDLE]], "linear": [100.0 * linear[MIDDLE]],
        "share": [share[RECORDS - 1]], "drop": [share[0] - share[RECORDS - 1]],
    }  # fmt: skip


def panels() -> list[Any]:
    """Errors over examples, and what becomes of the attention."""
    axis: dict[str, Any] = dict(xlabel=TIME_LABEL, xlog=True, xswitch=True, xlim=(FEWEST, MOST), wide=True)
    errors = [
        Line("tuned", "value and attention", idea="attention"),
        Line("frozen", "value alone, attention frozen", idea="output"),
        Line("linear", "logistic regression, no layer", idea="rival"),
        Line("laws.sparse", "(d + D)/(4n)", theory=True),
        Line("laws.dense", "d D/(4n)", theory=True, dash=(2, 2)),
    ]
    kept = Line("share", "fine-tuned layer", idea="attention"), Line("laws.kept", "as pretrained", theory=True)
    return [
        over_steps(ERRORS, "wrong on fresh examples (share)", *errors, yswitch=True, ylim=(0, 0.5), height=340, **axis),
        over_steps(ATTENTION, "attention (share)", *kept, ylim=(0, 1.05), height=120, **axis),
    ]


READING = [
    [
        *waiting(),
        Say("After {laws.middle} examples, wrong on fresh ones: value and attention {tuned:1} %, value alone "
            "{frozen:1} %, logistic regression {linear:1} %."),
    ],
    [Say("Sizes: d + D = {laws.sum}, d D = {laws.product}.")],
    [
        Say("Fine-tuning has harmed the attention: {laws.attention:2} before, {share:2} after {laws.last} examples.",
            "drop > 0.05"),
        Say("Fine-tuning leaves the attention at {share:2}; it was {laws.attention:2}."),
    ],
]  # fmt: skip
TOUR = [
    Step(Say("A new direction in the old group. A layer that knows the group is wrong in {frozen:1} %, one that does "
             "not in {linear:1} %, after {laws.middle} examples."),
         "A new direction in the old group: a layer that knows the group needs fewer examples.", point=ERRORS),
    Step("The reason is the number of unknowns: d + D for the value, d D for logistic regression on everything.",
         D=10, d=6, point=ERRORS),
    Step("A layer that attends evenly, s = 1/D, has nothing to give: it sums all groups, and the others are noise.",
         attention=0.17, point="attention"),
    Step("A larger margin makes everything easier, and the gap smaller.", gamma=0.8, point="gamma"),
    Step("Too fast, and fine-tuning forgets what was known: attention leaves the group. A frozen layer cannot.",
         lr=10.0, D=8, point=ATTENTION),
]  # fmt: skip
