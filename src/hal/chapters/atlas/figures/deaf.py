"""Small figure `atlas-deaf`: the votes and the attention of Walks, trained by gradient descent and by sign descent.

Chapter `atlas`. Source: our own; Theorem 2.
"""

from typing import Any

import numpy as np

from hal.chapters.atlas.models import textbook_deaf
from hal.chapters.atlas.models.textbook_deaf import Settings
from hal.figure import Idea, Line, Say, Slider, bars, over_steps
from lib.portable.primitives import Readings, Vector
from lib.portable.vectors import numbered

TITLE, HINT = "Which run finds the last node?", "Press Play."
RUN, TIME, OPENS = textbook_deaf, "steps", 0.55
LESS = Slider("Signs of the gradient", default=0, names={0: "as it is", 1: "minus its mean"}, hidden=True)
SLIDERS = {"less": LESS}


def settings(less: int) -> Settings:
    """The run of this switch."""
    return Settings(float(less))


def law(settings: Settings) -> Readings:
    """The nodes; whether the mean leaves."""
    return {"nodes": numbered(6), "less": [settings.less]}


def run_metrics(gradient_parent: Vector, sign_parent: Vector) -> Readings:
    """Attention on the parent at the end, in per cent."""
    at = len(sign_parent) - 1
    return {"heard": [100.0 * gradient_parent[at]], "deaf": [100.0 * sign_parent[at]]}


def picture() -> tuple[Any, Any]:
    """The votes and the attention of both runs."""
    votes, parent = (
        [
            Line(f"{run}_{what}", f"{run} descent", idea=idea)
            for run, idea in (("gradient", "first"), ("sign", "second"))
        ]
        for what in ("votes", "parent")
    )
    return (
        bars("law.nodes", votes, frames=True, height=170, title="Answers for “next node 1” (it follows 2 or 6)",
             xlabel="node (number)", ylabel="answer (no unit)"),
        over_steps("Where does each run look?", "share on the last node (fraction)", *parent, ylim=(0, 1), height=170),
    )  # fmt: skip


def say() -> list[Say]:
    """What becomes of attention."""
    return [
        Say("Sign descent gives every node the same answer and puts {deaf:0}% of its attention on the last node; "
            "gradient descent has {heard:0}% there.", "law.less == 0"),
        Say("Now the answers differ, but attention still misses the last node: {deaf:0}% of it is there."),
    ]  # fmt: skip


IDEA = Idea(
    "The votes of sign descent are equal, those of gradient descent are not.",
    greater=lambda drawn: np.ptp(drawn["gradient_votes"][-1]),
    than=lambda drawn: np.ptp(drawn["sign_votes"][-1]) + 0.05,
    breaks={"less": 1},
)
