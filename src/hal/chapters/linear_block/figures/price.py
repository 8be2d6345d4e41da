"""Small figure `linear_block-price`: what the missing MLP costs, over the norm of the prior mean.

Chapter `linear_block`. Source: arXiv 2402.14951, Theorems 4.1 and 5.2; the search for the best attention is
ours. Eight features, H = Psi = 1, noise 1.
"""

from typing import Any, NamedTuple

from hal.chapters.linear_block.figures._shared import TABLE
from hal.chapters.linear_block.theory.search import best_attention_risk
from hal.figure import Idea, Line, Say, lines, sliders
from lib.portable.primitives import Readings, sqrt, zeros
from lib.portable.vectors import filled
from lib.theory.linear_block.portable import best_risk

D = 8  # features
SIGMA = 1.0
LONGEST = 8.0  # norm of the mean
POINTS = 17
TITLE = "What does a missing MLP cost?"
HINT = "Give more examples: does the gap close?"
SLIDERS = sliders(TABLE, M=(8, 4, 32))


class Chosen(NamedTuple):
    """The settings of this figure."""

    M: int


def settings(M: int) -> Chosen:
    """The examples of a prompt."""
    return Chosen(M)


def risks(settings: Chosen) -> Readings:
    """Over the norm of the mean (17,): norms, block, attention alone; the difference of the last two at the longest
    mean, price, with a line between them that ends in its middle; the examples M.
    """
    M, norms, attention = float(settings.M), zeros(POINTS), zeros(POINTS)
    block = best_risk(filled(D, 1.0), SIGMA, M)
    for k in range(POINTS):
        norms[k] = LONGEST * float(k) / float(POINTS - 1)
        attention[k] = best_attention_risk(filled(D, 1.0), 1.0, filled(D, norms[k] / sqrt(float(D))), SIGMA, M)
    return {
        "norms": norms, "block": filled(POINTS, block), "attention": attention,
        "price": [attention[POINTS - 1] - block], "M": [M], "at": filled(3, LONGEST),
        "gap": [block, attention[POINTS - 1], 0.5 * (block + attention[POINTS - 1])],
    }  # fmt: skip


def picture() -> Any:
    """Two risks over the norm of the mean, and the gap at the longest one."""
    series = [
        Line("risks.attention", "attention alone", idea="attention"),
        Line("risks.block", "block with MLP", idea="step"),
        Line("risks.gap", "cost of no MLP", idea="loss", x="risks.at"),
    ]
    return lines("risks.norms", series, xlabel="length of the prior mean ‖β*‖ (no unit)",
                 ylabel="risk (mean squared error)", title="", ylim=(0.0, 32.0), height=230)  # fmt: skip


def say() -> list[Say]:
    """The price of the missing MLP."""
    return [Say("With {risks.M:0} examples and a mean of length 8, the missing MLP adds {risks.price:1} to the risk.")]


IDEA = Idea(
    "Attention alone pays for the mean, the block does not.",
    lambda drawn: drawn["risks.attention"][-1] - drawn["risks.block"][-1],
    lambda drawn: 10.0,
    breaks={"M": 32},
)
