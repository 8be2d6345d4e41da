"""Explorer `scan_snap-snap`: scan and snap over the logarithm of time, reference dynamics beside the joint flow.

Chapter `scan_snap`. Source: arXiv 2305.16380, Theorems 1, 2 and 4, Lemmas 8 and 9. The page computes all of it.
"""

from __future__ import annotations

from typing import Any

from lib.chapters.scan_snap.explorers._shared import TIME_LABEL, sliders
from lib.explorer import Computed, Line, Mark, Say, Step, bars, lines
from lib.models.scan_snap import textbook_flow
from lib.models.scan_snap.textbook_flow import Settings, record_times
from lib.models.scan_snap.textbook_kinds import COMMON, DISTINCT, token_kinds
from lib.portable.numbers import exp, log
from lib.portable.primitives import Readings, Vector, nan, zeros
from lib.portable.small import log1p
from lib.theory.scan_snap.portable import logit_gap, residual, scan_end, snap_start, speed
from lib.theory.scan_snap.portable_reference import Reference, column, own_entropy, reference_path, row_speed

TOKENS = 10  # distinct ones of each class
TOLERANCE = 1e-5  # of the reference dynamics, a step


def settings(M: int, K: int, common: int, lr_Y: float, lr_Z: float, shared: int) -> Settings:
    """Infinitely long sequences, both layers from zero, five decades of time."""
    sharing = K if shared == 1 else 1
    return Settings(K, sharing, M, common, 1.0, TOKENS, 0.1, 0.0, 1.0, lr_Y, lr_Z, 0.3, 1e5, 67)


def times(settings: Settings) -> Readings:
    """When the flow is recorded, the ranks of the bars, the two transition times, and whether anything can move."""
    rank, one = zeros(TOKENS + 1), zeros(TOKENS + 1)
    for i in range(TOKENS + 1):
        rank[i] = float(i)
        one[i] = 1.0
    return {
        "steps": record_times(settings),
        "rank": rank,
        "one": one,
        "scan": [scan_end(settings.K, settings.M, settings.lr_Y)],
        "snap": [snap_start(settings.K, settings.M, settings.lr_Y)],
        "common": [float(settings.common)],
    }


def clock(settings: Settings) -> Readings:
    """The speed coefficient gamma and its two factors: what the decoder knows, and how often it errs."""
    t = record_times(settings)
    knows, errs, gamma = zeros(len(t)), zeros(len(t)), zeros(len(t))
    for i in range(len(t)):
        x = logit_gap(t[i], settings.K, settings.M, settings.lr_Y)
        knows[i] = (float(settings.M) - 1.0) / float(settings.M) * x
        errs[i] = residual(x, settings.M)
        gamma[i] = speed(x, settings.M)
    return {"knows": knows, "errs": errs, "gamma": gamma}


def reference(settings: Settings) -> Readings:
    """The reference dynamics: logits of the most frequent distinct and of a common token, speed, entropy, loss."""
    kinds = token_kinds(settings.common, 1.0, TOKENS, 0.1, 0.0, 1.0)
    S = len(kinds.law)
    task = Reference(kinds.law, kinds.many, kinds.twin, settings.K, settings.M, settings.sharing, zeros(S))
    t = record_times(settings)
    path = reference_path(task, settings.lr_Y, settings.lr_Z, t, TOLERANCE)
    loss, entropy, moves, common = zeros(len(t)), zeros(len(t)), zeros(len(t)), column(path, COMMON)
    for i in range(len(t)):
        x = logit_gap(t[i], settings.K, settings.M, settings.lr_Y)
        loss[i] = log1p((float(settings.M) - 1.0) * exp(-x))
        entropy[i] = own_entropy(task, path[i])
        moves[i] = row_speed(task, path[i], x, settings.lr_Z)
        if settings.common == 0:
            common[i] = nan
    return {
        "top": column(path, DISTINCT + TOKENS - 1), "common": common, "speed": moves, "entropy": entropy, "loss": loss,
        "peak": [peak_time(t, moves)],
    }  # fmt: skip


def peak_time(t: Vector, moves: Vector) -> float:
    """Time of the largest speed, by a parabola through three points over ln t; NaN if nothing moves."""
    best, last = 0, len(t) - 1
    for i in range(len(t)):
        if moves[i] > moves[best]:
            best = i
    if not moves[best] > 0.0:
        return nan
    if best == 0 or best == last:
        return t[best]
    left, middle, right = moves[best - 1], moves[best], moves[best + 1]
    bend = left - 2.0 * middle + right
    shift = 0.5 * (left - right) / bend if bend < 0.0 else 0.0
    return t[best] * exp(shift * log(t[best + 1] / t[best]))


def outcome(steps: Vector, speed: Vector, top: Vector, entropy: Vector) -> Readings:
    """When attention moves fastest, the last logit of the most frequent distinct token, and the last entropy."""
    return {"peak": [peak_time(steps, speed)], "top": [top[len(top) - 1]], "entropy": [entropy[len(entropy) - 1]]}


