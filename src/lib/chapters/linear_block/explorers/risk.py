"""Explorer `linear_block-risk`: the risk of all rules against the context length, and what the MLP is worth.

Chapter `linear_block`. Source: arXiv 2402.14951, Theorems 4.1 and 5.2 and Corollary 6.2; the closed forms, the search
for the best attention and the sharp bound are ours. Only Bayes needs contexts to be drawn: that is the run.
"""

from __future__ import annotations

from typing import Any

from lib.chapters.linear_block.explorers._shared import ATTENTION, BAYES, SQUARES, STEP, ZERO, sliders
from lib.chapters.linear_block.runs import textbook_contexts
from lib.chapters.linear_block.runs.textbook_contexts import (
    LENGTHS,
    Settings,
    lengths,
    place_of,
    records,
)
from lib.explorer import Computed, Line, Mark, Say, Step, lines
from lib.models.linear_block.textbook_prompts import Law, law_of
from lib.portable.primitives import Readings, Vector, inf, nan, zeros
from lib.portable.vectors import total
from lib.theory.linear_block.portable import (
    bayes_floor,
    best_gains,
    best_risk,
    best_risk_from,
    gains_risk,
    label_variance,
    least_squares_risk,
    long_risk,
)
from lib.theory.linear_block.portable_sweep import risks_by_length, risks_by_mean, scaled

CONTEXTS = 100  # a run
DRAWN = "contexts drawn (contexts)"
NORMS = 9  # on the curve over the prior mean: 0 to 16


def settings(M: int, d: int, norm: float, sigma: float, decay: float) -> Settings:
    """The task of these sliders."""
    return Settings(d, M, sigma, norm, decay, CONTEXTS)


def law_at(settings: Settings, norm: float) -> Law:
    """The law of the prompts, with a prior mean of this length."""
    return law_of(settings.d, settings.M, settings.sigma, norm, settings.decay, 1.0)


def laws(settings: Settings) -> Readings:
    """Contexts at the records, and the risks over the length: one step, attention alone, a step from zero, least
    squares where it has a mean, no example; the gap and its bound; the numbers at this M.
    """
    law, sigma = law_at(settings, settings.norm), settings.sigma
    h, mean = law.h, law.mean
    zero, found = zeros(settings.d), lengths(settings.M)
    x, step, from_zero = zeros(LENGTHS), zeros(LENGTHS), zeros(LENGTHS)
    squares, prior, gap, bound = zeros(LENGTHS), zeros(LENGTHS), zeros(LENGTHS), zeros(LENGTHS)
    size, at = settings.norm * settings.norm / float(settings.d) * total(h), place_of(settings.M, found)
    for i in range(LENGTHS):
        M = float(found[i])
        x[i] = M
        step[i] = best_risk(h, 1.0, sigma, M)
        from_zero[i] = best_risk_from(h, 1.0, mean, sigma, M, zero)
        least = least_squares_risk(h, 1.0, mean, sigma, found[i])
        squares[i] = least if least < inf else nan
        prior[i] = label_variance(h, 1.0, sigma)
        bound[i] = size / (M + 1.0)
    attention = risks_by_length(h, 1.0, mean, sigma, x)
    for i in range(LENGTHS):
        gap[i] = max(0.0, attention[i] - step[i])  # rounding alone is below zero, where the mean is zero
    t = records(settings.contexts)
    here, least_bayes = zeros(len(t)), zeros(len(t))
    for k in range(len(t)):
        here[k] = step[at]
        least_bayes[k] = bayes_floor(h, 1.0, sigma, float(settings.M))
    return {
        "t": t, "here": here, "floor": least_bayes, "M": x, "step": step, "attention": attention, "zero": from_zero,
        "squares": squares, "prior": prior, "gap": gap, "bound": bound, "now": [float(settings.M)],
        "step_now": [step[at]], "attention_now": [attention[at]], "zero_now": [from_zero[at]],
        "gap_now": [gap[at]], "norm": [settings.norm], "noise": [sigma * sigma],
        "times": [gap[at] / bound[at] if size > 0.0 else nan],
        "most": [(label_variance(h, 1.0, sigma) + h[0]) / (sigma * sigma)],
    }  # fmt: skip


def by_mean(settings: Settings) -> Readings:
    """Risks at this M over the length of the prior mean."""
    h, norms, unit = law_at(settings, 1.0).h, zeros(NORMS), law_at(settings, 1.0).mean
    step, from_zero, zero = zeros(NORMS), zeros(NORMS), zeros(settings.d)
    M, sigma = float(settings.M), settings.sigma
    for i in range(NORMS):
        norms[i] = 2.0 * float(i)
        mean = scaled(unit, norms[i])
        step[i] = best_risk(h, 1.0, sigma, M)
        from_zero[i] = best_risk_from(h, 1.0, mean, sigma, M, zero)
    attention = risks_by_mean(h, 1.0, unit, norms, sigma, M)
    return {"norm": norms, "step": step, "attention": attention, "zero": from_zero, "now": [settings.norm]}


def elsewhere(settings: Settings) -> Readings:
    """One step tuned at this M, on prompts of other lengths: with a mean over the examples, with a sum, tuned anew."""
    h, sigma, found = law_at(settings, settings.norm).h, settings.sigma, lengths(settings.M)
    gains, M = best_gains(h, 1.0, sigma, float(settings.M)), float(settings.M)
    kept, summed, anew, floor_risk = zeros(LENGTHS), zeros(LENGTHS), zeros(LENGTHS), zeros(LENGTHS)
    for i in range(LENGTHS):
        other = float(found[i])
        kept[i] = gains_risk(h, 1.0, sigma, other, gains)
        summed[i] = gains_risk(h, 1.0, sigma, other, scaled(gains, other / M))
        anew[i] = best_risk(h, 1.0, sigma, other)
        floor_risk[i] = long_risk(h, 1.0, sigma, gains)
    return {"kept": kept, "summed": summed, "anew": anew, "floor": floor_risk}


