"""Figure `group_sparse-downstream`: errors on a new task against the number of its examples, with a layer or without.

Chapter `group_sparse`. Source: arXiv 2504.08638, Section 4, and its downstream figure; the law of the inputs, the
learning rates and the laws of the errors are ours. Time is the examples, one by one.
"""

from typing import Any

from hal.chapters.group_sparse.figures._shared import TABLE
from hal.explorer import Line, Say, Slider, Step, over_steps, sliders, waiting
from lib.models.group_sparse import textbook_downstream
from lib.models.group_sparse.textbook_downstream import FEWEST, RATE_LINEAR, RECORDS, Settings, steps_of
from lib.portable.primitives import Readings, Vector, nan, zeros
from lib.portable.vectors import fill
from lib.theory.group_sparse.portable_downstream import error_path, layer_of, regression_of

MOST = 500  # examples
MIDDLE = 12  # a record on the way
FASTEST = 2.0  # learning rate up to which steps are small enough for the law of the layer
TITLE, RUN, COLUMNS, RUNS, FIRST, FOLDED = "What the discovery is worth", textbook_downstream, 1, 12, 2, 1
DEAR = "It is drawn as it grows. Many groups or variables take a while."
TIME_LABEL = "examples of the new task (examples)"
SLIDERS = {
    **sliders(TABLE, D=(6, 2, 16), d=(4, 1, 16), gamma=0.2, attention=0.9),
    "lr": Slider("Learning rate η D²", "no unit", 0.1, (0.01, 10.0)),
}
SIGHT = ("D", "gamma", "attention")
ERRORS, ATTENTION = "Errors against examples", "Attention on the relevant group"


def settings(D: int, d: int, gamma: float, attention: float, lr: float) -> Settings:
    """The run of these sliders."""
    return Settings(D, d, gamma, attention, lr, MOST)


def laws(settings: Settings) -> Readings:
    """The laws of frozen attention (NaN beyond `FASTEST`) and of regression at the records (20,), and per cents there.

    Besides the pretrained attention, and up to where fine-tuning leaves it as it is.
    """
    n, layer, kept, before = steps_of(settings), zeros(RECORDS), zeros(RECORDS), settings.attention
    fill(layer, nan)
    if settings.lr <= FASTEST:
        layer = error_path(layer_of(settings.D, settings.d, before, settings.lr), settings.gamma, n)
    flat = error_path(regression_of(settings.d * settings.D, RATE_LINEAR), settings.gamma, n)
    fill(kept, before)
    return {
        "layer": layer, "flat": flat, "kept": kept, "last": [float(settings.n)], "middle": [n[MIDDLE]],
        "by_layer": [100.0 * layer[MIDDLE]], "by_flat": [100.0 * flat[MIDDLE]],
        "attention": [before], "low": [before - 0.05], "high": [before + 0.05], "fastest": [FASTEST],
    }  # fmt: skip


def outcome(tuned: Vector, frozen: Vector, linear: Vector, share: Vector) -> Readings:
    """Of one run: errors in per cent at a record on the way, and the tuned layer's attention at the end."""
    return {
        "tuned": [100.0 * tuned[MIDDLE]], "frozen": [100.0 * frozen[MIDDLE]], "linear": [100.0 * linear[MIDDLE]],
        "share": [share[RECORDS - 1]],
    }  # fmt: skip


def panels() -> list[Any]:
    """Errors over examples, and what becomes of the attention."""
    axis: dict[str, Any] = dict(xlabel=TIME_LABEL, xlog=True, xswitch=True, xlim=(FEWEST, MOST), wide=True)
    errors = [
        Line("tuned", "value and attention", idea="attention"),
        Line("frozen", "value alone, attention frozen", idea="output"),
        Line("linear", "logistic regression, no layer", idea="rival"),
        Line("laws.layer", "theory, attention frozen", theory=True),
        Line("laws.flat", "theory, no layer", theory=True, dash=(2, 2)),
    ]
    kept = Line("share", "fine-tuned layer", idea="attention"), Line("laws.kept", "as pretrained", theory=True)
    return [
        over_steps(
            ERRORS, "wrong on test examples (no unit)", *errors, yswitch=True, ylim=(0, 0.5), height=340, **axis
        ),
        over_steps(ATTENTION, "attention (no unit)", *kept, ylim=(0, 1.05), height=120, **axis),
    ]


READING = [
    [
        *waiting(),
        Say("After {laws.middle} examples, wrong on 200 others: value and attention {tuned:1}%, value alone "
            "{frozen:1}%, logistic regression {linear:1}%."),
    ],
    [
        Say("In theory: value alone {laws.by_layer:1}%, logistic regression {laws.by_flat:1}%."),
        Say("In theory: logistic regression {laws.by_flat:1}%. For the layer it has no formula: above the "
            "learning rate {laws.fastest} its steps are too large."),
    ],
    [
        Say("Fine-tuning has harmed the attention: {laws.attention:2} before, {share:2} after {laws.last} examples.",
            "share < laws.low"),
        Say("Fine-tuning has sharpened the attention: {laws.attention:2} before, {share:2} after {laws.last} examples.",
            "share > laws.high"),
        Say("Fine-tuning leaves the attention at {share:2}; it was {laws.attention:2}."),
    ],
]  # fmt: skip
TOUR = [
    Step(Say("A new direction in the old group. A layer that knows the group is wrong in {frozen:1}%, one that does "
             "not in {linear:1}%, after {laws.middle} examples."),
         "A new direction in the old group: a layer that knows the group needs fewer examples.", point=ERRORS),
    Step("The reason is noise. Logistic regression fights that of all d D variables, the layer that of its d, and a "
         "bias that its positions bring in.", D=10, d=6, point=ERRORS),
    Step("A layer with uniform attention, s = 1/D, has nothing to give: it sums all groups, and the others are noise.",
         attention=0.17, point="attention"),
    Step("A larger margin makes everything easier, and the gap smaller.", gamma=0.8, point="gamma"),
    Step("Too fast, and fine-tuning forgets what was known: attention leaves the group. A frozen layer cannot.",
         lr=10.0, D=8, point=ATTENTION),
]  # fmt: skip
