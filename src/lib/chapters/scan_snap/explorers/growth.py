"""Explorer `scan_snap-growth`: growth factor of the leading distinct token against Theorems 3 and 4, and in joint flow.

Chapter `scan_snap`. Source: arXiv 2305.16380, Theorems 3 and 4, Figure 3. The page computes all of it.
"""

from __future__ import annotations

from typing import Any

from lib.chapters.scan_snap.explorers._shared import REDUCED, TIME_LABEL, sliders
from lib.explorer import Computed, Line, Mark, Say, Step, lines
from lib.models.scan_snap import textbook_flow
from lib.models.scan_snap.textbook_flow import Settings, record_times
from lib.models.scan_snap.textbook_kinds import COMMON, DISTINCT, single_common_weight, token_kinds
from lib.portable.numbers import exp
from lib.portable.primitives import Readings, Vector, zeros
from lib.theory.scan_snap.portable import (
    logit_gap,
    lower_bound,
    obeys_assumption_2,
    operational_time,
    reduced_B,
    scan_end,
    snap_start,
    upper_bound,
)
from lib.theory.scan_snap.portable_reference import Reference, column, inputs, reference_path

TOKENS = 5  # distinct ones of each class
LOWEST = 0.2  # weight of the rarest
TOLERANCE = 1e-5  # of the reference dynamics, a step


def settings(K: int, M: int, rho: float, lr_Y: float, lr_Z: float) -> Settings:
    """One common token that makes any two classes overlap by rho, one query for all, infinitely long sequences."""
    weight = single_common_weight(rho, TOKENS, LOWEST)
    return Settings(K, K, M, 1, weight, TOKENS, LOWEST, 0.0, 1.0, lr_Y, lr_Z, 0.3, 1e5, 67)


def reference(settings: Settings) -> Readings:
    """Growth of the most frequent distinct token and fall of the common one in the reference dynamics, the bounds of
    Theorem 3, and the closed form of Theorem 4, over the times of the flow; rho, and whether Assumption 2 holds."""
    kinds = token_kinds(1, settings.weight, TOKENS, LOWEST, 0.0, 1.0)
    S, K, M = len(kinds.law), settings.K, settings.M
    task = Reference(kinds.law, kinds.many, kinds.twin, K, M, settings.sharing, zeros(S))
    t = record_times(settings)
    path = reference_path(task, settings.lr_Y, settings.lr_Z, t, TOLERANCE)
    z, common, B = column(path, DISTINCT + TOKENS - 1), column(path, COMMON), column(path, S)
    inputs(kinds.law, kinds.many, zeros(S), task.f)
    leader, rho = task.f[S - 1], task.f[COMMON] * task.f[COMMON]
    growth, lower, upper, closed = zeros(len(t)), zeros(len(t)), zeros(len(t)), zeros(len(t))
    closed_common, one = zeros(len(t)), zeros(len(t))
    for i in range(len(t)):
        growth[i] = exp(2.0 * z[i])
        lower[i] = lower_bound(leader, B[i])
        upper[i] = upper_bound(B[i])
        Gamma = operational_time(logit_gap(t[i], K, M, settings.lr_Y), K, M, settings.lr_Y, settings.lr_Z)
        # the reduced system has f_n.f_n' = e^{2z} / rho_0^2: at the start that is rho, so C0 = 1 / (K rho^2)
        reduced = reduced_B(Gamma, 1.0 / (float(K) * rho * rho))
        closed[i] = exp(2.0 * reduced / float(K))
        closed_common[i] = -reduced
        one[i] = 1.0
    return {
        "steps": t, "growth": growth, "common": common, "lower": lower, "upper": upper, "closed": closed,
        "closed_common": closed_common, "one": one, "scan": [scan_end(K, M, settings.lr_Y)],
        "snap": [snap_start(K, M, settings.lr_Y)], "end": [growth[len(t) - 1]], "low": [lower[len(t) - 1]],
        "high": [upper[len(t) - 1]], "theorem": [closed[len(t) - 1]],
        "obeys": [1.0 if obeys_assumption_2(K, rho, M) else 0.0],
    }  # fmt: skip


