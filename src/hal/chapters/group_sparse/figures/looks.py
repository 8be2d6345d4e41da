"""Small figure `group_sparse-looks`: an example of each label, where the layer looks, and what each group votes.

Chapter `group_sparse`. Source: beyond arXiv 2504.08638: D = 6 groups of d = 2 variables, 200 examples. A vote
is v'h, of numbers and position together; attention is the mean over the queries, so that the sum of attention times
vote, the area of the bars, is the output over D.
"""

from typing import NamedTuple

from hal.figure import Idea, Say, Slider, columns
from hal.figure.objects import Columns
from lib.models.group_sparse.textbook import STAR, Settings, State, output, start, step, take
from lib.portable.primitives import Readings, Vector, zeros
from lib.portable.vectors import dot

D = 6
STEPS = 100
TITLE, TALLEST = "Same votes: why different answers?", 450  # two pictures over two choices
HINT = "Group 2 is blue. Compare heights, then widths. Then swap the attention."
SLOW_REASON = "The layer is trained on 200 examples before it reads the two new ones."
DEFERRED_THEORY = ("trained",)
SLIDERS = {
    "swap": Slider("Attention", default=0, names={0: "as trained", 1: "swapped"}),
    "small": Slider("Learning rate", default=0, names={0: "large, 1", 1: "small, 0.3"}),
}


class Chosen(NamedTuple):
    """Whether the two examples swap their attention; the learning rate."""

    swap: int
    lr: float


def settings(swap: int, small: int) -> Chosen:
    """The settings of this figure."""
    return Chosen(swap, 0.3 if small == 1 else 1.0)


def read(state: State, y: float, attention: Vector, votes: Vector) -> None:
    """Attention and votes of the first new example with this label."""
    first = 0
    while state.fresh_y[first] != y:
        first += 1
    output(state, take(state, state.fresh, first))
    for i in range(D):
        votes[i] = state.u[i]
        for j in range(D):
            attention[i] += state.S[j][i] / float(D)


def trained(settings: Chosen) -> Readings:
    """Of the trained layer attention and votes of both examples, (6,), and their sums; which group decides; whether
    the examples swap their attention.
    """
    state = start(Settings(D, 2, 200, settings.lr, STEPS, 1.0, 0.0), 0)
    looks, votes, other_looks, other_votes, decides = zeros(D), zeros(D), zeros(D), zeros(D), zeros(D)
    decides[STAR] = 1.0
    for _ in range(STEPS):
        step(state)
    read(state, 1.0, looks, votes)
    read(state, -1.0, other_looks, other_votes)
    if settings.swap == 1:
        looks, other_looks = other_looks, looks
    return {
        "plus_attention": looks, "plus_votes": votes, "plus_sum": [dot(looks, votes)], "decides": decides,
        "minus_attention": other_looks, "minus_votes": other_votes, "minus_sum": [dot(other_looks, other_votes)],
        "swap": [float(settings.swap)],
    }  # fmt: skip


def picture() -> tuple[Columns, Columns]:
    """The examples side by side."""

    def example(name: str, label: str, alt: str) -> Columns:
        return columns(
            heights=f"trained.{name}_votes", widths=f"trained.{name}_attention", kinds="trained.decides",
            level=f"trained.{name}_sum", answers=("answer −", "answer +"), told=2, ylim=(-6.0, 3.0),
            ylabel=f"label {label}: bar height is vote, width is attention", line_is=f"true label {label}",
            height=260, ideas=("#9aa3ad", "output"), alt=alt,
        )  # fmt: skip

    return (
        example("plus", "+", "Six bars: the example whose label is +. A line is the sum of their areas."),
        example("minus", "−", "Six bars: the example whose label is −. A line is the sum of their areas."),
    )


def say() -> list[Say]:
    """What the answers are."""
    ways = [
        ("both answers are right.", "trained.plus_sum > 0", "trained.minus_sum < 0"),
        ("both answers are wrong.", "trained.plus_sum < 0", "trained.minus_sum > 0"),
        ("both answers are +.", "trained.plus_sum > 0"), ("both answers are −.",),
    ]  # fmt: skip
    return [
        Say(f"Attention {what}: {text}", f"trained.swap == {k}", *when)
        for k, what in enumerate(("as trained", "swapped"))
        for text, *when in ways
    ]


IDEA = Idea(
    "With the same votes, the example with the label − looks at group 2 twice as much as the other.",
    greater=lambda drawn: drawn["trained.minus_attention"][1],
    than=lambda drawn: 2.0 * drawn["trained.plus_attention"][1],
    breaks={"small": 1},
)