def outcome(here: Vector) -> Readings:
    """The Bayes risk at this M after all contexts."""
    return {"bayes_now": [here[len(here) - 1]]}


def over_lengths(title: str, xlabel: str, mark: str, *series: Line, **more: Any) -> Any:
    """A panel over context lengths, this M marked."""
    return lines(
        x="laws.M",
        y=list(series),
        xlabel=xlabel,
        ylabel="risk (squared labels)",
        title=title,
        xlog=True,
        xlim=(2, 256),
        ylog=True,
        yswitch=True,
        marks=[Mark("laws.now", mark)],
        **more,
    )


def panels() -> list[Any]:
    """Risks over M, what the MLP is worth, risks over the prior mean, other lengths."""
    return [
        over_lengths(
            "Best of each kind",
            "examples M (examples)",
            "this M",
            Line("bayes", "Bayes", idea=BAYES),
            Line("laws.step", "block", idea=STEP, theory=True, dash=()),
            Line("laws.attention", "attention alone", idea=ATTENTION, theory=True),
            Line("laws.zero", "one step from 0", idea=ZERO, theory=True),
            Line("laws.squares", "least squares", idea=SQUARES, theory=True),
            Line("laws.prior", "β* alone", theory=True),
            height=220,
        ),
        over_lengths(
            "What the MLP is worth",
            "examples M (examples)",
            "this M",
            Line("laws.gap", "attention − block", idea=ATTENTION, theory=True),
            Line("laws.bound", "‖β*‖²_H / (M + 1)", theory=True),
            height=220,
        ),
        lines(
            x="laws.t",
            y=[
                Line("here", "Bayes", idea=BAYES),
                Line("laws.here", "block", idea=STEP, theory=True),
                Line("laws.floor", "bound for Bayes", theory=True),
            ],
            xlabel=DRAWN,
            ylabel="risk (squared labels)",
            title="Bayes by contexts",
            yswitch=True,
            height=220,
        ),
        lines(
            x="by_mean.norm",
            y=[
                Line("by_mean.step", "block", idea=STEP, theory=True),
                Line("by_mean.attention", "attention alone", idea=ATTENTION, theory=True),
                Line("by_mean.zero", "one step from 0", idea=ZERO, theory=True),
            ],
            xlabel="length of the prior mean ‖β*‖ (no unit)",
            ylabel="risk (squared labels)",
            title="Over the prior mean",
            yswitch=True,
            height=160,
            marks=[Mark("by_mean.now", "this ‖β*‖")],
        ),
        over_lengths(
            "Other test lengths",
            "examples at test time (examples)",
            "tuned here",
            Line("elsewhere.kept", "mean over examples", idea=STEP, theory=True),
            Line("elsewhere.summed", "sum over examples", idea=ZERO, theory=True),
            Line("elsewhere.anew", "tuned anew", idea=BAYES, theory=True),
            Line("elsewhere.floor", "endless prompts", theory=True),
            height=160,
        ),
    ]


READING = [
    [
        Say(
            "With M = {laws.now} examples the best block has the risk {laws.step_now:3}, attention alone "
            "{laws.attention_now:3}, one step from zero {laws.zero_now:3}; Bayes has {bayes_now:3}."
        ),
        Say(
            "With M = {laws.now} examples the best block has the risk {laws.step_now:3}, attention alone "
            "{laws.attention_now:3}, one step from zero {laws.zero_now:3}."
        ),
    ],
    [
        Say("With the mean at zero the MLP is worth nothing.", **{"laws.norm": 0}),
        Say("The MLP is worth {laws.gap_now:3}, {laws.times:1} times the bound ‖β*‖²_H / (M + 1)."),
    ],
]

TOUR = [
    Step(
        "The best linear block is one gradient step from the prior mean. It falls with M, as the others do.",
        point="Best of each kind",
    ),
    Step(
        Say("Without the MLP the block cannot start at the mean. At this M that costs {laws.gap_now:2}."),
        "Without the MLP the block cannot start at the mean.",
        point="What the MLP is worth",
    ),
    Step(
        "A larger mean: the block does not notice, the others pay for its square.",
        norm=10,
        point="Over the prior mean",
    ),
    Step("With the mean at zero all three are one and the same.", norm=0, point="Over the prior mean"),
    Step(
        "With little noise one step stays far above Bayes, at any length: a step is not a solution.",
        sigma=0.2,
        point="Best of each kind",
    ),
    Step("With much noise one step is almost Bayes.", sigma=4.0, point="Best of each kind"),
    Step(
        "Tuned at one length and tested at another: a mean over the examples is safe, a sum blows up on long prompts.",
        point="Other test lengths",
    ),
]


def explorer() -> Computed:
    """The explorer `linear_block-risk`, as the chapter shows it."""
    return Computed(
        textbook_contexts,
        name="linear_block-risk",
        title="How low can the risk be?",
        settings=settings,
        theory=[laws, by_mean, elsewhere],
        outcome=outcome,
        sliders=sliders("M", "d", "norm", "sigma", "decay", d=(2, 12)),
        default=dict(M=32, d=8, norm=3.0, sigma=1.0, decay=0.0),
        time="laws.t",
        time_label=DRAWN,
        reading=READING,
        tour=TOUR,
        panels=panels(),
        columns=3,
        runs=6,
        first=3,
    )
