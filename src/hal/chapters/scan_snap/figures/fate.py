"""Figure `scan_snap-fate`: does attention move towards a token that one class has more often than the other?

Chapter `scan_snap`, beyond the paper, whose Theorem 2 (arXiv 2305.16380) treats distinct and common tokens only.
"""

from typing import Any

from hal.chapters.scan_snap.figures._shared import TABLE, WORDS
from hal.chapters.scan_snap.runs.halves import arrow_left, two_rows
from hal.chapters.scan_snap.runs.reference import reference_of
from hal.explorer import Field, Line, Mark, Path, Say, Step, ink, over_steps, plane, sliders
from hal.palette import PALETTE
from lib.models.scan_snap import textbook_flow
from lib.models.scan_snap.textbook_flow import Settings, steps_of
from lib.models.scan_snap.textbook_kinds import DISTINCT, MIRROR, PARTLY
from lib.portable.primitives import Readings, Vector, zeros
from lib.portable.vectors import column_of
from lib.theory.scan_snap.portable import kappa_star
from lib.theory.scan_snap.portable_curves import TOLERANCE, fate_path, threshold_plane, turning_time, two_digits
from lib.theory.scan_snap.portable_reference import overlap_at, reference_path

WEIGHT = 0.5  # of the token in its own class, where a common token has 1
TOKENS = 10  # distinct ones of each class
MOST = 12.0  # largest ratio drawn
TITLE, RUN, COLUMNS, RUNS, FIRST = "Neither common nor distinct", textbook_flow, 2, 1, 1
SLIDERS = sliders(TABLE, kappa=3.5, common=(10, 1, 60), lr_Y=1.0, lr_Z=1.0, shared=1)
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


def told(settings: Settings) -> Readings:
    """Words of both classes, as `two_rows` has them, and an arrow to the left of the token's start in the plane."""
    words, start = two_rows(settings.common), overlap_at(reference_of(settings), zeros(TOKENS + DISTINCT))
    arrow = arrow_left(start, settings.kappa + 0.35)
    return {"words": words[0], "groups": words[1], "places": words[2], "chances": words[3],
            "size": [float(TOKENS + 3)], "x": arrow[0], "y": arrow[1]}  # fmt: skip


def threshold(settings: Settings) -> Readings:
    """The ratio above which the token gains, over the overlap, and on a grid where it does."""
    return threshold_plane(settings.sharing > 1, 60, 41, 45, MOST)


def outcome(steps: Vector, partly: Vector, partly_speed: Vector) -> Readings:
    """When the token turns, if it does; whether it gains at first; where it ends."""
    gains = 1.0 if partly_speed[0] > 0.0 else 0.0
    turn = turning_time(steps, partly_speed)
    return {"turn": [turn], "about": [two_digits(turn)], "gains": [gains], "end": [partly[len(partly) - 1]]}


INK, PLANE = "Ten words of each class in ink: half and flah are in both", "Above the curve it gains, below it loses"
TOKEN, FALLS = "The logit of half", "While attention leaves what is common, the overlap falls and the threshold rises"


def panels() -> list[Any]:
    """The token among words of both classes; its way through the plane of overlap and ratio; its logit."""
    turns = [Mark("turn", "turns"), Mark("reference.turn", "reference turns")]
    logit, theory = Line("partly", "half", "partly"), Line("reference.partly", "reference", "reference", True)
    dashed = Path("reference.overlap", "reference.kappa", "reference", idea="reference", theory=True)
    return [
        ink(weights="ink", tokens="told.words", places="told.places", chances="told.chances", size="told.size",
            groups="told.groups", words=[*WORDS, "half", "flah"], title=INK, frames=True, height=140, wide=True,
            ideas=("common", "distinct", "partly", PALETTE["sky"]), rows=2, row_names=("A", "B"),
            group_names=("common", "distinct", "half", "its mirror"),
            alt="Ten words of each class: half is frequent in A, flah in B; both end between common and distinct."),
        plane([Path("overlap", "kappa", "half", idea="partly"), dashed], title=PLANE, height=300,
              field=Field("threshold.rho", "threshold.ratio", "threshold.arrows", "threshold.arrows"),
              basin="threshold.gains", basin_labels=("gains", "loses"),
              curves=[Path("threshold.curve", "threshold.kappa", "threshold κ★"),
                      Path("told.x", "told.y", "training", idea="partly")], xlim=(0, 1), ylim=(1, MOST),
              xlabel="overlap ρ of the classes (no unit)", ylabel="ratio κ of the token (no unit)", equal=False),
        over_steps(TOKEN, "attention logit z (nats)", logit, theory, marks=turns, xlog=True, height=300),
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
TOUR = [
    Step("Half is 3.5 times as frequent in class A as in class B: neither common nor distinct. Flah, its mirror image, "
         "has it the other way round.", time=0, point=INK),
    Step(Say("It begins above the threshold, κ = {reference.ratio:2} over κ★ = {reference.needed:2}, and gains."),
         "It begins above the threshold and gains.", time=10, point=PLANE),
    Step(Say(f"{FALLS}. Near step {{about}} half turns, in the reference near step {{reference.about}}."),
         f"{FALLS}: half turns.", time=32, point=TOKEN),
    Step("In the end its ink is between that of common and of distinct words.", time=100_000, point=INK),
    Step(Say("A query for each class asks less, κ★ = {reference.needed:2}, and in the joint flow it never turns."),
         "A query for each class asks less.", shared=0, point="shared"),
    Step(Say("With a single common token the classes hardly overlap: κ★ = {reference.needed:1}, and it loses at once."),
         "With a single common token the classes hardly overlap, and it loses at once.", common=1, point="common"),
]  # fmt: skip
