"""Small figure `one_nn-ties`: late in training only near ties still cost, and they are a strip as wide as 1 / xi_1.

Chapter `one_nn`, beyond the paper (arXiv 2411.10830): the late law of the reduced loss. Of the prompts two examples
are looked at here, the nearest and the second, whose labels agree in half of them.
"""

from typing import Any, NamedTuple

from hal.chapters.one_nn.theory.portable_ties import near_ties
from hal.figure import Idea, Line, Say, Slider, lines
from lib.portable.primitives import Readings, zeros
from lib.theory.one_nn.portable import GAP_INTEGRAL, gap_density, law_of

PLACES = 241  # of the curves
TITLE = "Late, only near ties cost"
HINT = "Sharpen the attention: which prompts still cost?"
SLIDERS = {
    "xi1": Slider("Inverse temperature ξ₁", "no unit", 10.0, (0.5, 200.0), log=True),
    "d": Slider("Dimension d", "no unit", 4, (3, 40), log=True),
}


class Settings(NamedTuple):
    """The settings of this figure."""

    d: int
    N: int
    xi1: float


def settings(xi1: float, d: int) -> Settings:
    """Eight examples."""
    return Settings(d, 8, xi1)


def ties(settings: Settings) -> Readings:
    """Over the gap between the nearest example and the second (241,): how often it is so large, as a fraction of the
    highest, and what a prompt with it costs, as a fraction of a tie's; what all cost, and what the late law predicts.
    """
    law = law_of(settings.d, settings.N)
    gap, often, cost, whole = near_ties(law, settings.xi1, PLACES)
    expected = gap_density(law) * GAP_INTEGRAL / settings.xi1
    both, most = zeros(PLACES), 0.0
    for i in range(PLACES):
        most = max(most, often[i])
    for i in range(PLACES):
        often[i] = often[i] / most
        both[i] = often[i] * cost[i]
    return {
        "gap": gap, "often": often, "cost": cost, "both": both, "whole": [whole], "law": [expected],
        "off": [abs(whole / expected - 1.0)], "xi1": [settings.xi1],
    }  # fmt: skip


def picture() -> Any:
    """How often each gap is, what it costs, and the product."""
    series = [
        Line("ties.often", "how often", theory=True), Line("ties.cost", "what it costs", idea="fit"),
        Line("ties.both", "how often × cost: the loss", idea="loss"),
    ]  # fmt: skip
    return lines("ties.gap", series, xlabel="gap between the two nearest, in inner product (no unit)",
                 ylabel="fraction of the highest (no unit)", title="", xlim=(0.0, 0.9), ylim=(0.0, 1.05),
                 height=220)  # fmt: skip


def say() -> list[Say]:
    """What near ties cost, and the law."""
    return [
        Say("The two nearest cost {ties.whole}; theory predicts {ties.law}: doubling ξ₁ about halves it.",
            "ties.off < 0.15"),
        Say("The two nearest cost {ties.whole}; theory predicts {ties.law}: wide gaps still cost something."),
    ]  # fmt: skip


IDEA = Idea(
    "What still costs is a narrow strip of the gaps that there are.",
    lambda drawn: drawn["ties.often"].sum(),
    lambda drawn: 4 * drawn["ties.both"].sum(),
    breaks={"xi1": 0.5},
)
