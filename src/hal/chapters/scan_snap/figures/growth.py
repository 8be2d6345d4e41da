"""Figure `scan_snap-growth`: one sequence in ink, by the attention of joint training and of the reference dynamics.

Chapter `scan_snap`. Source: arXiv 2305.16380, Theorems 3 and 4, Figure 3.
"""

from typing import Any

from hal.chapters.scan_snap.figures._shared import REDUCED, TABLE, WORDS
from hal.chapters.scan_snap.models import textbook_flow
from hal.chapters.scan_snap.models.kinds import (
    COMMON,
    DISTINCT,
    Kinds,
    attention_shares,
    column_of,
    inputs,
    single_common_weight,
    token_kinds,
)
from hal.chapters.scan_snap.models.textbook_flow import Settings, State, steps_of
from hal.chapters.scan_snap.theory.portable_beyond import obeys_assumption_2
from hal.chapters.scan_snap.theory.portable_reference import (
    TOLERANCE,
    reference_of,
    reference_path,
    reference_shares,
)  # fmt: skip
from hal.figure import Line, Mark, Say, Step, ink, over_steps, sliders
from lib.portable.numbers import exp, log
from lib.portable.primitives import Matrix, Readings, Vector, divide, nan, zero_matrix, zeros
from lib.portable.random_numbers import generator
from lib.portable.small import expm1
from lib.portable.tokens import draw
from lib.theory.scan_snap.portable import (
    logit_gap,
    lower_bound,
    operational_time,
    reduced_B,
    scan_end,
    snap_start,
    upper_bound,
)  # fmt: skip

TOKENS = 5  # distinct ones of each class
LOWEST = 0.2  # weight of the rarest
TOP = DISTINCT + TOKENS - 1  # the most frequent one
GROWN = 1.001  # the leads are ratios of two small numbers until the leading token has grown by this factor
LENGTH = 30  # words that are printed
TITLE = "Theory lets the common word fade, training hardly does"
RUN, COLUMNS, RUNS, PRECOMPUTED_RUNS, COLLAPSED_PANELS = textbook_flow, 2, 1, 1, 2
SLIDERS = sliders(TABLE, K=2, M=1000, rho=0.3, lr_Y=0.1, lr_Z=0.1)
PRIMARY_SLIDERS = ("M", "K", "rho")


def settings(K: int, M: int, rho: float, lr_Y: float, lr_Z: float) -> Settings:
    """One common token that makes any two classes overlap by rho, one query for all, infinitely long sequences."""
    weight = single_common_weight(rho, TOKENS, LOWEST)
    return Settings(
        K=K, sharing=K, M=M, common=1, weight=weight, distinct=TOKENS, lowest=LOWEST, lr_Y=lr_Y, lr_Z=lr_Z,
    )  # fmt: skip


def reference(settings: Settings) -> Readings:
    """Growth of the most frequent distinct token and fall of the common one in the reference dynamics, the bounds of
    Theorem 3, and the closed form of Theorem 4; whether Assumption 2 holds."""
    K, M, lr_Y, lr_Z, times = settings.K, settings.M, settings.lr_Y, settings.lr_Z, steps_of(settings)
    task, T = reference_of(settings), len(times)
    path = reference_path(task, lr_Y, lr_Z, times, TOLERANCE)
    z, B = column_of(path, TOP), column_of(path, len(task.f))
    inputs(task.kinds, zeros(len(task.f)), 0, task.f)
    leader, rho = task.f[TOP], task.f[COMMON] * task.f[COMMON]
    growth, lower, upper, closed, closed_common, one = zeros(T), zeros(T), zeros(T), zeros(T), zeros(T), zeros(T)
    for i in range(T):
        growth[i] = exp(2.0 * z[i])
        lower[i] = lower_bound(leader, B[i])
        upper[i] = upper_bound(B[i])
        Gamma = operational_time(logit_gap(times[i], K, M, lr_Y), K, M, lr_Y, lr_Z)
        # the reduced system has f_n.f_n' = e^{2z} / rho_0^2: at the start that is rho, so C0 = 1 / (K rho^2)
        reduced = reduced_B(Gamma, 1.0 / (float(K) * rho * rho))
        closed[i] = exp(2.0 * reduced / float(K))
        closed_common[i] = -reduced
        one[i] = 1.0
    last = T - 1
    return {
        "growth": growth, "common": column_of(path, COMMON), "lower": lower, "upper": upper, "closed": closed,
        "closed_common": closed_common, "one": one, "scan": [scan_end(K, M, lr_Y)], "snap": [snap_start(K, M, lr_Y)],
        "end": [growth[last]], "fallen": [-path[last][COMMON]],
        "obeys": [1.0 if obeys_assumption_2(K, rho, M) else 0.0],
    }  # fmt: skip


def one_sequence(kinds: Kinds, length: int) -> Matrix:
    """One sequence of a class that has these kinds of token, none of them partly common.

    Four rows. Of each word (length,): its place in `attention_shares` of the kinds, 0 for a common one; its group, 0
    for common and 1 for distinct; its probability in the class. And how long that attention is (1,).
    """
    rows, random, places = zero_matrix(4, length), generator(1, 1), len(kinds.law) - COMMON
    weights = zeros(places)
    for j in range(places):
        weights[j] = kinds.many[COMMON + j] * kinds.law[COMMON + j]
    for i in range(length):
        place = draw(random, weights)
        rows[0][i] = float(place)
        rows[1][i] = 0.0 if place == 0 else 1.0
        rows[2][i] = kinds.law[COMMON + place]
    rows[3] = [float(places)]
    return rows


