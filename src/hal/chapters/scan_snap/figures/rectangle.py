"""Small figure `scan_snap-rectangle`: what reaches attention is the area of a rectangle, what is known times what errs.

Chapter `scan_snap`. Source: arXiv 2305.16380, Theorem 1 and Lemmas 3, 5 and 6.
"""

from typing import NamedTuple

from hal.chapters.scan_snap.figures._shared import TABLE
from hal.chapters.scan_snap.theory.portable_beyond import peak_gap
from hal.figure import Idea, Mark, Say, Slider, area, sliders
from lib.portable.numbers import exp, log
from lib.portable.primitives import Readings, zeros
from lib.theory.scan_snap.portable import knowledge, logit_gap, residual, scan_end, snap_start, speed

CLASSES = 2
EARLIEST = 0.3  # steps
LATEST = 1e5
POINTS = 101
TITLE = "Attention’s speed is knowledge × error"
HINT = "Drag the corner."
TALLEST = 440  # the hill of the area stands beside the rectangle, with its own axis
SLIDERS = {
    "t": Slider("Time", "steps", 7.0, (EARLIEST, LATEST), hidden=True),
    **sliders(TABLE, M=34, lr_Y=1.0),
}


class Chosen(NamedTuple):
    """The settings of this figure."""

    t: float  # steps
    M: int  # outputs
    lr_Y: float


def settings(t: float, M: int, lr_Y: float) -> Chosen:
    """Two classes."""
    return Chosen(t, M, lr_Y)


def clock(settings: Chosen) -> Readings:
    """What the decoder knows (nats) and how often it errs, over the times `track` and now; both transition times; for
    the sentence the area now and over the largest, the errors in percent, and whether the largest is still to come."""
    M, lr_Y = settings.M, settings.lr_Y
    track, knows, errs = zeros(POINTS), zeros(POINTS), zeros(POINTS)
    for i in range(POINTS):
        track[i] = EARLIEST * exp(log(LATEST / EARLIEST) * float(i) / float(POINTS - 1))
        gap = logit_gap(track[i], CLASSES, M, lr_Y)
        knows[i] = knowledge(gap, M)
        errs[i] = residual(gap, M)
    x, peak = logit_gap(settings.t, CLASSES, M, lr_Y), peak_gap(M)
    nats, wrong, now = knowledge(x, M), residual(x, M), speed(x, M)
    return {
        "track": track, "knows": knows, "errs": errs, "here": [nats, wrong], "scan": [scan_end(CLASSES, M, lr_Y)],
        "snap": [snap_start(CLASSES, M, lr_Y)], "nats": [nats], "percent": [100.0 * wrong], "area": [now],
        "share": [now / speed(peak, M)], "early": [1.0 if x < peak else 0.0],
    }  # fmt: skip


def picture() -> area:
    """The rectangle under the curve of its corners, and the hill of its area."""
    return area(
        x="clock.knows", y="clock.errs", track="clock.track", here="clock.here", corner="t",
        marks=[Mark("clock.scan", "t₀′"), Mark("clock.snap", "t₀")], highest=1.0, xlabel="how much it knows (nats)",
        ylabel="how often it is wrong", track_is="training time (steps)",
        area_is="attention’s speed, γ", now_is="step",
        alt="A rectangle under a curve that stays high and then falls; its area over time is a hill with one top.",
    )  # fmt: skip


def say() -> list[Say]:
    """Both sides, the area, and where that stands beside the largest."""
    wrong = "gives wrong words {clock.percent}% of the probability"
    sides = f"It knows {{clock.nats}} nats and {wrong}: an area of {{clock.area}}"
    always = "It knows {clock.nats} nats and is nearly always wrong: an area of {clock.area}"
    return [
        Say(f"{always}. It has little to say yet.", "clock.percent > 99.9", "clock.share < 0.5"),
        Say(f"{always}, and growing.", "clock.percent > 99.9"),
        Say(f"{sides}, near the largest.", "clock.share >= 0.9"),
        Say(f"{sides}. It has little to say yet.", "clock.early == 1", "clock.share < 0.5"),
        Say(f"{sides}, and growing.", "clock.early == 1"),
        Say("It knows {clock.nats} nats and is hardly ever wrong: an area of {clock.area}.", "clock.percent < 2"),
        Say(f"{sides}, and falling."),
    ]


IDEA = Idea(
    "The area is large near its peak only: at both ends it is less than a tenth of the largest.",
    greater=lambda drawn: 0.1 * max(drawn["clock.knows"] * drawn["clock.errs"]),
    than=lambda drawn: max((drawn["clock.knows"] * drawn["clock.errs"])[[0, -1]]),
    breaks={"lr_Y": 20.0},
)
