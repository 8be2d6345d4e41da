"""Small figure `group_sparse-worlds`: which group gets the attention if another one is a copy, or decides with it.

Chapter `group_sparse`. Source: beyond arXiv 2504.08638: D = 6 groups of d = 2 variables, 100 examples, 60 steps.
"""

from typing import NamedTuple

from hal.explorer import Idea, Path, Say, Slider, points
from lib.models.group_sparse.textbook import STAR, Settings, tested
from lib.models.group_sparse.textbook_frames import BAR, COS, SIN, bar_heights, box_of, frames_of, within
from lib.models.group_sparse.textbook_worlds import OTHER, drawn, with_softmax
from lib.portable.primitives import Readings, nan, sqrt, zeros
from lib.portable.vectors import filled

D = 6
EXAMPLES = 100
SHOWN = 24
STEPS = 60
LR = 0.4
TITLE = "Who gets the attention?"
HINT = "Lower the noise: how good must the copy be to take half?"
AGAIN = "Other examples"
SLIDERS = {
    "two": Slider("The label", default=0, names={0: "group 2 decides", 1: "groups 2 and 3 decide"}),
    "noise": Slider("Noise in group 3, a copy of 2", "fraction", 0.1, (0.001, 1.0), log=True),
}


class Chosen(NamedTuple):
    """Whether two groups decide, and the share of noise in the variance of group 3."""

    two: int
    noise: float


def settings(two: int, noise: float) -> Chosen:
    """What is chosen."""
    return Chosen(two, noise)


def row(settings: Chosen) -> Readings:
    """Frames of the six pictures and where their bars stand."""
    return frames_of(D)


def foot(settings: Chosen) -> Readings:
    """The foot of the copy's picture, x and y (2,); NaN where it is all noise."""
    box = box_of(D, OTHER)
    return {"x": [box[0], box[0] + box[2]], "y": filled(2, box[1] if settings.noise < 0.99 else nan)}


def run(settings: Chosen, seed: int) -> Readings:
    """Of a trained layer the pictures' points, x, y and kinds (144,), heights of the bars (54,) and the attention (6,);
    attention on groups 2 and 3, accuracy on test examples, and the copy's correlation.
    """
    c = sqrt(1.0 - settings.noise)
    state = drawn(Settings(D, 2, EXAMPLES, LR, STEPS, 1.0, 0.0), seed, settings.two == 1, c)
    shares = with_softmax(state)
    x, y, kinds, bars = zeros(SHOWN * D), zeros(SHOWN * D), zeros(SHOWN * D), zeros(BAR * D)
    for j in range(D):
        box = box_of(D, j)
        for i in range(SHOWN):
            token = state.tokens[i * D + j]
            x[j * SHOWN + i] = box[0] + box[2] * within(COS * token[0] - SIN * token[1])
            y[j * SHOWN + i] = box[1] + box[3] * within(SIN * token[0] + COS * token[1])
            kinds[j * SHOWN + i] = 1.0 if state.y[i] > 0.0 else 0.0
        for k in range(BAR):
            bars[BAR * j + k] = bar_heights(box[1], box[1] + box[3] * shares[j], k)
    return {
        "x": x, "y": y, "kinds": kinds, "bars": bars, "shares": shares, "first": [shares[STAR]],
        "second": [shares[OTHER]], "test": [tested(state)], "c": [c], "seed": [float(seed)],
    }  # fmt: skip


def picture() -> points:
    """The six pictures with their bars."""
    frame, bar = Path("row.x", "row.y", "", idea="#9aa3ad"), Path("row.bars", "run.bars", "", idea="#6b7280")
    copy = Path("foot.x", "foot.y", "a copy", idea="#9aa3ad")
    return points(
        x="run.x", y="run.y", kinds="run.kinds", ideas=("attention", "output"), kind_names=("label −", "label +"),
        lines=[frame, Path("row.true_x", "row.true_y", "", theory=True), bar, copy], xlim=(0.0, 1.0), ylim=(0.0, 1.0),
        ends=False, ylabel="six groups; at the left, attention", height=190,
        alt="Six pictures of points. The bar of the second is high, the others are low.",
    )  # fmt: skip


def say() -> list[Say]:
    """Attention on the two groups, and accuracy."""
    got = "Group two has {run.first:2} of the attention, group three {run.second:2}; the test accuracy is {run.test:2}."
    return [Say(got)]


IDEA = Idea(
    "The bar of group 2 is more than twice as high as that of group 3.",
    greater=lambda drawn: float(drawn["run.bars"][10] - drawn["run.bars"][9]),
    than=lambda drawn: 2 * float(drawn["run.bars"][19] - drawn["run.bars"][18]),
    breaks={"noise": 0.001},
)
