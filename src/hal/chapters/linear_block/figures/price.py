"""Small figure `linear_block-price`: what the missing MLP costs, over the norm of the prior mean.

Chapter `linear_block`. Source: arXiv 2402.14951, Theorems 4.1 and 5.2; the search for the best attention is
ours. Eight features, H = Psi = 1, noise 1.
"""

from typing import Any, NamedTuple

from hal.chapters.linear_block.figures._shared import TABLE
from hal.chapters.linear_block.theory.search import best_attention_risk
from hal.figure import Idea, Path, Say, points, sliders
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
    """Over the norm of the mean (17,): norms, block, attention alone. At the longest mean: both risks as dots (2,), the
    line between them, their difference, and the least that theory allows; the examples M.
    """
    M, norms, attention = float(settings.M), zeros(POINTS), zeros(POINTS)
    block = best_risk(filled(D, 1.0), SIGMA, M)
    for k in range(POINTS):
        norms[k] = LONGEST * float(k) / float(POINTS - 1)
        attention[k] = best_attention_risk(filled(D, 1.0), 1.0, filled(D, norms[k] / sqrt(float(D))), SIGMA, M)
    return {
        "norms": norms, "block": filled(POINTS, block), "attention": attention,
        "price": [attention[POINTS - 1] - block], "bound": [LONGEST * LONGEST / (M + 1.0)], "M": [M],
        "at": filled(2, LONGEST), "ends": [attention[POINTS - 1], block], "kinds": [0.0, 1.0],
    }  # fmt: skip


def picture() -> Any:
    """Two risks over the norm of the mean, and the gap at the longest one."""
    return points(
        x="risks.at", y="risks.ends", kinds="risks.kinds", kind_names=("attention alone", "block with MLP"),
        ideas=("attention", "step"), xlim=(0.0, 10.5), ylim=(0.0, 33.0), height=250, large=True, ends=False,
        xlabel="length of the prior mean", xticks=[(2.0 * k, f"{2 * k}") for k in range(5)],
        ylabel="risk (mean squared error)", yticks=[(10.0 * k, f"{10 * k}") for k in range(4)],
        alt="Without the MLP the risk rises with the length of the prior mean; with it the risk is a level line.",
        lines=[Path("risks.norms", "risks.attention", "without MLP", "attention"),
               Path("risks.norms", "risks.block", "with MLP", "step"),
               Path("risks.at", "risks.ends", "", "loss")],
    )  # fmt: skip


def say() -> list[Say]:
    """The price of the missing MLP, and the theorem's lower bound."""
    return [Say("With {risks.M:0} examples and a mean of length 8, the missing MLP adds {risks.price:1} to the risk; "
                "the theorem says at least {risks.bound:1}.")]  # fmt: skip


IDEA = Idea(
    "Attention alone pays for the mean, the block does not.",
    lambda drawn: drawn["risks.attention"][-1] - drawn["risks.block"][-1],
    lambda drawn: 10.0,
    breaks={"M": 32},
)
