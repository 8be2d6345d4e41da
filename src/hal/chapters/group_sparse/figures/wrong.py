"""Figure `group_sparse-wrong`: two layers learn from the same examples; both answer well, one by the wrong mechanism.

Chapter `group_sparse`. Source: beyond arXiv 2504.08638. With even attention the value's positions have curvature
D (D + 1)/8, so steps along them grow from the learning rate 16/(D (D + 1)) on.
"""

from typing import Any

from hal.chapters.group_sparse.figures._frames import right_or_even
from hal.chapters.group_sparse.figures._shared import TABLE
from hal.chapters.group_sparse.models import textbook_two
from hal.chapters.group_sparse.models.textbook_two import Both, Two
from hal.figure import Line, Say, Slider, Step, bars, over_steps, sliders, waiting
from lib.models.group_sparse.textbook import STAR, look, on_group
from lib.portable.primitives import Readings, Vector, floor, zeros
from lib.portable.vectors import numbered

STEPS = 100  # of a run, where its work allows
FEWEST = 20  # of a run that costs more
WORK = 8e7  # multiplications of both layers; a run ends where they are spent
TITLE, RUN, COLUMNS, RUNS, PRECOMPUTED_RUNS = "Which layer keeps group 2?", textbook_two, 2, 1, 1
SLOW_REASON = "Your browser trains both layers on all examples at every step."
SLIDERS = {
    "small": Slider("Small learning rate", "no unit", 0.3, (0.05, 3.0)),
    "large": Slider("Large learning rate", "no unit", 1.0, (0.05, 3.0)),
    "positions": Slider("The value vector reads positions", names={0: "no", 1: "yes"}, default=1),
    **sliders(TABLE, D=6, d=2, n=(200, 20, 300)),
}
PRIMARY_SLIDERS, COLLAPSED_PANELS, PACE, OPENS = ("small", "large"), 0, (0.25, 12), 0.15
LEFT, RIGHT, GOOD = "Small learning rate", "Large learning rate", "Right answers of both"


def settings(small: float, large: float, positions: int, D: int, d: int, n: int) -> Two:
    """The run of these sliders, as many steps as a page can take at once."""
    m = d + D
    steps = floor(WORK / float(4 * n * D * m * (m + D)))
    return Two(D, d, n, small, large, positions, max(FEWEST, min(STEPS, steps)))


def law(settings: Two) -> Readings:
    """The numbers of the groups (D,)."""
    return {"groups": numbered(settings.D)}


def probe(state: Both) -> Readings:
    """Of both layers the attention on each group (D,), and the share of right answers on new examples."""
    look(state.small)
    look(state.large)
    D = state.small.settings.D
    left, right = zeros(D), zeros(D)
    for i in range(D):
        left[i] = on_group(state.small, i)
        right[i] = on_group(state.large, i)
    return {
        "left": left, "right": right, "new_left": [right_or_even(state.small.test, state.small)],
        "new_right": [right_or_even(state.large.test, state.large)],
        "at_left": [left[STAR]], "at_right": [right[STAR]],
    }  # fmt: skip


def run_metrics(at_left: Vector, at_right: Vector, new_left: Vector, new_right: Vector) -> Readings:
    """Of one run, at its end: attention on the group, and right answers on new examples in per cent, of both layers."""
    last = len(at_left) - 1
    return {
        "at_left": [at_left[last]], "at_right": [at_right[last]], "new_left": [100.0 * new_left[last]],
        "new_right": [100.0 * new_right[last]],
    }  # fmt: skip


def panels() -> list[Any]:
    """For each layer its attention on the groups; the right answers of both."""

    def looks(name: str, title: str) -> Any:
        shares = [Line(name, "attention", idea="attention")]
        return bars("law.groups", shares, frames=True, xlabel="group (2 decides)", ylabel="attention (no unit)",
                    title=title, ylim=(0, 1), height=140)  # fmt: skip

    right = Line("new_left", "small rate", idea="test"), Line("new_right", "large rate", idea="rival")
    return [
        looks("left", LEFT), looks("right", RIGHT),
        over_steps(GOOD, "accuracy on new examples (no unit)", *right, ylim=(0.4, 1.02), height=130, wide=True),
    ]  # fmt: skip


READING = [
    [*waiting(), Say("Right on new examples: {new_left:0}% (small rate), {new_right:0}% (large rate).")],
    [
        Say("Only the first layer looks mostly at group 2.", "at_left > 0.5", "at_right <= 0.5"),
        Say("Both layers look mostly at group 2.", "at_left > 0.5", "at_right > 0.5"),
        Say("Only the second layer looks mostly at group 2.", "at_right > 0.5"),
        Say("Neither layer looks mostly at group 2.", "at_left <= 0.5", "at_right <= 0.5"),
    ],
]
TOUR = [
    Step("At first both layers give group 2 more attention than any other.", time=9, point=RIGHT),
    Step("At step 11 the layer with the large learning rate has almost lost group 2.", time=11, point=RIGHT),
    Step("At the end its answers are nearly always right all the same.", point=GOOD),
    Step("If the value vector cannot read positions, both layers find group 2.", positions=0, point=RIGHT),
]
