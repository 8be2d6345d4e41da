"""Small figure `group_sparse-cures`: gradient descent and Adam on the same examples, and where each looks.

Chapter `group_sparse`. Source: beyond arXiv 2504.08638: D = 6 groups of d = 2 variables, 200 examples, 100 steps.
"""

from typing import NamedTuple

from hal.chapters.group_sparse.models.ways import trained
from hal.figure import Idea, Say, Slider, grid
from lib.models.group_sparse.textbook import Settings, State, on_group, tested
from lib.portable.primitives import Readings, zeros

D = 6
d = 2
EXAMPLES = 200
STEPS = 100
LR = 0.3  # of gradient descent
ROWS = 3
WAYS = ("gradient descent", "Adam, pages as sines", "Adam, pages as unit vectors")
TITLE = "Which optimiser finds group 2?"
HINT = "Change Adam's learning rate."
AGAIN = "Other examples"
SLOW_REASON = "Three layers are trained on 200 examples; 200 new ones measure their accuracy."
DEFERRED_THEORY = ("found",)
SLIDERS = {
    "rate": Slider("Learning rate of Adam", "no unit", 0.02, (0.01, 0.3), log=True),
}


class Chosen(NamedTuple):
    """Adam's learning rate."""

    rate: float


def settings(rate: float) -> Chosen:
    """The settings of this figure."""
    return Chosen(rate)


def way(number: int, rate: float, seed: int) -> State:
    """The layer trained in one of the three ways; the learning rate is Adam's."""
    chosen = Settings(D, d, EXAMPLES, LR if number == 0 else rate, STEPS, 1.0, 0.0)
    return trained(chosen, seed, number > 0, number < 2)


def found(settings: Chosen, seed: int) -> Readings:
    """Attention of the three layers on each group, (18,); the lowest accuracy on training examples; those on new ones,
    in per cent; the seed of the examples.
    """
    attention, right, lowest = zeros(ROWS * D), zeros(ROWS), 1.0
    for k in range(ROWS):
        state = way(k, settings.rate, 1 + seed)
        for i in range(D):
            attention[k * D + i] = on_group(state, i)
        right[k] = 100.0 * tested(state)
        lowest = min(lowest, state.accuracy)
    return {
        "attention": attention, "lowest": [lowest], "descent": [right[0]], "sines": [right[1]], "unit": [right[2]],
        "seed": [float(1 + seed)],
    }  # fmt: skip


def picture() -> grid:
    """Attention by group."""
    return grid(
        cells="found.attention", rows=ROWS, columns=D, row_names=WAYS, columns_are="attention on group", digits=2,
        largest=1.0, root=False, square=False, idea="attention", height=154,
        alt="Attention of three layers on six groups. Adam with sines has less than half of it on group 2.",
    )  # fmt: skip


def say() -> list[Say]:
    """How often each is right."""
    ways = "gradient descent {found.descent:0}%; Adam {found.sines:0}% with sines, {found.unit:0}% with unit vectors."
    return [Say("Right on new examples: " + ways)]


IDEA = Idea(
    "With sines Adam has less than half of its attention on the group.",
    greater=lambda drawn: 0.5,
    than=lambda drawn: float(drawn["found.attention"][7]),
    breaks={"rate": 0.3},
)
