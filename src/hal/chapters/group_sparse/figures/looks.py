"""Small figure `group_sparse-looks`: the layer that has lost the group answers by where it looks.

Chapter `group_sparse`. Source: beyond arXiv 2504.08638: D = 6 groups of d = 2 variables, 200 examples, 100 steps.
"""

from typing import NamedTuple

from hal.chapters.group_sparse.models.ways import trained
from hal.figure import Idea, Say, Slider, grid
from lib.models.group_sparse.textbook import STAR, Settings, output, take
from lib.portable.primitives import Readings, sqrt, zeros

D = 6
d = 2
EXAMPLES = 200
STEPS = 100
TITLE = "It answers by where it looks"
HINT = "Compare the two rows, then lower the learning rate."
AGAIN = "Other examples"
SLOW_REASON, DEFERRED_THEORY = "A layer is trained on 200 examples, and looks at 200 new ones.", ("found",)
SLIDERS = {"lr": Slider("Learning rate η", "no unit", 1.0, (0.05, 1.5), log=False)}


class Chosen(NamedTuple):
    """The learning rate."""

    lr: float


def settings(lr: float) -> Chosen:
    """The settings of this figure."""
    return Chosen(lr)


def found(settings: Chosen, seed: int) -> Readings:
    """Of new examples the mean attention on each group, of those with the label + and then of the others, (12,); what
    the value vector reads from each positional encoding, (6,); in per cent, right answers, and of the encodings alone.
    """
    state = trained(Settings(D, d, EXAMPLES, settings.lr, STEPS, 1.0, 0.0), seed, False, False)
    looks, reads, count, right, alone = zeros(2 * D), zeros(D), zeros(2), 0.0, 0.0
    for k in range(D):
        reads[k] = state.v[d + k] * sqrt(0.5 * float(D + 1))
    each = 100.0 / float(len(state.fresh_y))
    for i in range(len(state.fresh_y)):
        y = state.fresh_y[i]
        row = 0 if y > 0.0 else 1
        count[row] += 1.0
        right += each if y * output(state, take(state, state.fresh, i)) > 0.0 else 0.0
        told = 0.0
        for j in range(D):
            for k in range(D):
                looks[row * D + k] += state.S[j][k] / float(D)
                told += state.S[j][k] * reads[k]
        alone += each if y * told > 0.0 else 0.0
    for k in range(D):
        looks[k] /= count[0]
        looks[D + k] /= count[1]
    return {
        "looks": looks, "reads": reads, "right": [right], "alone": [alone], "on": [looks[STAR], looks[D + STAR]],
        "seed": [float(seed)],
    }  # fmt: skip


def picture() -> tuple[grid, grid]:
    """Attention by label, and under it what is read from each page number."""
    return (
        grid(
            cells="found.looks", rows=2, columns=D, row_names=("label +", "label −"), columns_are="attention on group",
            digits=2, largest=1.0, root=False, square=False, idea="attention", height=128, wide=True,
            alt="Mean attention on six groups: on group 2 there is nearly none for one label and much for the other.",
        ),
        grid(
            cells="found.reads", rows=1, columns=D, row_names=("number",), digits=1, largest=6.0, root=False,
            columns_are="read from the page number of group", square=False, height=92, wide=True,
            alt="What the value vector reads from six page numbers: a large number of one sign for group 2 alone.",
        ),
    )  # fmt: skip


def say() -> list[Say]:
    """How often it is right, and by page numbers alone."""
    return [Say("Right on new examples: {found.right:0}%; by the page numbers alone: {found.alone:0}%.")]


IDEA = Idea(
    "For one label at least three times as much attention is on group 2 as for the other.",
    greater=lambda drawn: max(drawn["found.looks"][[1, 7]]),
    than=lambda drawn: 3 * min(drawn["found.looks"][[1, 7]]),
    breaks={"lr": 0.2},
)