def panels() -> list[Any]:
    """Logits, what drives them, their speed, the clock, entropy and loss, over the logarithm of time."""
    marks = [Mark("times.scan", "t_0′"), Mark("times.snap", "t_0")]
    axis: dict[str, Any] = dict(x="times.steps", xlabel=TIME_LABEL, xlog=True, marks=marks, height=160)

    def pair(name: str) -> list[Line]:
        dashed = Line(f"reference.{name}", "reference", idea="reference", theory=True)
        return [Line(name, "joint flow", idea="joint"), dashed]

    logits = [
        Line("distinct", "distinct tokens", idea="distinct", rows=TOKENS),
        Line("common", "common", idea="common"),
        Line("reference.top", "most frequent, reference", idea="distinct", theory=True),
        Line("reference.common", "common, reference", idea="common", theory=True),
    ]
    factors = [
        Line("clock.knows", "it knows: (M−1)x/M", idea="V", theory=True),
        Line("clock.errs", "it errs: (M−1)/(M−1+eˣ)", idea="noise", theory=True),
        Line("clock.gamma", "γ, their product", idea="reference", theory=True),
    ]
    return [
        lines(y=logits, ylabel="attention logit z (nats)", title="Logits", **axis),
        bars(
            x="times.rank",
            y=[
                Line("pull", "g_l / f_l over the mean", idea="distinct"),
                Line("times.one", "the mean, f·g", theory=True),
            ],
            frames=True,
            xlabel="common (0), then distinct (rank)",
            ylabel="help per share (over the mean)",
            title="Above the mean it gains",
            height=160,
        ),
        lines(y=pair("speed"), ylabel="length of dz/dt (nats a step)", title="Speed of attention", ylog=True, **axis),
        lines(
            y=factors, ylabel="factor (no unit)", title="The clock of the reference", ylog=True, ylim=(1e-4, 20), **axis
        ),
        lines(y=pair("entropy"), ylabel="entropy (nats)", title="Entropy on distinct tokens", **axis),
        lines(y=pair("loss"), ylabel="loss (nats)", title="Loss", ylog=True, ylim=(1e-4, 20), **axis),
    ]


READING = [
    [
        Say("Without common tokens nothing moves: logits stay at 0.", **{"times.common": 0}),
        Say(
            "Attention of the joint flow is fastest at step {peak:1}, before t_0′ = {times.scan:1}; of the reference "
            "at {reference.peak:1}.",
            peak="< times.scan",
        ),
        Say(
            "Attention of the joint flow is fastest at step {peak:1}, between t_0′ = {times.scan:1} and t_0 = "
            "{times.snap:1}; of the reference at {reference.peak:1}.",
            peak="<= times.snap",
        ),
        Say(
            "Attention of the joint flow is fastest at step {peak:1}, after t_0 = {times.snap:1}; of the reference at "
            "{reference.peak:1}."
        ),
        Say("t_0′ is step {times.scan:1}, t_0 is step {times.snap:1}."),
    ],
    [Say("At step 100,000 the top logit is {top:2}, entropy {entropy:2} nats.")],
]


TOUR = [
    Step("Both layers start at zero: all logits are 0, and the decoder knows nothing that it could tell.", time=0),
    Step(
        Say(
            "What the decoder knows grows, how often it errs falls. Their product γ drives attention; it is largest "
            "near t_0′, step {times.scan:1}."
        ),
        "What the decoder knows grows, how often it errs falls. Their product γ drives attention.",
        time=6,
        point="The clock of the reference",
    ),
    Step(
        "Distinct tokens stand above the mean and gain; a common token stands below it and loses.",
        time=12,
        point="Above the mean it gains",
    ),
    Step(
        Say(
            "In the joint flow attention is fastest at step {peak:1}; the reference is earlier, at {reference.peak:1}."
        ),
        "In the joint flow attention is fastest between the dotted lines; the reference is earlier.",
        time=12,
        point="Speed of attention",
    ),
    Step(
        "After the second line the logits still rise to the eye, but every further step on this axis takes ten times "
        "as long: that is the snap.",
        time=100_000,
        point="Logits",
    ),
    Step(
        Say("With 100,000 outputs t_0′ comes at step {times.scan:1}, not even four times as late as with 34."),
        "A large vocabulary delays all this, like its logarithm.",
        point="M",
        M=100_000,
    ),
    Step("Without common tokens there is no overlap, and nothing moves at all.", point="common", common=0),
]


def explorer() -> Computed:
    """The explorer `scan_snap-snap`, as the chapter shows it."""
    rate = (0.05, 20.0)
    return Computed(
        textbook_flow,
        name="scan_snap-snap",
        title="Scan, then snap: on the logarithm of time",
        settings=settings,
        theory=[times, clock, reference],
        outcome=outcome,
        sliders=sliders("M", "K", "common", "lr_Y", "lr_Z", "shared", lr_Y=rate, lr_Z=rate),
        default=dict(M=34, K=2, common=10, lr_Y=1.0, lr_Z=1.0, shared=0),
        time="times.steps",
        reading=READING,
        panels=panels(),
        tour=TOUR,
        columns=3,
        runs=1,
        first=1,
    )