def told(settings: Settings) -> Readings:
    """Attention in the reference dynamics, and a sequence: words, groups, their probabilities, kinds of token."""
    kinds = token_kinds(1, settings.weight, TOKENS, LOWEST, 0.0, 1.0)
    drawn = one_sequence(kinds, LENGTH)
    return {
        "reference": reference_shares(settings, steps_of(settings)), "words": drawn[0], "groups": drawn[1],
        "chances": drawn[2], "size": drawn[3],
    }  # fmt: skip


def probe(state: State) -> Readings:
    """Growth of the leading distinct token, e^{2 z}; logit of the common one; leads (D - 1,) of that token over each
    other one, over its start and the growth, NaN until that has reached 1.001; `attention_shares`."""
    kinds, y, S = state.motion.kinds, state.flow.y, len(state.motion.kinds.law)
    chi, lead = exp(2.0 * y[3 * S + TOP]), zeros(TOKENS - 1)
    for j in range(TOKENS - 1):
        ratio = kinds.law[TOP] / kinds.law[DISTINCT + j]
        start = ratio * ratio - 1.0  # r = score_top^2 / score^2 - 1
        ahead = expm1(2.0 * (log(ratio) + y[3 * S + TOP] - y[3 * S + DISTINCT + j]))
        lead[j] = divide(ahead, start * chi) if chi >= GROWN else nan
    return {
        "growth": [chi], "common": [y[3 * S + COMMON]], "lead": lead,
        "attention": attention_shares(kinds, state.motion.f),
    }  # fmt: skip


def run_metrics(growth: Vector, common: Vector) -> Readings:
    """The last growth factor, and how far the common token has fallen."""
    last = len(growth) - 1
    return {"growth": [growth[last]], "fallen": [-common[last]]}


JOINT, THEORY, FALL = "After joint training", "In the reference dynamics", "How far the common word falls"
GROWTH, LEADS = "Growth of the leader", "Leads over Theorem 3"


def panels() -> list[Any]:
    """The sequence in ink, twice; the common token's logit; growth factor with its bounds; leads over Theorem 3."""
    axis: dict[str, Any] = dict(xlog=True, marks=[Mark("reference.scan", "t_0′"), Mark("reference.snap", "t_0")])
    factors = [
        Line("growth", "joint training", idea="attention"),
        Line("reference.growth", "reference", idea="reference", theory=True),
        Line("reference.closed", "Theorem 4, exp(2D/K)", idea="reduced", theory=True, dash=REDUCED),
        Line("reference.upper", "bounds of Theorem 3", idea="theory", theory=True),
        Line("reference.lower", "lower bound", idea="theory", theory=True),
    ]
    falls = [
        Line("common", "joint training", idea="attention"),
        Line("reference.common", "reference dynamics", idea="reference", theory=True),
        Line("reference.closed_common", "formula of Theorem 4", idea="reduced", theory=True, dash=REDUCED),
    ]
    leads = [
        Line("lead", "joint training, each other token", idea="attention", rows=TOKENS - 1),
        Line("reference.one", "Theorem 3", idea="theory", theory=True),
    ]
    look: dict[str, Any] = dict(frames=True, height=150,
        tokens="told.words", places="told.words", chances="told.chances", size="told.size", groups="told.groups",
        words=[WORDS[0], *WORDS[60 : 60 + TOKENS]], ideas=("common", "distinct"), group_names=("common", "distinct"),
    )  # fmt: skip
    return [
        ink(weights="attention", title=JOINT, alt="Thirty words, all nearly as large and dark as one another.", **look),
        ink(weights="told.reference", title=THEORY, alt="The same words: the common one small and pale.", **look),
        over_steps(FALL, "its logit (nats)", *falls, wide=True, height=170, **axis),
        over_steps(GROWTH, "growth factor χ (no unit)", *factors, ylog=True, ylim=(1, None), yswitch=True, **axis),
        over_steps(LEADS, "lead over r(0) χ (fraction)", *leads, ylim=(0, 1.1), **axis),
    ]


READING = [
    [Say("By step 100,000 the common word has fallen by {reference.fallen} nats in the reference dynamics, "
         "and by {fallen} in joint training."),
     Say("By step 100,000 the common word has fallen by {reference.fallen} nats in the reference dynamics.")],
    [
        Say("These data obey Assumption 2: overlaps are weak, and outputs many.", "reference.obeys == 1"),
        Say("These data violate Assumption 2: overlaps are too strong, or outputs too few.", "reference.obeys == 0"),
    ],
]  # fmt: skip
TOUR = [
    Step("One sequence, printed twice by its attention: left after training both layers, right in the reference "
         "dynamics of the theorem. Before training the two are alike.", time=0, point=JOINT),
    Step("In the reference the common word fades and the frequent distinct ones grow.", time=100, point=THEORY),
    Step(Say("By t_0, step {reference.snap:0}, most of it is done: all the rest of this axis brings its growth factor "
             "to χ = {reference.end:2}. That is the snap."),
         "By t_0 most of it is done. That is the snap.", time=100_000, point=THEORY),
    Step(Say("Train both layers at once, and the factor is {growth:2}, not {reference.end:2}: the left picture has "
             "hardly changed."),
         "Train both layers at once, and the factor is far smaller.", point=JOINT),
    Step("Theorem 4 has a closed form for the fall of the common token. The reference falls less: the formula counts "
         "both classes, but only the other class pushes.", point=FALL),
    Step("With more overlap and few outputs joint training moves further. The theorem's condition fails there, and so "
         "does Theorem 3.", rho=0.5, M=100, point=JOINT),
    Step(Say("Attention 200 times as fast takes the reference to χ = {reference.end:2}. Joint training stays at "
             "{growth:2}: its decoder is done first."),
         "Attention 200 times as fast helps the reference, not joint training.", lr_Z=20.0, point="lr_Z"),
]  # fmt: skip
