"""Small figure `group_sparse-votes`: how well each group's vote fits the label, and where the layer looks.

Chapter `group_sparse`. Source: the gradient of arXiv 2504.08638, Section 2; a push is vote minus mean vote.
"""

from typing import NamedTuple

from hal.figure import Idea, Say, Slider, columns
from hal.figure.objects import Columns
from lib.models.group_sparse.textbook import STAR, Settings, look, on_group, output, start, step, take
from lib.portable.primitives import Readings, zeros

D = 6
EXAMPLES = 200
FRAMES = 19  # one a step, and one before the first
TITLE, TIME, SAYS_NOW, PACE = "What makes attention move?", "run.steps", True, (1.0, 4)
HINT = "Press Play: which side moves first?"
SLOW_REASON = "Every step reads the votes of 200 examples."
DEFERRED_THEORY = ("run",)
SLIDERS = {"lr": Slider("Learning rate", "no unit", 0.3, (0.02, 0.38), log=True)}


class Chosen(NamedTuple):
    """The learning rate."""

    lr: float


def settings(lr: float) -> Chosen:
    """The settings of this figure."""
    return Chosen(lr)


def run(settings: Chosen) -> Readings:
    """Before and after each of 18 steps the groups' votes times the label, mean over 200 examples, and the attention on
    them, (19 x 6,); the mean vote, (19,); which group decides; its vote, and its attention in per cent.
    """
    state = start(Settings(D, 2, EXAMPLES, settings.lr, FRAMES - 1, 1.0, 0.0), 0)
    steps, mean, own, share, decides = zeros(FRAMES), zeros(FRAMES), zeros(FRAMES), zeros(FRAMES), zeros(D)
    votes, attention = zeros(FRAMES * D), zeros(FRAMES * D)
    decides[STAR] = 1.0
    for k in range(FRAMES):
        if k > 0:
            step(state)
        look(state)
        steps[k] = float(k)
        for i in range(D):
            attention[k * D + i] = on_group(state, i)
        for one in range(EXAMPLES):
            weight = state.y[one] / float(EXAMPLES)
            mean[k] += weight * output(state, take(state, state.tokens, one)) / float(D)
            for i in range(D):
                votes[k * D + i] += weight * state.u[i]
        own[k], share[k] = votes[k * D + STAR], 100.0 * attention[k * D + STAR]
    return {
        "steps": steps, "votes": votes, "mean": mean, "attention": attention, "decides": decides, "own": own,
        "share": share,
    }  # fmt: skip


def picture() -> tuple[Columns, Columns]:
    """Votes with their average, and attention."""
    names = ("group 1", "2", "3", "4", "5", "6")
    return (
        columns(
            heights="run.votes", kinds="run.decides", level="run.mean", line_is="average vote", told=2,
            ylim=(-0.2, 0.8), ylabel="vote for the right label", names=names, height=230, ideas=("#9aa3ad", "output"),
            alt="Six bars, one a group: how well its vote fits the label. That of group 2 is above the average.",
            frames=True,
        ),
        columns(
            heights="run.attention", told=2, ylim=(0.0, 1.0), ylabel="attention", names=names,
            height=230, ideas=("attention",), frames=True,
            alt="Six bars, one a group: the attention on it. That of group 2 is the highest.",
        ),
    )  # fmt: skip


def say() -> list[Say]:
    """Which side has moved."""
    return [
        Say("Step 0: all votes are 0, so none is above the average. Attention is even.", "run.steps == 0"),
        Say("Step 1: the vote of group 2 is above the average. Attention is still even.", "run.steps == 1"),
        Say("Step {run.steps:0}: the vote of group 2 is above the average; it has {run.share:0}% of the attention."),
    ]


IDEA = Idea(
    "In the end group 2, whose vote is above the average, has twice an even share of attention.",
    greater=lambda drawn: drawn["run.attention"][-5] * (drawn["run.votes"][-5] > drawn["run.mean"][-1]),
    than=lambda drawn: 1 / 3,
    breaks={"lr": 0.02},
)
