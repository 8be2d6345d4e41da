"""Small figure `atlas-deaf`: the votes and the attention of Walks, trained by gradient descent and by sign descent.

Chapter `atlas`. Source: our own; Theorem 2.
"""

from typing import Any

import numpy as np

from hal.chapters.atlas.models import textbook_deaf
from hal.chapters.atlas.models.textbook_deaf import Settings
from hal.chapters.atlas.models.walks import LENGTH
from hal.figure import Idea, Line, Say, Slider, Spot, bars
from lib.portable.primitives import Readings, Vector
from lib.portable.vectors import largest, numbered, smallest

TITLE, HINT = "Sign steps ignore sizes", "Which of the two moves its attention?"
RUN, TIME, OPENS = textbook_deaf, "steps", 0.0
SLIDERS = {"less": Slider("Take the signs of the gradient", default=0, names={0: "as it is", 1: "minus its mean"})}

#: Words in the pictures.
PLACES = [
    Spot("law.parent", "law.high", [Say("parent →")]),
    Spot("law.first", "law.low", [Say("every other position", "law.less == 1")]),
]


def settings(less: int) -> Settings:
    """The run of this switch."""
    return Settings(float(less))


def law(settings: Settings) -> Readings:
    """Nodes and places; whether the mean leaves; where words stand."""
    return {
        "nodes": numbered(6), "places": numbered(LENGTH), "less": [settings.less], "parent": [LENGTH - 9.0],
        "first": [1.0], "high": [0.86], "low": [0.15],
    }  # fmt: skip


def run_metrics(sign_votes: Vector, gradient_looks: Vector, sign_looks: Vector) -> Readings:
    """At the end: the largest difference of the sign run's votes, and attention on the parent in per cent."""
    votes, at = sign_votes[len(sign_votes) - 6 :], len(sign_looks) - 2
    return {
        "apart": [largest(votes) - smallest(votes)], "heard": [100.0 * gradient_looks[at]],
        "deaf": [100.0 * sign_looks[at]],
    }  # fmt: skip


def panel(what: str, x: str, **labels: Any) -> Any:
    """One reading of both runs, side by side."""
    kinds = [("gradient", "output" if what == "votes" else "attention"), ("sign", "rival")]
    runs = [Line(f"{name}_{what}", f"{name} descent", idea=idea) for name, idea in kinds]
    return bars(x, runs, frames=True, height=170, **labels)


def picture() -> tuple[Any, Any]:
    """The votes and the attention of both runs."""
    return (
        panel("votes", "law.nodes", title="Votes for answer 1 (its neighbours: 2 and 6)", xlabel="node (number)",
              ylabel="vote (no unit)"),
        panel("looks", "law.places", title="Where attention looks", xlabel="position (number)",
              ylabel="attention (fraction)", ylim=(0, 1), spots=PLACES),
    )  # fmt: skip


def say() -> list[Say]:
    """What becomes of attention."""
    return [
        Say("Sign descent gives every node the same vote, and {deaf:0}% of its attention is on the parent; gradient "
            "descent has {heard:0}% there.", "law.less == 0"),
        Say("Now the votes differ, but attention still misses the parent: {deaf:0}% of it is there."),
    ]  # fmt: skip


IDEA = Idea(
    "The votes of sign descent are equal, those of gradient descent are not.",
    greater=lambda drawn: np.ptp(drawn["gradient_votes"][-1]),
    than=lambda drawn: np.ptp(drawn["sign_votes"][-1]) + 0.05,
    breaks={"less": 1},
)