def outcome(growth: Vector, common: Vector) -> Readings:
    """The last growth factor and the last logit of the common token."""
    last = len(growth) - 1
    return {"growth": [growth[last]], "common": [common[last]]}


def panels() -> list[Any]:
    """Growth factor with its bounds, logit of the common token with Theorem 4, and leads over Theorem 3."""
    marks = [Mark("reference.scan", "t_0′"), Mark("reference.snap", "t_0")]
    axis: dict[str, Any] = dict(x="reference.steps", xlabel=TIME_LABEL, xlog=True, marks=marks)
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
        lines(
            y=factors,
            ylabel="growth factor χ (no unit)",
            title="Growth of the leader",
            ylog=True,
            ylim=(1, None),
            yswitch=True,
            **axis,
        ),
        lines(y=falls, ylabel="logit (nats)", title="Fall of the common token", **axis),
        lines(y=leads, ylabel="lead over r(0) χ (fraction)", title="Leads over Theorem 3", ylim=(0, 1.1), **axis),
    ]


READING = [
    [
        Say(
            "By step 100,000 the reference has χ = {reference.end:2}, between {reference.low:2} and "
            "{reference.high:2} (Theorem 4: {reference.theorem:2}); the joint flow has {growth:2}."
        ),
        Say(
            "By step 100,000 the reference has χ = {reference.end:2}, between {reference.low:2} and "
            "{reference.high:2} (Theorem 4: {reference.theorem:2})."
        ),
    ],
    [
        Say("These data obey Assumption 2.", **{"reference.obeys": 1}),
        Say("These data violate Assumption 2.", **{"reference.obeys": 0}),
    ],
]


TOUR = [
    Step(
        "The growth factor χ compares a token with where it began: at first every curve is at 1.",
        time=0,
        point="Growth of the leader",
    ),
    Step(
        "Under the reference decoder the most frequent token grows, and stays between the two bounds of Theorem 3.",
        time=100,
        point="Growth of the leader",
    ),
    Step(
        Say(
            "By t_0, step {reference.snap}, most of it is done: all the rest of this axis brings it to χ = "
            "{reference.end:2}. That is the snap."
        ),
        "By t_0 most of it is done. That is the snap.",
        time=100_000,
        point="Growth of the leader",
    ),
    Step(
        Say("Train both layers at once, and the factor is {growth:2}, not {reference.end:2}."),
        "Train both layers at once, and the factor is far smaller.",
        point="Growth of the leader",
    ),
    Step(
        "Theorem 4 has a closed form for the fall of the common token. The reference falls less: the formula keeps a "
        "norm fixed that shrinks.",
        point="Fall of the common token",
    ),
    Step(
        "Theorem 3 says that a lead grows as the leader does: 1. With more overlap and few outputs the joint flow's "
        "leads all end below 0.97.",
        rho=0.5,
        M=100,
        point="Leads over Theorem 3",
    ),
    Step(
        Say(
            "Attention 200 times as fast takes the reference to χ = {reference.end:2}. The joint flow stays at "
            "{growth:2}: its decoder is done first."
        ),
        "Attention 200 times as fast helps the reference, and not the joint flow.",
        lr_Z=20.0,
        point="lr_Z",
    ),
]


def explorer() -> Computed:
    """The explorer `scan_snap-growth`, as the chapter shows it."""
    rate = (0.05, 20.0)
    return Computed(
        textbook_flow,
        name="scan_snap-growth",
        title="How much a token can grow",
        settings=settings,
        theory=[reference],
        outcome=outcome,
        sliders=sliders("K", "M", "rho", "lr_Y", "lr_Z", lr_Y=rate, lr_Z=rate),
        default=dict(K=2, M=1000, rho=0.3, lr_Y=0.1, lr_Z=0.1),
        time="reference.steps",
        reading=READING,
        panels=panels(),
        tour=TOUR,
        columns=3,
        runs=1,
        first=1,
    )
