"""Small figure `group_sparse-limit`: outputs swing, and attention is thrown off the group that decides.

Chapter `group_sparse`. Source: beyond arXiv 2504.08638. Above 16/(D (D + 1)) a step overshoots along what the value
vector reads of the positional encodings, which is the same in all outputs.
"""

from typing import Any, NamedTuple

from hal.figure import Idea, Line, Say, Slider, lines
from lib.models.group_sparse.textbook import STAR, Settings, on_group, output, start, step, take
from lib.portable.primitives import Readings, zeros
from lib.portable.vectors import filled, numbered
from lib.theory.group_sparse.portable import largest_rate

D = 6
EXAMPLES = 200
STEPS = 40
TITLE, TIME, OPENS = "How attention loses group 2", "swing.steps", 0.2
HINT = "Press Play: does attention come back?"
TALLEST = 510  # strips over the same steps
SLOW_REASON, DEFERRED_THEORY = "A layer is trained on 200 examples, and looked at after every step.", ("swing",)
SLIDERS = {"lr": Slider("Learning rate η", "no unit", 1.0, (0.05, 1.5), log=False)}


class Chosen(NamedTuple):
    """The learning rate, at D = 6, d = 2."""

    lr: float


def settings(lr: float) -> Chosen:
    """The settings of this figure."""
    return Chosen(lr)


def swing(settings: Chosen, seed: int) -> Readings:
    """After each of 40 steps (41,) the mean output for both labels, and the attention on group 2; even attention; the
    rate over its limit; the lowest attention, and the last.
    """
    state = start(Settings(D, 2, EXAMPLES, settings.lr, STEPS, 1.0, 0.0), seed)
    plus, minus, on = zeros(STEPS + 1), zeros(STEPS + 1), zeros(STEPS + 1)
    low, positive = 1.0, 0.0
    for i in range(EXAMPLES):
        positive += 1.0 if state.y[i] > 0.0 else 0.0
    for t in range(STEPS + 1):
        for i in range(EXAMPLES):
            f = output(state, take(state, state.tokens, i))
            if state.y[i] > 0.0:
                plus[t] += f / positive
            else:
                minus[t] += f / (float(EXAMPLES) - positive)
        step(state)
        on[t] = on_group(state, STAR)  # before the step
        low = min(low, on[t])
    steps = numbered(STEPS + 1)
    for t in range(STEPS + 1):
        steps[t] -= 1.0
    return {
        "steps": steps, "plus": plus, "minus": minus, "attention": on, "seed": [float(seed)],
        "even": filled(STEPS + 1, 1.0 / float(D)), "times": [settings.lr / largest_rate(D)], "low": [low],
        "last": [on[STEPS]],
    }  # fmt: skip


def picture() -> tuple[Any, Any]:
    """Two strips over the same steps."""

    def strip(title: str, ylabel: str, low: float | None, *series: Line) -> Any:
        return lines("swing.steps", series, xlabel="training time (steps)", ylabel=f"{ylabel} (no unit)", title=title,
                     ylim=(low, None), height=150, wide=True)  # fmt: skip

    return (
        strip("The answer f for each label", "mean of f", None,
              Line("swing.plus", "label +", idea="plus"), Line("swing.minus", "label −", idea="minus")),
        strip("Where it looks", "attention", 0.0,
              Line("swing.attention", "group 2", idea="attention"), Line("swing.even", "even", theory=True)),
    )  # fmt: skip


def say() -> list[Say]:
    """How far beyond the limit, and where attention goes."""
    times = "The learning rate is {swing.times:1} times the limit: attention "
    return [
        Say(times + "falls to {swing.low:2}, and ends at {swing.last:2}.", "swing.low < 0.15"),
        Say(times + "ends at {swing.last:2}."),
    ]


IDEA = Idea(
    "Within two steps attention loses two fifths of what it had.",
    greater=lambda drawn: float((1 - drawn["swing.attention"][2:] / drawn["swing.attention"][:-2]).max()),
    than=lambda drawn: 0.4,
    breaks={"lr": 0.2},
)
