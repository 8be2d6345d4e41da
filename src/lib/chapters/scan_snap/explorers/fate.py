"""Explorer `scan_snap-fate`: does attention move towards a token that one class has more often than the other?

Chapter `scan_snap`, beyond the paper, whose Theorem 2 (arXiv 2305.16380) treats distinct and common tokens only. The
page computes all of it.
"""

from __future__ import annotations

from typing import Any

from lib.chapters.scan_snap.explorers._shared import TIME_LABEL, sliders
from lib.explorer import Computed, Line, Mark, Path, Say, Step, lines, plane
from lib.models.scan_snap import textbook_flow
from lib.models.scan_snap.textbook_flow import Settings, record_times
from lib.models.scan_snap.textbook_kinds import COMMON, DISTINCT, MIRROR, PARTLY, token_kinds
from lib.portable.numbers import exp, log
from lib.portable.primitives import Readings, Vector, nan, zeros
from lib.theory.scan_snap.portable import kappa_star
from lib.theory.scan_snap.portable_reference import Reference, column, inputs, overlap, reference_path

WEIGHT = 0.5  # of the token in its own class, where a common token has 1
TOKENS = 10  # distinct ones of each class
TOLERANCE = 1e-5  # of the reference dynamics, a step
CURVE = 60  # points of the threshold
MOST = 12.0  # largest ratio drawn


def settings(kappa: float, common: int, lr_Y: float, lr_Z: float, shared: int) -> Settings:
    """Two mirror-symmetric classes and infinitely long sequences; every token of the task is an output."""
    sharing = 2 if shared == 1 else 1
    M = common + 2 * TOKENS + 2 + 2 // sharing + 2
    return Settings(2, sharing, M, common, 1.0, TOKENS, 0.1, WEIGHT, kappa, lr_Y, lr_Z, 0.3, 1e5, 67)


def reference(settings: Settings) -> Readings:
    """The reference dynamics: four logits, overlap and ratio, over the times of the flow; when the token turns, if it
    does; its last logit; the overlap, and the ratio that is needed, at the start."""
    kinds = token_kinds(settings.common, 1.0, TOKENS, 0.1, WEIGHT, settings.kappa)
    S = len(kinds.law)
    task = Reference(kinds.law, kinds.many, kinds.twin, 2, settings.M, settings.sharing, zeros(S))
    t = record_times(settings)
    path = reference_path(task, settings.lr_Y, settings.lr_Z, t, TOLERANCE)
    rho, kappa, moves = zeros(len(t)), zeros(len(t)), zeros(len(t))
    for i in range(len(t)):
        inputs(kinds.law, kinds.many, path[i], task.f)
        rho[i] = overlap(task.f, kinds.many, kinds.twin)
        kappa[i] = task.f[PARTLY] / task.f[MIRROR]
        moves[i] = kappa[i] - kappa_star(rho[i], settings.sharing > 1)
    inputs(kinds.law, kinds.many, zeros(S), task.f)
    start = overlap(task.f, kinds.many, kinds.twin)
    token = column(path, PARTLY)
    return {
        "steps": t, "partly": token, "mirror": column(path, MIRROR), "common": column(path, COMMON),
        "top": column(path, DISTINCT + TOKENS - 1), "overlap": rho, "kappa": kappa, "turn": [turning_time(t, moves)],
        "end": [token[len(t) - 1]], "start": [start], "needed": [kappa_star(start, settings.sharing > 1)],
        "ratio": [settings.kappa], "shared": [1.0 if settings.sharing > 1 else 0.0],
    }  # fmt: skip


def threshold(settings: Settings) -> Readings:
    """The ratio above which the token gains, over the overlap."""
    rho, kappa = zeros(CURVE), zeros(CURVE)
    for i in range(CURVE):
        rho[i] = 0.08 + 0.92 * float(i) / float(CURVE - 1)
        needed = kappa_star(rho[i], settings.sharing > 1)
        kappa[i] = needed if needed <= MOST else nan
    return {"rho": rho, "kappa": kappa}


def turning_time(t: Vector, moves: Vector) -> float:
    """First time at which a motion changes sign, between two records over ln t; NaN if it does not."""
    for i in range(1, len(t)):
        if (moves[i - 1] > 0.0 and moves[i] < 0.0) or (moves[i - 1] < 0.0 and moves[i] > 0.0):
            share = moves[i - 1] / (moves[i - 1] - moves[i])
            return t[i - 1] * exp(share * log(t[i] / t[i - 1]))
    return nan


def outcome(steps: Vector, partly: Vector, partly_speed: Vector) -> Readings:
    """When the token turns, if it does; whether it gains at first; where it ends."""
    return {
        "turn": [turning_time(steps, partly_speed)],
        "gains": [1.0 if partly_speed[0] > 0.0 else 0.0],
        "end": [partly[len(partly) - 1]],
    }


