"""Small figure `linear_block-price`: what the missing MLP costs, over the norm of the prior mean.

Chapter `linear_block`. Source: arXiv 2402.14951, Theorems 4.1 and 5.2; the search for the best attention is
ours. Eight features, H = Psi = 1, noise 1.
"""

from typing import Any, NamedTuple

from hal.chapters.linear_block.figures._shared import TABLE
from hal.chapters.linear_block.theory.search import best_attention_risk
from hal.figure import Idea, Line, Say, lines, sliders
from lib.portable.primitives import Readings, nan, sqrt, zeros
from lib.portable.vectors import filled
from lib.theory.linear_block.portable import best_risk, gap_bound

D = 8  # features
SIGMA = 1.0
LONGEST = 8.0  # norm of the mean
POINTS = 17
TITLE = "What does a missing MLP cost?"
HINT = "Move the norm of the mean, then the examples: when is the gap large?"
SLIDERS = sliders(TABLE, norm=(5.0, 0.0, LONGEST), M=(32, 2, 64))


class Chosen(NamedTuple):
    """The settings of this figure."""

    norm: float
    M: int


def settings(norm: float, M: int) -> Chosen:
    """The norm of the prior mean, the examples of a prompt."""
    return Chosen(norm, M)


def alone(norm: float, M: float) -> float:
    """The risk of the best attention without the MLP."""
    return best_attention_risk(filled(D, 1.0), 1.0, filled(D, norm / sqrt(float(D))), SIGMA, M)


def risks(settings: Chosen) -> Readings:
    """Over the norm of the mean (17,): norms, block, attention alone, the theorem's bound. At the chosen norm: at, gap
    (2,), from the block to attention alone; price, that difference; times, over the theorem's bound; norm.
    """
    M = float(settings.M)
    norms, attention, least = zeros(POINTS), zeros(POINTS), zeros(POINTS)
    block = best_risk(filled(D, 1.0), SIGMA, M)
    for k in range(POINTS):
        norms[k] = LONGEST * float(k) / float(POINTS - 1)
        attention[k] = alone(norms[k], M)
        least[k] = block + gap_bound(norms[k] * norms[k], M)
    here, bound = alone(settings.norm, M), gap_bound(settings.norm * settings.norm, M)
    price = max(0.0, here - block)  # rounding alone is below zero, where the mean is zero
    return {
        "norms": norms, "block": filled(POINTS, block), "attention": attention, "least": least,
        "at": [settings.norm, settings.norm], "gap": [block, here], "price": [price],
        "times": [price / bound if bound > 0.0 else nan], "norm": [settings.norm],
    }  # fmt: skip


def picture() -> Any:
    """Two risks and the bound over the norm of the mean, and the gap at the chosen one."""
    series = [
        Line("risks.attention", "attention alone", idea="attention"),
        Line("risks.block", "block with MLP", idea="step"),
        Line("risks.least", "at least this", theory=True),
        Line("risks.gap", "extra risk", idea="loss", x="risks.at"),
    ]
    return lines("risks.norms", series, xlabel="prior mean ‖β*‖ (no unit)", ylabel="risk (mean squared error)",
                 title="", ylim=(1.0, 50.0), ylog=True, height=230)  # fmt: skip


def say() -> list[Say]:
    """The price of the missing MLP."""
    return [
        Say("With hardly any mean there is nothing to start from: the missing MLP costs less than 0.005.",
            "risks.price < 0.005"),
        Say("Without the MLP the risk is {risks.price:2} higher, {risks.times:1} times what the theorem guarantees."),
    ]  # fmt: skip


IDEA = Idea(
    "Attention alone pays for the mean, the block does not.",
    lambda drawn: drawn["risks.gap"][1] - drawn["risks.gap"][0],
    lambda drawn: 0.5,
    breaks={"norm": 0.0},
)
