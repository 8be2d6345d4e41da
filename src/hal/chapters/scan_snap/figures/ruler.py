"""Small figure `scan_snap-ruler`: after the snap each further step of the same size takes ever longer.

Chapter `scan_snap`. Source: arXiv 2305.16380, Theorem 4, at the settings of its Figure 3 with the slower attention.
"""

from typing import NamedTuple

from hal.chapters.scan_snap.figures._shared import TABLE
from hal.chapters.scan_snap.theory.portable_beyond import fall_time
from hal.figure import Idea, Path, Say, Slider, points, sliders
from lib.portable.numbers import exp, log
from lib.portable.primitives import Readings, nan, zeros
from lib.theory.scan_snap.portable import logit_gap, operational_time, reduced_B, scan_end, snap_start

CLASSES = 10
LR_Y = 1.0
LR_Z = 0.5
C0 = 0.8
STEP = 0.1  # nats from mark to mark
MARKS = 24  # more than fit
DECADES = 8.0  # of steps, from the first on
POINTS = 121
TEN = log(10.0)
TITLE = "A ruler whose marks run away"
HINT = "One mark is 0.1 nats. Drag time: how far is the next one?"
SLIDERS = {
    "t": Slider("Time", "steps", 1000.0, (1.0, 1e6)),
    **sliders(TABLE, M=1000),
}


class Chosen(NamedTuple):
    """The settings of this figure."""

    t: float  # steps
    M: int  # outputs


def settings(t: float, M: int) -> Chosen:
    """Ten classes, one common token."""
    return Chosen(t, M)


def fall(t: float, M: int) -> float:
    """How far the common token has fallen, nats."""
    return reduced_B(operational_time(logit_gap(t, CLASSES, M, LR_Y), CLASSES, M, LR_Y, LR_Z), C0)


def ruler(settings: Chosen) -> Readings:
    """The fall over the decades of time; a mark at every 0.1 of it, from the axis to the curve; both transition
    times, the earlier one's post lower, as names stand left of the top; where time is; for the sentence how many
    steps a further 0.1 takes, over the time so far, in percent too."""
    t, M = settings.t, settings.M
    log_t, fallen, x, y = zeros(POINTS), zeros(POINTS), zeros(3 * MARKS), zeros(3 * MARKS)
    for i in range(POINTS):
        log_t[i] = DECADES * float(i) / float(POINTS - 1)
        fallen[i] = fall(exp(TEN * log_t[i]), M)
    for k in range(MARKS):
        high = STEP * float(k + 1)
        inside = high >= fallen[0] and high <= fallen[POINTS - 1]
        at = log(fall_time(high, CLASSES, M, LR_Y, LR_Z, C0)) / TEN if inside else nan
        x[3 * k] = at
        x[3 * k + 1] = at
        x[3 * k + 2] = nan
        y[3 * k + 1] = high
    now = fall(t, M)
    more = fall_time(now + STEP, CLASSES, M, LR_Y, LR_Z, C0) - t
    scan, snap = log(scan_end(CLASSES, M, LR_Y)) / TEN, log(snap_start(CLASSES, M, LR_Y)) / TEN
    return {
        "log_t": log_t, "fall": fallen, "mark_x": x, "mark_y": y, "scan_x": [scan, scan], "snap_x": [snap, snap],
        "scan_y": [0.0, 2.0], "snap_y": [0.0, 2.4], "at_x": [log(t) / TEN], "at_y": [now], "more": [more],
        "ratio": [more / t], "percent": [100.0 * more / t],
    }  # fmt: skip


def picture() -> points:
    """The fall over the logarithm of time, with its marks on the axis and both transition times."""
    return points(
        x="ruler.at_x", y="ruler.at_y", ideas=("attention",), xlim=(0.0, DECADES), ylim=(0.0, 2.5),
        xlabel="time, powers of ten of steps", ylabel="fall of the common token (nats)", height=240,
        lines=[
            Path("ruler.mark_x", "ruler.mark_y", "", idea="attention"),
            Path("ruler.log_t", "ruler.fall", "", idea="attention"),
            Path("ruler.scan_x", "ruler.scan_y", "t₀′", theory=True),
            Path("ruler.snap_x", "ruler.snap_y", "t₀", theory=True),
        ],
        alt="A curve rises over the powers of ten of time. Marks at equal gains are equally spaced before t₀′, and "
        "ever farther apart after t₀.",
    )  # fmt: skip


def say() -> list[Say]:
    """How long the next 0.1 takes."""
    takes = "From here a further mark takes {ruler.more} steps,"
    return [Say(f"{takes} {{ruler.ratio}} times as long as all before.", "ruler.ratio >= 1"),
            Say(f"{takes} {{ruler.percent}}% of the time so far.")]  # fmt: skip


def _around(log_t: list[float], here: float) -> float:
    """Powers of ten from the last mark before here to the next one."""
    return min(t for t in log_t if t > here) - max(t for t in log_t if t <= here)


IDEA = Idea(
    "From the last mark to the next one time grows more than fourfold.",
    greater=lambda drawn: _around(drawn["ruler.mark_x"].tolist(), drawn["ruler.at_x"][0]),
    than=lambda drawn: log(4.0) / TEN,
    breaks={"t": 30.0},
)
