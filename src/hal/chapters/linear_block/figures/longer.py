"""Small figure `linear_block-longer`: a block made for 8 examples on a longer prompt, averaging and summing.

Chapter `linear_block`. Source: beyond arXiv 2402.14951, by its Lemma H.4; one feature, H = Psi = 1, noise 0.5. The
prompts that are drawn have one line, the risks are those of all.
"""

from typing import NamedTuple

from hal.chapters.linear_block.figures._shared import bowl_picture
from hal.chapters.linear_block.runs.bowls import MEAN, SIGMA, bowl_with
from hal.figure import Idea, Say, Slider, points
from lib.portable.primitives import Readings, zeros
from lib.portable.random_numbers import generator, normals
from lib.portable.vectors import filled
from lib.theory.linear_block.portable import best_gains

MADE = 8  # examples of training
MOST = 64
OWN = 3.5  # slope of the prompt's own line
TITLE = "Longer prompts: a sum overshoots"
AGAIN = "Another prompt"
HINT = "Made for 8 examples. Show it more: which step leaves the bowl?"
SLIDERS = {"M": Slider("Examples shown (made for 8)", "examples", 24, (2, MOST))}


class Chosen(NamedTuple):
    """The settings of this figure."""

    M: int


def settings(M: int) -> Chosen:
    """The length of the prompt."""
    return Chosen(M)


def gain_for(M: int) -> float:
    """The best gain on prompts of this length."""
    gains = best_gains(filled(1, 1.0), 1.0, SIGMA, float(M))
    return gains[0]


def risk_of(gain: float, M: float) -> float:
    """The risk of a step with this gain on prompts of M examples."""
    tau = 1.0 + SIGMA * SIGMA
    return tau + gain * gain * (M + 1.0 + tau) / M - 2.0 * gain


def bowl(settings: Chosen, seed: int) -> Readings:
    """The bowl of a prompt, the start, and where a step lands with a mean and with a sum."""
    count, drawn, xx, xy = settings.M, zeros(2 * MOST), 0.0, 0.0
    normals(generator(seed, 3), drawn)
    for i in range(count):
        x = drawn[2 * i]
        xx += x * x
        xy += x * (OWN * x + SIGMA * drawn[2 * i + 1])
    S, bottom = xx / float(count), xy / xx
    way = gain_for(MADE) * S * (bottom - MEAN)
    return bowl_with(bottom, S, [MEAN, MEAN + way, MEAN + float(count) / float(MADE) * way], 2)


def risks(settings: Chosen) -> Readings:
    """Risks over all prompts of this length: with a mean and with a sum; M."""
    M, gain = float(settings.M), gain_for(MADE)
    return {"mean": [risk_of(gain, M)], "sum": [risk_of(gain * M / float(MADE), M)], "M": [M]}


def picture() -> points:
    """The bowl, and two steps from one start."""
    return bowl_picture("bowl", ("average", "step"), ("sum", "rival"),
                        "A bowl and two steps from one start: an average stops near the bottom, a sum far beyond "
                        "it.", 230)  # fmt: skip


def say() -> list[Say]:
    """Three risks."""
    return [
        Say("With the 8 examples that it is made for, average and sum take the same step: risk {risks.mean:2}.",
            "risks.M == 8"),
        Say("With {risks.M:0} examples the risk is {risks.mean:2} if attention averages, {risks.sum:2} if it sums."),
    ]  # fmt: skip


IDEA = Idea(
    "The sum goes farther than the mean.",
    lambda drawn: drawn["bowl.other_x"][1],
    lambda drawn: drawn["bowl.to_x"][1] + 0.1,
    breaks={"M": 8},
)
