"""Figure `linear_block-risk`: what all rules miss as prompts get longer, and prompt by prompt for block and Bayes.

Chapter `linear_block`. Source: arXiv 2402.14951, Theorems 4.1 and 5.2, Lemma 6.1, Corollary 6.2; the closed forms, the
search for the best attention and the sharp bound are ours. Only Bayes needs contexts to be drawn: that is the run.
"""

from typing import Any

from hal.chapters.linear_block.figures._shared import TABLE
from hal.explorer import Line, Say, Step, over_steps, sliders, stems
from lib.models.linear_block import textbook_contexts
from lib.models.linear_block.textbook_contexts import PROMPTS, Settings, lengths
from lib.models.linear_block.textbook_prompts import law_of
from lib.portable.primitives import Readings, Vector, nan, zeros
from lib.portable.vectors import total
from lib.theory.linear_block.portable import best_risk, best_risk_from, gap_bound
from lib.theory.linear_block.portable_attention import best_attention_risk
from lib.theory.linear_block.portable_curves import attention_by_length, over_lengths

CONTEXTS = 100  # a run
HERE_M = 32.0  # examples of which the sentence speaks
PLACE = 8  # of them among the lengths
RULES, BLOCK, BAYES = "Risk above the noise", "Misses of the block", "Misses of the Bayes predictor"
TITLE, RUN, COLUMNS, RUNS, LATER = "How low can the risk be?", textbook_contexts, 2, 4, ("alone",)
TIME, TIME_LABEL, SIGHT = "examples", "examples M (examples)", ("norm", "sigma", "d")
SLIDERS = sliders(TABLE, d=(8, 2, 12), norm=(3.0, 0.0, 16.0), sigma=1.0, decay=0.0)


def settings(d: int, norm: float, sigma: float, decay: float) -> Settings:
    """The task of these sliders."""
    return Settings(d, sigma, norm, decay, CONTEXTS)


def laws(settings: Settings) -> Readings:
    """Over the length, above the noise: one step, a step from zero, least squares where it has a mean, no example."""
    law = law_of(settings.d, 32, settings.sigma, settings.norm, settings.decay, 1.0)
    return over_lengths(law.h, law.mean, law.sigma, lengths())


def now(settings: Settings) -> Readings:
    """At 32 examples, above the noise: block, attention alone, one step from zero; the gap, and that over its bound."""
    law = law_of(settings.d, 32, settings.sigma, settings.norm, settings.decay, 1.0)
    h, mean, sigma, size = law.h, law.mean, law.sigma, law.mean[0] * law.mean[0] * total(law.h)
    block, attention = best_risk(h, sigma, HERE_M), best_attention_risk(h, 1.0, mean, sigma, HERE_M)
    zero, noise = best_risk_from(h, 1.0, mean, sigma, HERE_M, zeros(len(h))), sigma * sigma
    gap = max(0.0, attention - block)  # rounding alone is below zero, where the mean is zero
    return {
        "block": [block - noise], "attention": [attention - noise], "zero": [zero - noise], "gap": [gap],
        "times": [gap / gap_bound(size, HERE_M) if size > 0.0 else nan], "norm": [settings.norm],
        "marks": zeros(PROMPTS),
    }  # fmt: skip


def alone(settings: Settings) -> Readings:
    """Attention alone over the length, above the noise."""
    law = law_of(settings.d, 32, settings.sigma, settings.norm, settings.decay, 1.0)
    risk = attention_by_length(law.h, 1.0, law.mean, law.sigma, lengths())
    for i in range(len(risk)):
        risk[i] -= law.sigma * law.sigma
    return {"risk": risk}


def outcome(bayes: Vector) -> Readings:
    """What Bayes misses at 32 examples."""
    return {"bayes_now": [bayes[PLACE]]}


def panels() -> list[Any]:
    """The rules over the length; of 40 prompts what the block and Bayes miss at the chosen length."""

    def rule(name: str, label: str, idea: str | None = None) -> Line:
        return Line(name, label, idea=idea, theory=idea is None, x="laws.M")

    def misses(name: str, title: str, idea: str, alt: str) -> Any:
        return stems(values=name, true="now.marks", frames=True, other_idea=idea, xlabel="prompt", ylim=(-1.5, 1.5),
                     ylabel="in units of what β* alone misses", title=title, alt=alt, height=150)  # fmt: skip

    rules = [
        rule("laws.prior", "β* alone"), rule("laws.zero", "one step from 0", "zero start"),
        rule("alone.risk", "attention alone", "attention"), rule("laws.step", "block", "step"),
        rule("laws.squares", "least squares", "least squares"), Line("bayes", "Bayes predictor", idea="bayes"),
    ]  # fmt: skip
    return [
        over_steps(RULES, "risk less σ² (squared labels)", *rules, x=TIME, xlabel=TIME_LABEL, xlog=True, ylog=True,
                   xlim=(2, 128), yswitch=True, height=300, wide=True),
        misses("block_miss", BLOCK, "step", "40 columns, up and down, about three times as long as on the right."),
        misses("bayes_miss", BAYES, "bayes", "40 short columns, up and down."),
    ]  # fmt: skip


HERE = "At 32 examples the best block is {now.block:3} above the noise"
OTHERS = "attention alone {now.attention:3}, one step from zero {now.zero:3}"
DRAWN = f"over {CONTEXTS} contexts a run"
READING = [
    [
        Say(f"{HERE}, {OTHERS}; the Bayes predictor is {{bayes_now}} above it, {DRAWN}.", "bayes_now < now.block"),
        Say(f"{HERE}, {OTHERS}; the Bayes predictor cannot be told from the block, {DRAWN}.", "runs >= 1"),
        Say(f"{HERE}, {OTHERS}."),
    ],
    [
        Say("With the mean at zero the MLP is worth nothing.", "now.norm == 0"),
        Say("The MLP is worth {now.gap}, {now.times:1} times the bound ‖β*‖²_H / (M + 1)."),
    ],
]
TOUR = [
    Step("The best block is one gradient step from the prior mean; its risk falls with M.", point=RULES),
    Step(Say("Without the MLP the block cannot start at the mean. At 32 examples that costs {now.gap:2}."),
         "Without the MLP the block cannot start at the mean.", point=RULES),
    Step("A larger mean: the block does not notice, the others pay for it.", norm=10.0, point=RULES),
    Step("With the mean at zero all three are one and the same.", norm=0.0, point=RULES),
    Step("With little noise one step stays far above Bayes from M = 11 on: one gain cannot fit all prompts.",
         sigma=0.2, point=BLOCK),
    Step("With much noise one step is almost Bayes.", sigma=4.0, point=BAYES),
]  # fmt: skip
