"""Small figure `scb-needed`: what samples grow with, by optimiser, goal and kind of attention.

Chapter `scb`, beyond the paper (arXiv 2410.23438, Theorem 3.1 asks for poly(T) samples). Recorded runs, sixteen seeds.
"""

from typing import NamedTuple

from hal.chapters.scb.runs.needed import FIRST, SIZES, samples
from hal.explorer import Idea, Line, Say, Slider, lines
from hal.explorer.charts import Lines
from lib.portable.numbers import log
from lib.portable.primitives import Readings, Vector
from lib.portable.vectors import part, scaled

TITLE, HINT = "What costs samples?", "Add the soft threshold: which line is less steep?"
BY = ["gradient descent", "the soft threshold", "Adam", "sign descent"]
SLIDERS = {
    "optimiser": Slider("Optimiser", default=0, names={0: "descent", 1: "soft", 2: "Adam", 3: "sign"}),
    "over": Slider("What grows", default=0, names={0: "T", 1: "N", 2: "Q"}),
}


class Chosen(NamedTuple):
    """What is chosen."""

    optimiser: int
    over: int  # 0 for T, 1 for N, 2 for Q


def settings(optimiser: int, over: int) -> Chosen:
    """An optimiser, and what grows."""
    return Chosen(optimiser, over)


def power(sizes: Vector, needed: Vector) -> float:
    """The slope of log samples against the logarithm of the sizes that arrive, by least squares."""
    n, x, y, xx, xy = 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(len(sizes)):
        if needed[i] > 0.0:
            u, v = log(sizes[i]), log(needed[i])
            n, x, y, xx, xy = n + 1.0, x + u, y + v, xx + u * u, xy + u * v
    return (n * xy - x * y) / (n * xx - x * x)


def needed(settings: Chosen) -> Readings:
    """Sizes (5 or 6,) over the smallest; the fewest samples at each with their intervals, to look at little else and,
    "first", to find the positions; a line that grows as the size does; powers, of "first" the larger one.
    """
    optimiser, over = settings.optimiser, settings.over
    sizes = part(SIZES, FIRST[over], FIRST[over + 1] - FIRST[over])
    linear, softmax = samples(0, optimiser, 0, 1, over), samples(0, optimiser, 1, 1, over)
    first, second = samples(0, optimiser, 0, 0, over), samples(0, optimiser, 1, 0, over)
    times = scaled(sizes, 1.0 / sizes[0])
    return {
        "times": times, "guide": scaled(times, linear[0]),
        "linear": linear, "linear_low": samples(1, optimiser, 0, 1, over),
        "linear_high": samples(2, optimiser, 0, 1, over),
        "softmax": softmax, "softmax_low": samples(1, optimiser, 1, 1, over),
        "softmax_high": samples(2, optimiser, 1, 1, over),
        "first": first, "first_low": samples(1, optimiser, 0, 0, over), "first_high": samples(2, optimiser, 0, 0, over),
        "second": second, "second_low": samples(1, optimiser, 1, 0, over),
        "second_high": samples(2, optimiser, 1, 0, over),
        "power": [power(sizes, linear)], "soft": [power(sizes, softmax)],
        "where": [max(power(sizes, first), power(sizes, second))],
        "optimiser": [float(optimiser)], "over": [float(over)],
    }  # fmt: skip


def picture() -> Lines:
    """Samples for the two goals and the two kinds of attention."""
    named = [
        ("linear", "little else, linear", "linear"), ("softmax", "little else, softmax", "softmax"),
        ("first", "positions, linear", "rival"), ("second", "positions, softmax", "fit"),
    ]  # fmt: skip
    curves = [
        Line(f"needed.{key}", label, idea=idea, band=(f"needed.{key}_low", f"needed.{key}_high"))
        for key, label, idea in named
    ]
    guide = Line("needed.guide", "as the size", theory=True)
    return lines(
        "needed.times", [*curves, guide], xlabel="size over T = 32, N = 2 or Q = 1 (times)",
        ylabel="samples (samples)", title="", xlog=True, ylog=True, xlim=(1.0, 33.0), ylim=(100.0, 40_000.0),
        height=235,
    )  # fmt: skip


def say() -> list[Say]:
    """Powers of what grows."""
    return [
        Say(f"By {name}, little else costs {size}^{{needed.power:2}} with linear attention, {size}^{{needed.soft:2}} "
            f"with softmax; positions cost at most {size}^{{needed.where:2}}.",
            f"needed.optimiser == {i}", f"needed.over == {j}")
        for i, name in enumerate(BY) for j, size in enumerate("TNQ")
    ]  # fmt: skip


IDEA = Idea(
    "Over T, looking at little else grows more than three times as much as finding positions, by descent, linear.",
    lambda drawn: drawn["needed.linear"][5] / drawn["needed.linear"][0],
    lambda drawn: 3 * drawn["needed.first"][5] / drawn["needed.first"][0],
    breaks={"optimiser": 1},
)
