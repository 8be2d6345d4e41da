"""Small figure `linear_block-wait`: how long the examples wait, over the size of the matrices at first.

Chapter `linear_block`. Source: ours; the training is that of `linear_block-training`, at seven sizes.
"""

from typing import Any

from hal.chapters.linear_block.theory.plane import best_gain, shares
from hal.figure import Idea, Path, Say, Slider, points
from lib.models.linear_block.textbook import Settings, done, start, step
from lib.portable.numbers import exp, log
from lib.portable.primitives import Readings, nan, zeros
from lib.portable.vectors import filled

COUNT = 7  # sizes, each the root of two times the one before
LEAST = 0.02  # the smallest
WHOLE = 0.32  # about where training leaves the entries
TITLE = "What decides how fast?"
HINT = "Halve the size: how much longer do the examples wait?"
DEFERRED_THEORY = ("waits",)
SLIDERS = {
    "lr": Slider("Learning rate η", "no unit", 0.02, (0.02, 0.04)),
}


def settings(lr: float) -> Settings:
    """The settings of `linear_block-training`, for as many steps as the smallest size needs."""
    return Settings(norm=1.5, lr=lr, adam=0, steps=9000)


def half_learned(settings: Settings, scale: float, adam: int) -> float:
    """After how many steps the examples are half learned, from matrices of this size."""
    s = settings
    state = start(Settings(norm=s.norm, scale=scale, lr=s.lr, adam=adam, steps=s.steps), 0)
    way = filled(s.d, 1.0)
    best = best_gain(state.law, way)
    while not done(state):
        step(state)
        share = shares(state, way, best)
        if share[1] >= 0.5:
            return float(state.step)
    return nan


def waits(settings: Settings) -> Readings:
    """When the examples are half learned, over seven sizes: under gradient descent, then under Adam (14,), at places in
    octaves above the smallest size. Theory's line (25,), a constant over the squared size, through the time from the
    smallest one, and from the right Adam's times. The corner between the times from the smallest size and from
    twice that; both times, and how many times longer the first is.
    """
    at, wait, kinds, law = zeros(2 * COUNT), zeros(2 * COUNT), zeros(2 * COUNT), zeros(25)
    places, flat, back, soon = zeros(25), zeros(COUNT), zeros(COUNT), half_learned(settings, WHOLE, 0)
    for adam in range(2):
        for k in range(COUNT):
            i = COUNT * adam + k
            at[i] = 0.5 * float(k)
            kinds[i] = float(adam)
            wait[i] = half_learned(settings, LEAST * exp(log(2.0) * at[i]), adam)
        for k in range(COUNT):
            flat[k] = wait[2 * COUNT - 1 - k]
            back[k] = at[COUNT - 1 - k]
    for k in range(25):
        places[k] = 3.0 - float(k) / 8.0
        low, high = LEAST * exp(log(2.0) * places[k]), 1.0 / (WHOLE * WHOLE)
        law[k] = soon + (wait[0] - soon) * (1.0 / (low * low) - high) / (1.0 / (LEAST * LEAST) - high)
    return {
        "at": at, "wait": wait, "kinds": kinds, "places": places, "law": law, "longer": [wait[0] / wait[2]],
        "corner_x": [0.0, 0.0, 1.0, 0.5], "corner_y": [wait[0], wait[2], wait[2], wait[2]], "back": back, "flat": flat,
        "most": [wait[0]], "less": [wait[2]],
    }  # fmt: skip


def picture() -> Any:
    """Measured times as dots over the size, and theory's line."""
    sizes = ("0.02", "0.04", "0.08", "0.16")
    return points(
        x="waits.at", y="waits.wait", kinds="waits.kinds", kind_names=("gradient descent", "Adam"),
        ideas=("attention", "rival"), xlim=(-0.15, 3.6), ylim=(-250, 5300), height=260, large=True,
        xlabel="initial size s", xticks=[(float(k), name) for k, name in enumerate(sizes)],
        ylabel="steps until the examples are half learned",
        yticks=[(1000.0 * k, f"{k},000" if k else "0") for k in range(5)],
        ends=False, alt="Dots on a curve that falls from 4,700 steps to a few hundred; Adam's dots lie on the floor.",
        lines=[
            Path("waits.places", "waits.law", "theory: 1/s² plus a constant", theory=True),
            Path("waits.corner_x", "waits.corner_y", "half of s: over 3 ×", "attention"),
            Path("waits.back", "waits.flat", "Adam: no wait", "rival"),
        ],
    )  # fmt: skip


def say() -> list[Say]:
    """When the examples are learned from two sizes."""
    return [Say("From s = 0.04 the examples are half learned at step {waits.less:0}, from s = 0.02 at step "
                "{waits.most:0}: {waits.longer:1} times as late.")]  # fmt: skip


IDEA = Idea(
    "From the smallest matrices the examples are half learned after more than 3,000 steps.",
    greater=lambda drawn: drawn["waits.wait"][0],
    than=lambda drawn: 3000.0,
    breaks={"lr": 0.04},
)
