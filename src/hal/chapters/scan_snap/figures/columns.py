"""Small figure `scan_snap-columns`: all distinct tokens of a class sink by one amount, so the shortest column wins.

Chapter `scan_snap`. Source: arXiv 2305.16380, Theorem 3; in joint flow it is our own measurement.
"""

from typing import NamedTuple

from hal.chapters.scan_snap.runs.distinct import distinct_path
from hal.explorer import Idea, Say, Slider, columns
from lib.models.scan_snap.textbook_flow import Settings
from lib.models.scan_snap.textbook_kinds import DISTINCT, token_kinds
from lib.portable.primitives import Readings, zeros
from lib.portable.vectors import column_of, part
from lib.theory.scan_snap.portable_columns import column, shares_of_distinct, sunk_by

TOKENS = 10  # distinct ones of each class
COURSE = 34  # places at which the ground is known for the hand that drags it
TITLE = "All columns sink, the shortest wins"
HINT = "Drag the ground up: that is time."
TALLEST = 440  # discs of attention stand over the columns
SLIDERS = {
    "t": Slider("Time", "steps", 100.0, (0.3, 100_000.0)),
    "joint": Slider("Dynamics", default=0, names={0: "reference", 1: "joint"}),
}


class Chosen(NamedTuple):
    """What is chosen."""

    t: float  # steps
    joint: int  # 1 where both layers learn at once


def settings(t: float, joint: int) -> Chosen:
    """Two classes with a query each, ten common and ten distinct tokens, 34 outputs, both rates 1."""
    return Chosen(t, joint)


def sinking(settings: Chosen) -> Readings:
    """Heights of the columns at the start and of the ground under each, shares of attention on distinct tokens; the
    ground under the shortest column at the times `track`, as `rise`; single numbers for the sentence."""
    chances = part(token_kinds(10, 1.0, TOKENS, 0.1, 0.0, 1.0).law, DISTINCT, TOKENS)
    t = settings.t
    now = Settings(2, 1, 34, 10, 1.0, TOKENS, 0.1, 0.0, 1.0, 1.0, 1.0, 0.5 * t, t, 2)
    course = Settings(2, 1, 34, 10, 1.0, TOKENS, 0.1, 0.0, 1.0, 1.0, 1.0, 0.3, 1e5, COURSE)
    both = distinct_path(now, settings.joint)
    z = part(both[1], 1, TOKENS)
    path, rise = distinct_path(course, settings.joint), zeros(COURSE)
    heights, floors, last = zeros(TOKENS), zeros(TOKENS), TOKENS - 1
    for i in range(COURSE):
        rise[i] = sunk_by(chances[last], path[i][TOKENS])
    for j in range(TOKENS):
        heights[j] = column(chances[j])
        floors[j] = sunk_by(chances[j], z[j])
    shares = shares_of_distinct(chances, z)
    return {
        "heights": heights, "floors": floors, "shares": shares, "rise": rise, "track": column_of(path, 0),
        "leader": [floors[last]], "rarest": [floors[0]], "left": [heights[last] - floors[last]],
        "percent": [100.0 * shares[last]], "alike": [1.05 * floors[last]], "joint": [float(settings.joint)],
    }  # fmt: skip


def picture() -> columns:
    """Ten columns in the ground, rarest on the left, and discs of attention."""
    return columns(
        heights="sinking.heights", floors="sinking.floors", discs="sinking.shares",
        discs_are="attention",
        rise="sinking.rise", track="sinking.track", line="t", line_is="the ground has risen under all of them by",
        names=("rarest", "2", "3", "4", "5", "6", "7", "8", "9", "leader"), ideas=("distinct",),
        ylabel="1/c̃², less the ground", ylim=(0.0, 740.0), height=300,
        alt="Ten columns, the rarest token's far taller than the picture; a level ground covers nearly all of the "
            "shortest, which has the largest disc.",
    )  # fmt: skip


def say() -> list[Say]:
    """By how much all have sunk, and what the leader has."""
    token = "its token {sinking.percent}% of attention on distinct ones."
    both = "The rarest has sunk by {sinking.rarest}, the most frequent by"
    return [
        Say(f"Every column has sunk by {{sinking.leader}}: the shortest has {{sinking.left}} left, and {token}",
            "sinking.joint == 0"),
        Say(f"{both} {{sinking.leader}}: the decoder remembers. The leader has {{sinking.percent}}%.",
            "sinking.rarest > sinking.alike"),
        Say(f"{both} nearly the same, {{sinking.leader}}. The leader has {{sinking.percent}}%."),
    ]  # fmt: skip


IDEA = Idea(
    "Every column has sunk by the same amount, to one part in ten thousand.",
    greater=lambda drawn: 1e-4 * max(drawn["sinking.floors"]),
    than=lambda drawn: max(drawn["sinking.floors"]) - min(drawn["sinking.floors"]),
    breaks={"joint": 1},
)
