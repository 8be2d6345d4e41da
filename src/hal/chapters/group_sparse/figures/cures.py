"""Small figure `group_sparse-cures`: three ways to train on the same examples, by accuracy and by attention.

Chapter `group_sparse`. Source: beyond arXiv 2504.08638: D = 6 groups of d = 2 variables, 200 examples, 100 steps.
"""

from typing import NamedTuple

import numpy as np

from hal.chapters.group_sparse.models.ways import trained
from hal.figure import Idea, Say, Slider, grid
from lib.models.group_sparse.textbook import STAR, Settings, State, on_group, tested
from lib.portable.primitives import Readings, zeros

D = 6
d = 2
EXAMPLES = 200
STEPS = 100
SMALL = 0.3  # learning rates of gradient descent
LARGE = 1.0
ROWS = 3
WAYS = ("GD, 0.3", "GD, 1.0", "Adam")
TITLE = "Three ways to fit the examples"
HINT = "Raise Adam's learning rate."
AGAIN = "Other examples"
SLOW_REASON = "Three layers are trained on 200 examples; 200 new ones measure their accuracy."
DEFERRED_THEORY = ("found",)
SLIDERS = {
    "rate": Slider("Learning rate of Adam", "no unit", 0.02, (0.01, 0.3), log=True),
    "unit": Slider("Positional encodings", "", 0, (0, 1), names={0: "sines", 1: "unit vectors"}),
}


class Chosen(NamedTuple):
    """Adam's learning rate, and whether positional encodings are unit vectors (1) or sines (0)."""

    rate: float
    unit: int


def settings(rate: float, unit: int) -> Chosen:
    """The settings of this figure."""
    return Chosen(rate, unit)


def way(number: int, rate: float, sines: bool, seed: int) -> State:
    """The layer trained in one of the three ways; the learning rate is Adam's."""
    lr = SMALL if number == 0 else LARGE if number == 1 else rate
    chosen = Settings(D, d, EXAMPLES, lr, STEPS, 1.0, 0.0)
    return trained(chosen, seed, number == 2, sines)


def found(settings: Chosen, seed: int) -> Readings:
    """Attention of the three layers on each group, (18,); accuracy on training and on test examples, (6,); how many of
    them have most of it on group 2; Adam's numbers; the lowest training accuracy.
    """
    attention, right, most, lowest = zeros(ROWS * D), zeros(2 * ROWS), 0.0, 1.0
    for k in range(ROWS):
        state = way(k, settings.rate, settings.unit == 0, 1 + seed)
        for i in range(D):
            attention[k * D + i] = on_group(state, i)
        right[2 * k] = state.accuracy
        right[2 * k + 1] = tested(state)
        most += 1.0 if attention[k * D + STAR] > 0.5 else 0.0
        lowest = min(lowest, state.accuracy)
    return {
        "attention": attention, "right": right, "most": [most], "lowest": [lowest], "adam": [attention[2 * D + STAR]],
        "test": [right[5]], "fit": [right[4]], "rate": [settings.rate], "seed": [float(1 + seed)],
    }  # fmt: skip


def picture() -> tuple[grid, grid]:
    """The accuracies, and attention by group."""
    return (
        grid(
            cells="found.right", rows=ROWS, columns=2, row_names=WAYS, column_names=("own", "new"), digits=2,
            columns_are="accuracy on", largest=1.0, root=False, idea="test", height=154,
            alt="Accuracies of the three layers: near one on their own examples, for all of them, less on new ones.",
        ),
        grid(
            cells="found.attention", rows=ROWS, columns=D, row_names=WAYS, columns_are="attention on group", digits=2,
            largest=1.0, root=False, idea="attention", height=154,
            alt="Attention of three layers on six groups. Only plain gradient descent has most of it on group 2.",
        ),
    )  # fmt: skip


def say() -> list[Say]:
    """How many have found the group, and what Adam does."""
    adam = "Adam puts {found.adam:2} of the attention on group 2; its accuracy on new examples is {found.test:2}."
    return [Say(adam)]


IDEA = Idea(
    "Adam fits its examples, and has less than half of its attention on the group.",
    greater=lambda drawn: float(drawn["found.right"][4]) - 0.95,
    than=lambda drawn: float(np.sum(drawn["found.attention"][13] > 0.5)),
    breaks={"unit": 1},
)
