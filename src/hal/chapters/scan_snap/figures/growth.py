"""Figure `scan_snap-growth`: one sequence in ink, by the attention of joint training and of the reference dynamics.

Chapter `scan_snap`. Source: arXiv 2305.16380, Theorems 3 and 4, Figure 3.
"""

from typing import Any

from hal.chapters.scan_snap.figures._shared import REDUCED, TABLE, WORDS
from hal.chapters.scan_snap.models import textbook_flow
from hal.chapters.scan_snap.models.kinds import COMMON, DISTINCT, single_common_weight, token_kinds
from hal.chapters.scan_snap.models.textbook_flow import Settings, steps_of
from hal.chapters.scan_snap.runs.reference import reference_of, reference_shares
from hal.chapters.scan_snap.runs.sentence import one_sequence
from hal.chapters.scan_snap.theory.curves import growth_curves
from hal.explorer import Line, Mark, Say, Step, ink, over_steps, sliders
from lib.portable.primitives import Readings, Vector

TOKENS = 5  # distinct ones of each class
LOWEST = 0.2  # weight of the rarest
LENGTH = 30  # words that are printed
TITLE = "How far attention moves, and how far the theorem says"
RUN, COLUMNS, RUNS, FIRST, FOLDED = textbook_flow, 2, 1, 1, 2
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


def told(settings: Settings) -> Readings:
    """Attention in the reference dynamics, and a sequence: words, groups, their probabilities, kinds of token."""
    kinds = token_kinds(1, settings.weight, TOKENS, LOWEST, 0.0, 1.0)
    drawn = one_sequence(kinds, LENGTH)
    return {
        "reference": reference_shares(settings, steps_of(settings)), "words": drawn[0], "groups": drawn[1],
        "chances": drawn[2], "size": drawn[3],
    }  # fmt: skip


def outcome(growth: Vector, common: Vector) -> Readings:
    """The last growth factor and the last logit of the common token."""
    last = len(growth) - 1
    return {"growth": [growth[last]], "common": [common[last]]}


JOINT, THEORY, FALL = "What joint training attends to", "What the theorem says", "Fall of the common token"
GROWTH, LEADS = "Growth of the leader", "Leads over Theorem 3"


def panels() -> list[Any]:
    """The sequence in ink, twice; the common token's logit; growth factor with its bounds; leads over Theorem 3."""
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
    look: dict[str, Any] = dict(frames=True, height=150,
        tokens="told.words", places="told.words", chances="told.chances", size="told.size", groups="told.groups",
        words=[WORDS[0], *WORDS[60 : 60 + TOKENS]], ideas=("common", "distinct"), group_names=("common", "distinct"),
    )  # fmt: skip
    return [
        ink(weights="attention", title=JOINT, alt="Thirty words, all nearly as large and dark as one another.", **look),
        ink(weights="told.reference", title=THEORY, alt="The same words: the common one small and pale.", **look),
        over_steps(FALL, "logit (nats)", *falls, wide=True, height=170, **axis),
        over_steps(GROWTH, "growth factor χ (no unit)", *factors, ylog=True, ylim=(1, None), yswitch=True, **axis),
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
    Step("One sequence, printed twice by its attention: left by training both layers at once, right by the reference "
         "dynamics of the theorem. Before training they are one picture.", time=0, point=JOINT),
    Step("In the reference the common word fades and the frequent distinct ones grow.", time=100, point=THEORY),
    Step(Say("By t_0, step {reference.snap:0}, most of it is done: all the rest of this axis brings its growth factor "
             "to χ = {reference.end:2}. That is the snap."),
         "By t_0 most of it is done. That is the snap.", time=100_000, point=THEORY),
    Step(Say("Train both layers at once, and the factor is {growth:2}, not {reference.end:2}: the left picture has "
             "hardly changed."),
         "Train both layers at once, and the factor is far smaller.", point=JOINT),
    Step("Theorem 4 has a closed form for the fall of the common token. The reference falls less: the formula counts "
         "both classes, and only the other one pushes.", point=FALL),
    Step("With more overlap and few outputs the joint flow moves further. The theorem's condition fails there, and so "
         "does its Theorem 3.", rho=0.5, M=100, point=JOINT),
    Step(Say("Attention 200 times as fast takes the reference to χ = {reference.end:2}. The joint flow stays at "
             "{growth:2}: its decoder is done first."),
         "Attention 200 times as fast helps the reference, and not the joint flow.", lr_Z=20.0, point="lr_Z"),
]  # fmt: skip
