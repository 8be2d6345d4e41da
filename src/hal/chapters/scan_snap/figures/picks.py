"""Small figure `scan_snap-picks`: which distinct token leads, by whom Adam trains and at which learning rate.

Chapter `scan_snap`, beyond the paper; arXiv 2305.16380, Section 8, Figure 5 has Adam at three rates. Recorded runs.
"""

from typing import Any, NamedTuple

from hal.chapters.scan_snap.figures._shared import adam_sliders
from hal.chapters.scan_snap.runs.picks import RATES, TOKENS, deviation, leads, mean, wins
from hal.explorer import Idea, Line, Mark, Say, columns, lines
from lib.portable.primitives import Readings, nan, zeros
from lib.portable.vectors import filled, numbered, total

TITLE = "Does the most frequent token lead?"
HINT = "Adam in attention alone: which token leads now?"
SLIDERS = adam_sliders(RATES, who=1, rate=4)


class Chosen(NamedTuple):
    """What is chosen."""

    who: int
    rate: int  # which of the recorded ones


def settings(who: int, rate: int) -> Chosen:
    """A layer that Adam trains, and its learning rate."""
    return Chosen(who, rate)


def runs(settings: Chosen) -> Readings:
    """Over Adam's rates (10,): rates; share and spread, mean and standard deviation over the runs of the percentage
    that the most frequent token has, NaN without Adam; plain and before, the same of gradient descent and of an
    untrained layer. At the chosen rate: wins (10,), runs in which a token leads, the rarest first; first, those of the
    last; gain, the mean percentage less that before training, and now, that mean; rate, NaN without Adam.
    """
    n = len(RATES)
    rates, share, spread, start = zeros(n), filled(n, nan), filled(n, nan), numbered(TOKENS)
    before = 100.0 * start[TOKENS - 1] / total(start)
    for i in range(n):
        rates[i] = RATES[i]
        if settings.who > 0:
            share[i] = mean(leads(settings.who, i))
            spread[i] = deviation(leads(settings.who, i))
    now, won = mean(leads(settings.who, settings.rate)), wins(settings.who, settings.rate)
    return {
        "rates": rates, "share": share, "spread": spread, "plain": filled(n, mean(leads(0, 0))),
        "before": filled(n, before), "wins": won, "first": [won[TOKENS - 1]], "now": [now], "gain": [now - before],
        "rate": [RATES[settings.rate] if settings.who > 0 else nan],
    }  # fmt: skip


def picture() -> tuple[Any, Any]:
    """Whom the runs have chosen, and how much the most frequent one has, over the rate."""
    return columns(
        heights="runs.wins", ideas=("distinct",), ylim=(0.0, 16.0), height=140,
        ylabel="runs led by each token; 10 is most frequent",
        alt="Ten columns, one a token: the fourth rarest leads in nearly all runs, the most frequent in none.",
    ), lines(
        "runs.rates",
        [Line("runs.share", "Adam ± s.d.", idea="attention", error="runs.spread"),
         Line("runs.plain", "gradient descent", idea="second"),
         Line("runs.before", "untrained", theory=True)],
        marks=[Mark("runs.rate", "η")], xlog=True, xlim=(0.008, 2.5), ylim=(0.0, None), height=140, title="",
        xlabel="Adam's learning rate (no unit)", ylabel="most frequent token (%)",
    )  # fmt: skip


def say() -> list[Say]:
    """Whether the most frequent token leads, and whether it has gained."""
    text = "The most frequent token leads in {runs.first:0} of 16 runs, and its fraction"
    return [
        Say(f"{text} falls to {{runs.now}}%.", "runs.gain < -0.5"),
        Say(f"{text} stays at {{runs.now}}%.", "runs.gain < 0.5"),
        Say(f"{text} grows to {{runs.now}}%."),
    ]


IDEA = Idea(
    "Under Adam a rarer token leads than the most frequent one.",
    greater=lambda drawn: drawn["runs.wins"][:5].sum(),
    than=lambda drawn: drawn["runs.wins"][9] + 8,
    breaks={"who": 3},
)
