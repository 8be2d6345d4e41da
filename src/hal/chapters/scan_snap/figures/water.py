"""Small figure `scan_snap-water`: a token gains if it helps more per share of attention than the average token.

Chapter `scan_snap`. Source: arXiv 2305.16380, Lemma 1.
"""

from typing import NamedTuple

from hal.chapters.scan_snap.figures._shared import TABLE
from hal.chapters.scan_snap.models.kinds import COMMON
from hal.chapters.scan_snap.models.textbook_flow import Settings, done, start, step
from hal.figure import Idea, Say, Slider, columns, sliders
from lib.models.scan_snap.textbook import vocabulary
from lib.portable.numbers import exp
from lib.portable.primitives import Readings, divide, nan, zeros
from lib.portable.vectors import argmax, part, scale, total

TOKENS = 10  # distinct ones of each class
RANKS = ("rarest", "second rarest", "third rarest", "fourth rarest", "fifth rarest", "fifth most frequent",
         "fourth most frequent", "third most frequent", "second most frequent", "most frequent")  # fmt: skip
TITLE = "Above the line it gains"
HINT = "Below it loses. A column’s area is its speed. Drag time."
SLIDERS = {
    "t": Slider("Time", "steps", 37.0, (0.3, 100_000.0)),
    **sliders(TABLE, common=(10, 0, 30)),
}


class Chosen(NamedTuple):
    """The settings of this figure."""

    t: float  # steps
    common: int  # tokens


def settings(t: float, common: int) -> Chosen:
    """Two classes with a query each, ten distinct tokens a class, 34 outputs, both rates 1."""
    return Chosen(t, common)


def water(settings: Chosen) -> Readings:
    """Of all common tokens together, and then of each distinct one, rarest first: widths, f_l^2, with sum 1, and
    heights, g_l / f_l over the mean with these weights, less one, NaN where there is no such token. Colours; how far
    common tokens are below the mean, in percent, and which distinct token gains fastest. By Lemma 1 dz_l is
    f_l (g_l - f_l (f.g)), so that f_l^2 weighs g_l / f_l."""
    t, common = settings.t, settings.common
    M = vocabulary(2, 2, common, TOKENS)
    state = start(Settings(M=M, common=common, first=0.5 * t, last=t, points=2), 0)
    while not done(state):
        step(state)
    now, place = state.motion, 3 * len(state.motion.f)
    widths, heights, gains, kinds = zeros(1 + TOKENS), zeros(1 + TOKENS), zeros(1 + TOKENS), zeros(1 + TOKENS)
    for i in range(1 + TOKENS):
        there, token = i > 0 or common > 0, COMMON + i
        heights[i] = divide(now.g[token], now.f[token] * now.mean) - 1.0 if there else nan
        score = now.kinds.law[token] * exp(state.flow.y[place + token]) if there else 0.0
        widths[i] = score * score
        gains[i] = widths[i] * heights[i]
        kinds[i] = 1.0 if i > 0 else 0.0
    widths[0] = float(common) * widths[0]
    whole = 1.0 / total(widths)
    scale(widths, whole)
    scale(gains, whole)
    under = -100.0 * heights[0]
    return {
        "widths": widths, "heights": heights, "kinds": kinds, "under": [under],
        "first": [float(argmax(part(gains, 1, TOKENS)) + 1)], "common": [float(common)],
    }  # fmt: skip


def picture() -> columns:
    """Eleven columns up and down from the mean, the common tokens as one, then the rarest."""
    return columns(
        heights="water.heights", widths="water.widths", kinds="water.kinds", ideas=("common", "distinct"),
        names=("all common tokens", "rarest", "2", "3", "4", "5", "6", "7", "8", "9", "most frequent"),
        ylabel="benefit per unit of attention, above average (fraction of it)", ylim=(-0.3, 0.6), height=250,
        alt="One wide column, all common tokens, hangs below the line; ten narrower ones, the distinct tokens, stand.",
    )  # fmt: skip


def say() -> list[Say]:
    """How far the common tokens are below, and who gains fastest."""
    below = "Common tokens help {water.under}% less than average and lose;"
    return [
        Say("All tokens help equally: nothing moves.", "water.common == 0"),
        *(Say(f"{below} the {name} distinct token gains fastest.", f"water.first == {i + 1}")
          for i, name in enumerate(RANKS)),
    ]  # fmt: skip


IDEA = Idea(
    "Every distinct token stands above the line, and the common ones below it.",
    greater=lambda drawn: min(drawn["water.heights"][1:]),
    than=lambda drawn: max(0.001, drawn["water.heights"][0] + 0.1),
    breaks={"common": 0},
)
