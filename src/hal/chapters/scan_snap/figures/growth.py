"""Figure `scan_snap-growth`: growth factor of the leading distinct token against Theorems 3 and 4, and in joint flow.

Chapter `scan_snap`. Source: arXiv 2305.16380, Theorems 3 and 4, Figure 3.
"""

from typing import Any

from hal.chapters.scan_snap.figures._shared import REDUCED, TABLE
from hal.chapters.scan_snap.runs.reference import reference_of
from hal.explorer import Line, Mark, Say, Step, over_steps, sliders
from lib.models.scan_snap import textbook_flow
from lib.models.scan_snap.textbook_flow import Settings, steps_of
from lib.models.scan_snap.textbook_kinds import COMMON, DISTINCT, single_common_weight
from lib.portable.primitives import Readings, Vector
from lib.theory.scan_snap.portable_curves import growth_curves

TOKENS = 5  # distinct ones of each class
LOWEST = 0.2  # weight of the rarest
TITLE, RUN, COLUMNS, RUNS, FIRST = "How much a token can grow", textbook_flow, 3, 1, 1
SLIDERS = sliders(TABLE, K=2, M=1000, rho=0.3, lr_Y=0.1, lr_Z=0.1)
SIGHT = ("K", "rho", "lr_Z")


def settings(K: int, M: int, rho: float, lr_Y: float, lr_Z: float) -> Settings:
    """One common token that makes any two classes overlap by rho, one query for all, infinitely long sequences."""
    weight = single_common_weight(rho, TOKENS, LOWEST)
    return Settings(K, K, M, 1, weight, TOKENS, LOWEST, 0.0, 1.0, lr_Y, lr_Z, 0.3, 1e5, 67)


def reference(settings: Settings) -> Readings:
    """Growth of the most frequent distinct token and fall of the common one in the reference dynamics, the bounds of
    Theorem 3, and the closed form of Theorem 4; whether Assumption 2 holds."""
    task, top = reference_of(settings), DISTINCT + TOKENS - 1
    return growth_curves(task, settings.lr_Y, settings.lr_Z, steps_of(settings), top, COMMON)


def outcome(growth: Vector, common: Vector) -> Readings:
    """The last growth factor and the last logit of the common token."""
    last = len(growth) - 1
    return {"growth": [growth[last]], "common": [common[last]]}


GROWTH, FALL, LEADS = "Growth of the leader", "Fall of the common token", "Leads over Theorem 3"


def panels() -> list[Any]:
    """Growth factor with its bounds, logit of the common token with Theorem 4, and leads over Theorem 3."""
    axis: dict[str, Any] = dict(xlog=True, marks=[Mark("reference.scan", "t_0′"), Mark("reference.snap", "t_0")])
    factors = [
        Line("growth", "joint flow", idea="joint"),
        Line("reference.growth", "reference", idea="reference", theory=True),
        Line("reference.closed", "Theorem 4, exp(2D/K)", idea="reduced", theory=True, dash=REDUCED),
        Line("reference.upper", "bounds of Theorem 3", idea="theory", theory=True),
        Line("reference.lower", "lower bound", idea="theory", theory=True),
    ]
    falls = [
        Line("common", "joint flow", idea="joint"),
        Line("reference.common", "reference", idea="reference", theory=True),
        Line("reference.closed_common", "Theorem 4, −D", idea="reduced", theory=True, dash=REDUCED),
    ]
    leads = [
        Line("lead", "joint flow, each other token", idea="joint", rows=TOKENS - 1),
        Line("reference.one", "Theorem 3", idea="theory", theory=True),
    ]
    return [
        over_steps(GROWTH, "growth factor χ (no unit)", *factors, ylog=True, ylim=(1, None), yswitch=True, **axis),
        over_steps(FALL, "logit (nats)", *falls, **axis),
        over_steps(LEADS, "lead over r(0) χ (fraction)", *leads, ylim=(0, 1.1), **axis),
    ]


ENDS = "By step 100,000 the reference has χ = {reference.end:2}, between {reference.low:2} and {reference.high:2}"
READING = [
    [
        Say(f"{ENDS} (Theorem 4: {{reference.theorem:2}}); the joint flow has {{growth:2}}."),
        Say(f"{ENDS} (Theorem 4: {{reference.theorem:2}})."),
    ],
    [
        Say("These data obey Assumption 2.", "reference.obeys == 1"),
        Say("These data violate Assumption 2.", "reference.obeys == 0"),
    ],
]
TOUR = [
    Step("The growth factor χ compares a token with where it began: at first every curve is at 1.", time=0,
         point=GROWTH),
    Step("Under the reference decoder the most frequent token grows, and stays between the two bounds of Theorem 3.",
         time=100, point=GROWTH),
    Step(Say("By t_0, step {reference.snap:0}, most of it is done: all the rest of this axis brings it to χ = "
             "{reference.end:2}. That is the snap."),
         "By t_0 most of it is done. That is the snap.", time=100_000, point=GROWTH),
    Step(Say("Train both layers at once, and the factor is {growth:2}, not {reference.end:2}."),
         "Train both layers at once, and the factor is far smaller.", point=GROWTH),
    Step("Theorem 4 has a closed form for the fall of the common token. The reference falls less: the formula counts "
         "both classes, and only the other one pushes.", point=FALL),
    Step("Theorem 3 says that a lead grows as the leader does: 1. With more overlap and few outputs the joint flow's "
         "leads all end below 0.97.", rho=0.5, M=100, point=LEADS),
    Step(Say("Attention 200 times as fast takes the reference to χ = {reference.end:2}. The joint flow stays at "
             "{growth:2}: its decoder is done first."),
         "Attention 200 times as fast helps the reference, and not the joint flow.", lr_Z=20.0, point="lr_Z"),
]  # fmt: skip
