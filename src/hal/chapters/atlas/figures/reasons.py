"""Small figure `atlas-reasons`: right answers over attention on the right place, of runs that are right for one reason
or another.

Chapter `atlas`. Source: our own; recorded paths, means of four runs.
"""

from typing import NamedTuple

from hal.figure import Idea, Path, Say, Slider, plane
from hal.figure.scenes import Plane
from lib.portable.primitives import Matrix, Readings, recorded

#: A test holds these to `runs.reasons.RUNS`. Attention and accuracy at the records of a run as its chapter trains it,
#: then of one that is right for another reason.
SENTENCES = recorded(Matrix, "hal/chapters/atlas/recorded.json", "reasons.Sentences")
GROUPS = recorded(Matrix, "hal/chapters/atlas/recorded.json", "reasons.Groups")
WALKS = recorded(Matrix, "hal/chapters/atlas/recorded.json", "reasons.Walks")
TITLE, HINT = "Equally right, looking elsewhere", "Choose a task: where does each run end?"
TALLEST = 440  # a square picture
SLIDERS = {"task": Slider("Task", default=2, names={0: "Sentences", 1: "Groups", 2: "Walks"})}


class Chosen(NamedTuple):
    """The task."""

    task: int


def settings(task: int) -> Chosen:
    """The task."""
    return Chosen(task)


def paths(settings: Chosen) -> Readings:
    """Attention and accuracy of both runs (K,) each, and the corner of right answers with attention elsewhere; for the
    sentence the last of each in per cent."""
    told = SENTENCES if settings.task == 0 else GROUPS if settings.task == 1 else WALKS
    last = len(told[0]) - 1
    return {
        "seen": told[0], "right": told[1], "other_seen": told[2], "other_right": told[3],
        "across": [0.0, 0.5, 0.5], "up": [0.9, 0.9, 1.05], "end": [100.0 * told[0][last]],
        "other_end": [100.0 * told[2][last]], "score": [100.0 * told[3][last]], "task": [float(settings.task)],
    }  # fmt: skip


def picture() -> Plane:
    """The paths of both runs."""
    return plane(
        [
            Path("paths.seen", "paths.right", "as in its chapter", idea="first"),
            Path("paths.other_seen", "paths.other_right", "for the wrong reason", idea="second"),
        ],
        curves=[Path("paths.across", "paths.up", "top left of the lines: right, but looking elsewhere")],
        xlabel="attention on the right place (share)", ylabel="right answers (share of the best)",
        title="From the start of training to its end", xlim=(0, 1.05), ylim=(0, 1.05), equal=False, height=260,
    )  # fmt: skip


_ENDS = "ends with {paths.other_end:0}% of its attention on the right place, the chapter’s own run with {paths.end:0}%."


def say() -> list[Say]:
    """Which run that is, and where both end."""
    return [
        Say("The run whose attention is frozen " + _ENDS, "paths.task == 0"),
        Say("The run with Adam in both layers " + _ENDS, "paths.task == 1"),
        Say("The run on deterministic walks " + _ENDS),
    ]


IDEA = Idea(
    "The other run is about as right, with its attention elsewhere.",
    greater=lambda drawn: drawn["paths.seen"].flat[-1] - drawn["paths.other_seen"].flat[-1],
    than=lambda drawn: 0.6 + abs(drawn["paths.right"].flat[-1] - drawn["paths.other_right"].flat[-1]),
    breaks={"task": 0},
)