def panels() -> list[Any]:
    """Logits of a partly common token, its way through the plane of overlap and ratio, and the other tokens."""

    def pair(name: str, label: str, idea: str) -> list[Line]:
        dashed = Line(f"reference.{name}", f"{label}, reference", idea=idea, theory=True)
        return [Line(name, label, idea=idea), dashed]

    token = pair("mirror", "mirror", "counterpart") + pair("partly", "token", "partly")
    others = pair("top", "most frequent distinct", "distinct") + pair("common", "common", "common")
    axis: dict[str, Any] = dict(x="reference.steps", xlabel=TIME_LABEL, ylabel="attention logit z (nats)", xlog=True)
    return [
        lines(
            y=token, title="The token", marks=[Mark("turn", "turns"), Mark("reference.turn", "reference turns")], **axis
        ),
        plane(
            paths=[
                Path("overlap", "kappa", "joint flow", idea="joint"),
                Path("reference.overlap", "reference.kappa", "reference", idea="reference", theory=True),
            ],
            curves=[Path("threshold.rho", "threshold.kappa", "threshold κ★: above it gains")],
            xlabel="overlap ρ of the classes (no unit)",
            ylabel="ratio κ of the token (no unit)",
            title="The threshold moves",
            xlim=(0, 1),
            ylim=(1, MOST),
            equal=False,
        ),
        lines(y=others, title="Other tokens", **axis),
    ]


READING = [
    [
        Say(
            "κ = {reference.ratio:2} is above κ★ = {reference.needed:2}: the token gains at first.",
            **{"reference.ratio": "> reference.needed"},
        ),
        Say("κ = {reference.ratio:2} is not above κ★ = {reference.needed:2}: the token loses at first."),
    ],
    [
        Say("In the joint flow it turns at step {turn:1} and stands at {end:3} at step 100,000."),
        Say("In the joint flow it does not turn, and stands at {end:3} at step 100,000."),
    ],
    [
        Say("In the reference it turns at step {reference.turn:1} and ends at {reference.end:3}."),
        Say("In the reference it does not turn, and ends at {reference.end:3}."),
    ],
    [Say("With one query the mirror image moves as the token does.", **{"reference.shared": 1})],
]


TOUR = [
    Step(
        "One token is three times as frequent in one class as in the other: neither common nor distinct. Its mirror "
        "image has it the other way round.",
        time=0,
        point="The token",
    ),
    Step(
        Say("It begins above the threshold, κ = {reference.ratio:2} over κ★ = {reference.needed:2}, and gains."),
        "It begins above the threshold and gains.",
        time=3,
        point="The threshold moves",
    ),
    Step(
        Say(
            "While attention leaves what is common, the overlap falls and the threshold rises. In the reference it "
            "passes the token at step {reference.turn:1}: now it loses."
        ),
        "While attention leaves what is common, the overlap falls and the threshold rises: now the token loses.",
        time=6,
        point="The threshold moves",
    ),
    Step(
        Say("With both layers trained it turns later, at step {turn:1}: the decoder remembers what the token was for."),
        "With both layers trained it turns later: the decoder remembers what the token was for.",
        time=16,
        point="The token",
    ),
    Step(
        Say("A query for each class asks less, κ★ = {reference.needed:2}, and in the joint flow it never turns."),
        "A query for each class asks less.",
        shared=0,
        point="shared",
    ),
    Step(
        Say("At κ = 10 even with one query it never turns; the reference still does, at step {reference.turn}."),
        "At κ = 10 even with one query it never turns.",
        kappa=10.0,
        point="kappa",
    ),
    Step(
        Say("With a single common token the classes hardly overlap: κ★ = {reference.needed:1}, and it loses at once."),
        "With a single common token the classes hardly overlap, and it loses at once.",
        common=1,
        point="common",
    ),
]


def explorer() -> Computed:
    """The explorer `scan_snap-fate`, as the chapter shows it."""
    rate = (0.05, 20.0)
    return Computed(
        textbook_flow,
        name="scan_snap-fate",
        title="Neither common nor distinct",
        settings=settings,
        theory=[reference, threshold],
        outcome=outcome,
        sliders=sliders("kappa", "common", "lr_Y", "lr_Z", "shared", common=(1, 60), lr_Y=rate, lr_Z=rate),
        default=dict(kappa=3.0, common=10, lr_Y=1.0, lr_Z=1.0, shared=1),
        time="reference.steps",
        reading=READING,
        panels=panels(),
        tour=TOUR,
        columns=3,
        runs=1,
        first=1,
    )
