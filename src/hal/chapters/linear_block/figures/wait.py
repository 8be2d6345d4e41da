"""Small figure `linear_block-wait`: when mean and examples are half learned, over the size of the matrices at first.

Chapter `linear_block`. Source: ours; the training is that of `linear_block-training`, its first run, at nine sizes.
"""

from typing import Any

from hal.chapters.linear_block.figures._shared import TABLE
from hal.chapters.linear_block.theory.plane import best_gain, shares
from hal.figure import Idea, Line, Say, lines, sliders
from lib.models.linear_block.textbook import Settings, done, start, step
from lib.portable.numbers import exp, log
from lib.portable.primitives import Readings, Vector, nan, zeros
from lib.portable.vectors import filled

COUNT = 9  # sizes, the second twice the first, then each the root of two times the one before
LEAST = 0.02  # the smallest
TITLE = "What decides how fast?"
HINT = "Switch to Adam: does the size still matter?"
DEFERRED_THEORY = ("waits",)
SLIDERS = sliders(TABLE, adam=0, M=20)


def settings(adam: int, M: int) -> Settings:
    """The settings of `linear_block-training`, for as many steps as the smallest size needs."""
    return Settings(M=M, norm=1.5, lr=0.02, adam=adam, steps=9000)


def half_learned(settings: Settings, scale: float) -> Vector:
    """(2,) after how many steps mean and examples are half learned, from matrices of this size."""
    s = settings
    state = start(Settings(M=s.M, norm=s.norm, scale=scale, lr=s.lr, adam=s.adam, steps=s.steps), 0)
    found, way = filled(2, nan), filled(s.d, 1.0)
    best = best_gain(state.law, way)
    while not done(state) and not found[0] + found[1] >= 0.0:
        step(state)
        share = shares(state, way, best)
        for k in range(2):
            if share[k] >= 0.5 and not found[k] >= 0.0:
                found[k] = float(state.step)
    return found


def waits(settings: Settings) -> Readings:
    """Over sizes (9,): the steps to half the mean, to half the examples, and 1 / size^2 through the last of these
    where gradient descent trains. How many times longer the examples take from the smallest size than from twice that.
    """
    sizes, mean, examples, law = zeros(COUNT), zeros(COUNT), zeros(COUNT), filled(COUNT, nan)
    for k in range(COUNT):
        sizes[k] = LEAST * exp(0.5 * log(2.0) * float(k + 1 if k > 0 else 0))
        found = half_learned(settings, sizes[k])
        mean[k] = found[0]
        examples[k] = found[1]
        if settings.adam == 0:
            law[k] = examples[0] * LEAST * LEAST / (sizes[k] * sizes[k])
    longer = examples[0] / examples[1]
    return {"sizes": sizes, "mean": mean, "examples": examples, "law": law, "longer": [longer], "adam": [settings.adam]}


def picture() -> Any:
    """Both waits over the size, and theory's line."""
    series = [
        Line("waits.mean", "the mean", idea="output"), Line("waits.examples", "the examples", idea="attention"),
        Line("waits.law", "theory: 1/s²", theory=True),
    ]  # fmt: skip
    return lines("waits.sizes", series, xlabel="initial size s (no unit)",
                 ylabel="half learned after (steps)", title="", xlog=True, ylog=True, xlim=(LEAST, 0.46),
                 ylim=(10, 10000), height=230)  # fmt: skip


def say() -> list[Say]:
    """What half the size does."""
    return [
        Say("From s = 0.04 to 0.02 the examples take {waits.longer:1} times as long under Adam.", "waits.adam == 1"),
        Say("From s = 0.04 to 0.02 the examples take {waits.longer:1} times as long; theory says 4."),
    ]


IDEA = Idea(
    "From half the size the examples take more than twice as long.",
    greater=lambda drawn: drawn["waits.examples"][0],
    than=lambda drawn: 2 * drawn["waits.examples"][1],
    breaks={"adam": 1},
)
