"""Small figure `atlas-reasons`: right answers and attention on the right place, of two runs that are equally right.

Chapter `atlas`. Source: our own; recorded ends, means of four runs.
"""

from typing import NamedTuple

from hal.figure import Idea, Say, Slider, columns
from hal.figure.objects import Columns
from lib.portable.primitives import Matrix, Readings, recorded

#: A test holds these to `runs.reasons.RUNS`. Attention and accuracy at the end of a run as its chapter trains it, and
#: of one that is right for another reason.
SENTENCES = recorded(Matrix, "hal/chapters/atlas/recorded.json", "reasons.Sentences")
GROUPS = recorded(Matrix, "hal/chapters/atlas/recorded.json", "reasons.Groups")
WALKS = recorded(Matrix, "hal/chapters/atlas/recorded.json", "reasons.Walks")
TITLE, HINT = "Equally right, looking elsewhere", "Choose a task: where does the other run look?"
SLIDERS = {"task": Slider("Task", default=0, names={0: "Walks", 1: "Groups", 2: "Sentences"})}


class Chosen(NamedTuple):
    """The task."""

    task: int


def settings(task: int) -> Chosen:
    """The task."""
    return Chosen(task)


def ends(settings: Chosen) -> Readings:
    """Right answers and attention of both runs, (2,) each in per cent, and the colours of the two."""
    told = WALKS if settings.task == 0 else GROUPS if settings.task == 1 else SENTENCES
    return {
        "right": [100.0 * told[0][1], 100.0 * told[1][1]], "seen": [100.0 * told[0][0], 100.0 * told[1][0]],
        "kinds": [0.0, 1.0], "own": [100.0 * told[0][0]], "other": [100.0 * told[1][0]], "task": [float(settings.task)],
    }  # fmt: skip


def panel(heights: str, idea: str, ylabel: str, alt: str) -> Columns:
    """A bar for each run."""
    return columns(
        heights=heights, kinds="ends.kinds", ideas=(idea, "rival"), ylim=(0, 110), ylabel=ylabel, height=180,
        names=("chapter’s run", "other run"), alt=alt,
    )  # fmt: skip


def picture() -> tuple[Columns, Columns]:
    """The answers, and the attention behind them."""
    return (
        panel("ends.right", "output", "right answers, % of what is possible", "Two columns of nearly the same height."),
        panel("ends.seen", "attention", "attention on the right place, %", "A column, and one far lower."),
    )


def say() -> list[Say]:
    """Which run the other is, and where it looks."""
    looks = "has {ends.other:0}% of its attention on the right place, the chapter’s own run {ends.own:0}%."
    return [
        Say("The other run, on deterministic walks, " + looks, "ends.task == 0"),
        Say("The other run, trained by Adam, " + looks, "ends.task == 1"),
        Say("The other run, with frozen attention, " + looks),
    ]


IDEA = Idea(
    "The other run is about as right, with its attention elsewhere.",
    greater=lambda drawn: drawn["ends.seen"][0] - drawn["ends.seen"][1],
    than=lambda drawn: 40.0 + abs(drawn["ends.right"][0] - drawn["ends.right"][1]),
    breaks={"task": 2},
)
