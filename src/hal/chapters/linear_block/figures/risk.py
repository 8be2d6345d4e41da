"""Figure `linear_block-risk`: the risk of all rules against the context length, and what the MLP is worth.

Chapter `linear_block`. Source: arXiv 2402.14951, Theorems 4.1 and 5.2 and Corollary 6.2; the closed forms, the search
for the best attention and the sharp bound are ours. Only Bayes needs contexts to be drawn: that is the run.
"""

from typing import Any

from hal.chapters.linear_block.figures._shared import TABLE
from hal.explorer import Line, Mark, Say, Step, lines, over_steps, sliders
from lib.models.linear_block import textbook_contexts
from lib.models.linear_block.textbook_contexts import RECORDS, Settings, lengths, place_of
from lib.models.linear_block.textbook_prompts import law_of
from lib.portable.primitives import Readings, Vector
from lib.theory.linear_block.portable_curves import at_other_lengths, over_lengths, over_means

CONTEXTS = 100  # a run
TITLE, RUN, COLUMNS, RUNS = "How low can the risk be?", textbook_contexts, 3, 6
TIME, TIME_LABEL, LATER = "contexts", "contexts drawn (contexts)", ("by_mean", "elsewhere")
SLIDERS = sliders(TABLE, M=(32, 2, 256), d=(8, 2, 12), norm=(3.0, 0.0, 16.0), sigma=1.0, decay=0.0)


def settings(M: int, d: int, norm: float, sigma: float, decay: float) -> Settings:
    """The task of these sliders."""
    return Settings(d, M, sigma, norm, decay, CONTEXTS)


def variances(settings: Settings) -> Vector:
    """(d,) of the features."""
    law = law_of(settings.d, settings.M, settings.sigma, settings.norm, settings.decay, 1.0)
    return law.h


def laws(settings: Settings) -> Readings:
    """Risks over the length: one step, attention alone, a step from zero, least squares where it has a mean, no
    example; the gap and its bound; the numbers at this M, and the same at the records.
    """
    found = lengths(settings.M)
    place = place_of(settings.M, found)
    return over_lengths(variances(settings), settings.norm, settings.sigma, found, place, RECORDS)


def by_mean(settings: Settings) -> Readings:
    """Risks at this M over the length of the prior mean."""
    return over_means(variances(settings), settings.norm, settings.sigma, float(settings.M))


def elsewhere(settings: Settings) -> Readings:
    """One step tuned at this M, on prompts of other lengths: with a mean over the examples, with a sum, tuned anew."""
    return at_other_lengths(variances(settings), settings.sigma, float(settings.M), lengths(settings.M))


def outcome(here: Vector) -> Readings:
    """The Bayes risk at this M after all contexts."""
    return {"bayes_now": [here[len(here) - 1]]}


def panels() -> list[Any]:
    """Risks over M, what the MLP is worth, Bayes by contexts, risks over the prior mean, other lengths."""
    risk = "risk (squared labels)"

    def over_M(title: str, xlabel: str, mark: str, *series: Line, height: int) -> Any:
        return lines("laws.M", series, xlabel=xlabel, ylabel=risk, title=title, xlog=True, xlim=(2, 256), ylog=True,
                     yswitch=True, marks=[Mark("laws.now", mark)], height=height)  # fmt: skip

    def known(name: str, label: str, idea: str | None = None, **more: Any) -> Line:
        return Line(name, label, idea=idea, theory=True, **more)

    rules = [
        Line("bayes", "Bayes", idea="bayes"), known("laws.step", "block", "step", dash=()),
        known("laws.attention", "attention alone", "attention"), known("laws.zero", "one step from 0", "zero start"),
        known("laws.squares", "least squares", "least squares"), known("laws.prior", "β* alone"),
    ]  # fmt: skip
    gap = [known("laws.gap", "attention − block", "attention"), known("laws.bound", "‖β*‖²_H / (M + 1)")]
    bayes = [
        Line("here", "Bayes", idea="bayes"), known("laws.here", "block", "step"), known("laws.floor", "bound for Bayes")
    ]  # fmt: skip
    means = [
        known("by_mean.step", "block", "step"), known("by_mean.attention", "attention alone", "attention"),
        known("by_mean.zero", "one step from 0", "zero start"),
    ]  # fmt: skip
    other = [
        known("elsewhere.kept", "mean over examples", "step"), known("elsewhere.summed", "sum over examples", "fit"),
        known("elsewhere.anew", "tuned anew", "rival"), known("elsewhere.floor", "endless prompts"),
    ]  # fmt: skip
    return [
        over_M("Best of each kind", "examples M (examples)", "this M", *rules, height=220),
        over_M("What the MLP is worth", "examples M (examples)", "this M", *gap, height=220),
        over_steps("Bayes by contexts", risk, *bayes, x=TIME, xlabel=TIME_LABEL, yswitch=True, height=220),
        lines("by_mean.norm", means, xlabel="length of the prior mean ‖β*‖ (no unit)", ylabel=risk, height=160,
              title="Over the prior mean", yswitch=True, marks=[Mark("laws.norm", "this ‖β*‖")]),
        over_M("Other test lengths", "examples at test time (examples)", "tuned here", *other, height=160),
    ]  # fmt: skip


BLOCK = "With M = {laws.now} examples the best block has the risk {laws.step_now:3}"
DRAWN = f"over {CONTEXTS} contexts a run"
OTHERS = "attention alone {laws.attention_now:3}, one step from zero {laws.zero_now:3}"
READING = [
    [
        Say(f"{BLOCK}, {OTHERS}; Bayes has {{bayes_now}}, {DRAWN}.", "bayes_now < laws.step_now"),
        Say(f"{BLOCK}, {OTHERS}; Bayes cannot be told from the block, {DRAWN}.", "runs >= 1"),
        Say(f"{BLOCK}, {OTHERS}."),
    ],
    [
        Say("With the mean at zero the MLP is worth nothing.", "laws.norm == 0"),
        Say("The MLP is worth {laws.gap_now}, {laws.times:1} times the bound ‖β*‖²_H / (M + 1)."),
    ],
]
TOUR = [
    Step("The best block is one gradient step from the prior mean; its risk falls with M.", point="Best of each kind"),
    Step(Say("Without the MLP the block cannot start at the mean. At this M that costs {laws.gap_now:2}."),
         "Without the MLP the block cannot start at the mean.", point="What the MLP is worth"),
    Step("A larger mean: the block does not notice, the others pay for it.", norm=10, point="Over the prior mean"),
    Step("With the mean at zero all three are one and the same.", norm=0, point="Over the prior mean"),
    Step("With little noise one step stays far above Bayes from M = 10 on.", sigma=0.2, point="Best of each kind"),
    Step("With much noise one step is almost Bayes.", sigma=4.0, point="Best of each kind"),
    Step("Tuned at one length and tested at another: with a mean over the examples the step is worse than reading "
         "nothing on short prompts, with a sum on long ones.", point="Other test lengths"),
]  # fmt: skip
