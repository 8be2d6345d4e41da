"""Figure `scan_snap-fate`: does attention move towards a token that one class has more often than the other?

Chapter `scan_snap`, beyond the paper, whose Theorem 2 (arXiv 2305.16380) treats distinct and common tokens only.
"""

from typing import Any

from hal.chapters.scan_snap.figures._shared import TABLE
from hal.chapters.scan_snap.runs.reference import reference_of
from hal.explorer import Field, Line, Mark, Path, Say, Step, over_steps, plane, sliders
from lib.models.scan_snap import textbook_flow
from lib.models.scan_snap.textbook_flow import Settings, steps_of
from lib.models.scan_snap.textbook_kinds import MIRROR, PARTLY
from lib.portable.primitives import Readings, Vector, zeros
from lib.portable.vectors import column_of
from lib.theory.scan_snap.portable import kappa_star
from lib.theory.scan_snap.portable_curves import (
    TOLERANCE,
    fate_path,
    threshold_curve,
    threshold_regions,
    turning_time,
    two_digits,
)
from lib.theory.scan_snap.portable_reference import overlap_at, reference_path

WEIGHT = 0.5  # of the token in its own class, where a common token has 1
TOKENS = 10  # distinct ones of each class
MOST = 12.0  # largest ratio drawn
TITLE, RUN, COLUMNS, RUNS, FIRST = "Neither common nor distinct", textbook_flow, 2, 1, 1
SLIDERS = sliders(TABLE, kappa=3.0, common=(10, 1, 60), lr_Y=1.0, lr_Z=1.0, shared=1)
SIGHT = ("kappa", "common", "shared")


def settings(kappa: float, common: int, lr_Y: float, lr_Z: float, shared: int) -> Settings:
    """Two mirror-symmetric classes and infinitely long sequences; every token of the task is an output."""
    sharing = 2 if shared == 1 else 1
    M = common + 2 * TOKENS + 2 + 2 // sharing + 2
    return Settings(2, sharing, M, common, 1.0, TOKENS, 0.1, WEIGHT, kappa, lr_Y, lr_Z, 0.3, 1e5, 67)


def reference(settings: Settings) -> Readings:
    """The reference dynamics: the token's logit, overlap and ratio, over the times of the flow; when it turns, if it
    does; its last logit; the overlap, and the ratio that is needed, at the start."""
    task, t = reference_of(settings), steps_of(settings)
    path = reference_path(task, settings.lr_Y, settings.lr_Z, t, TOLERANCE)
    rho, kappa, above = fate_path(task, path, PARTLY, MIRROR)
    start, token, turn = overlap_at(task, zeros(len(task.f))), column_of(path, PARTLY), turning_time(t, above)
    needed = kappa_star(start, settings.sharing > 1)
    return {
        "partly": token, "overlap": rho, "kappa": kappa, "turn": [turn], "about": [two_digits(turn)],
        "end": [token[len(t) - 1]], "start": [start], "needed": [needed], "over": [settings.kappa - needed],
        "ratio": [settings.kappa], "shared": [1.0 if settings.sharing > 1 else 0.0],
    }  # fmt: skip


def threshold(settings: Settings) -> Readings:
    """The ratio above which the token gains, over the overlap."""
    return threshold_curve(settings.sharing > 1, 60, MOST)


def regions(settings: Settings) -> Readings:
    """Where it gains in the plane of overlap and ratio."""
    return threshold_regions(settings.sharing > 1, 41, 45, MOST)


def outcome(steps: Vector, partly: Vector, partly_speed: Vector) -> Readings:
    """When the token turns, if it does; whether it gains at first; where it ends."""
    gains = 1.0 if partly_speed[0] > 0.0 else 0.0
    turn = turning_time(steps, partly_speed)
    return {"turn": [turn], "about": [two_digits(turn)], "gains": [gains], "end": [partly[len(partly) - 1]]}


TOKEN, PLANE = "The token", "Above the curve it gains"


def panels() -> list[Any]:
    """The token's way through the plane of overlap and ratio, and its logit."""
    turns = [Mark("turn", "turns"), Mark("reference.turn", "reference turns")]
    logit, theory = Line("partly", "joint flow", "partly"), Line("reference.partly", "reference", "reference", True)
    dashed = Path("reference.overlap", "reference.kappa", "reference", idea="reference", theory=True)
    return [
        plane([Path("overlap", "kappa", "the token", idea="partly"), dashed], title=PLANE, height=360,
              field=Field("regions.rho", "regions.ratio", "regions.arrows", "regions.arrows"),
              basin="regions.gains", basin_labels=("gains", "loses"),
              curves=[Path("threshold.rho", "threshold.kappa", "threshold κ★")], xlim=(0, 1), ylim=(1, MOST),
              xlabel="overlap ρ of the classes (no unit)", ylabel="ratio κ of the token (no unit)", equal=False),
        over_steps(TOKEN, "attention logit z (nats)", logit, theory, marks=turns, xlog=True, height=360),
    ]  # fmt: skip


RATIO = "κ = {reference.ratio:2} is"
READING = [
    [Say(f"{RATIO} above κ★ = {{reference.needed:2}}: the token gains at first.", "reference.over > 0.01"),
     Say(f"{RATIO} below κ★ = {{reference.needed:2}}: the token loses at first.", "reference.over < -0.01"),
     Say("κ = {reference.ratio:2} is within 0.01 of κ★: at first the token hardly moves.")],
    [Say("In the joint flow it turns near step {about} and stands at {end:3} at step 100,000."),
     Say("In the joint flow it does not turn, and stands at {end:3} at step 100,000.")],
    [Say("In the reference it turns near step {reference.about} and ends at {reference.end:3}."),
     Say("In the reference it does not turn, and ends at {reference.end:3}.")],
    [Say("With one query the mirror image moves as the token does.", "reference.shared == 1")],
]  # fmt: skip
FALLS = "While attention leaves what is common, the overlap falls and the threshold rises"
TOUR = [
    Step("One token is three times as frequent in one class as in the other: neither common nor distinct. Its mirror "
         "image has it the other way round.", time=0, point=TOKEN),
    Step(Say("It begins above the threshold, κ = {reference.ratio:2} over κ★ = {reference.needed:2}, and gains."),
         "It begins above the threshold and gains.", time=3, point=PLANE),
    Step(Say(f"{FALLS}. In the reference it passes the token near step {{reference.about}}: now it loses."),
         f"{FALLS}: now the token loses.", time=6, point=PLANE),
    Step(Say("With both layers trained it turns later, near step {about}: the decoder remembers what the token was for."
             ), "With both layers trained it turns later: the decoder remembers what the token was for.", time=16,
         point=TOKEN),
    Step(Say("A query for each class asks less, κ★ = {reference.needed:2}, and in the joint flow it never turns."),
         "A query for each class asks less.", shared=0, point="shared"),
    Step(Say("At κ = 10 even with one query it never turns; the reference still does, near step {reference.about}."),
         "At κ = 10 even with one query it never turns.", kappa=10.0, point="kappa"),
    Step(Say("With a single common token the classes hardly overlap: κ★ = {reference.needed:1}, and it loses at once."),
         "With a single common token the classes hardly overlap, and it loses at once.", common=1, point="common"),
]  # fmt: skip
