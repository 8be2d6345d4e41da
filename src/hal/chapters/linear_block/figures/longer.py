"""Small figure `linear_block-longer`: a block made for 8 examples on a longer prompt, with a mean and with a sum.

Chapter `linear_block`. Source: beyond arXiv 2402.14951, by its Lemma H.4; one feature, H = Psi = 1, noise 0.5. The
prompts that are drawn have one line, the risks are those of all.
"""

from typing import NamedTuple

from hal.chapters.linear_block.runs.bowls import MEAN, SIGMA, above
from hal.chapters.linear_block.theory.portable_start import gains_risk
from hal.figure import Idea, Path, Say, Slider, points
from lib.portable.primitives import Readings, nan, zeros
from lib.portable.random_numbers import generator, normals
from lib.portable.vectors import filled, scaled
from lib.theory.linear_block.portable import best_gains

MADE = 8  # examples of training
MOST = 64
OWN = 3.5  # slope of the prompt's own line
LOW = 1.0  # slopes in the picture
HIGH = 6.0
TOP = 4.5
POLE = 0.5  # from a landing up to its name
FOOT = -0.85  # where the other name stands
CURVE = 81
TITLE = "Longer prompts: a sum overshoots"
AGAIN = "Another prompt"
HINT = "Made for 8 examples. Show it more: which step leaves the bowl?"
SLIDERS = {"M": Slider("Examples shown", "examples", 16, (2, MOST))}


class Chosen(NamedTuple):
    """The settings of this figure."""

    M: int


def settings(M: int) -> Chosen:
    """The length of the prompt."""
    return Chosen(M)


def steps(settings: Chosen, seed: int) -> Readings:
    """The bowl of a prompt and two steps in it.

    Returns:
        slopes, errors (81,): the bowl, the error less the least. at, high, kinds (3,): the start, the landing with a
        mean and with a sum, NaN outside the picture. mean_x, mean_y, sum_x, sum_y (3,): the ways, and on to the
        names; start_x, start_y (2,): to that of the start. Risks over all prompts: mean, sum, and made, of a step
        that is made for this length; M.
    """
    count, drawn, xx, xy = settings.M, zeros(2 * MOST), 0.0, 0.0
    normals(generator(seed, 3), drawn)
    for i in range(count):
        x = drawn[2 * i]
        xx += x * x
        xy += x * (OWN * x + SIGMA * drawn[2 * i + 1])
    M, one = float(count), filled(1, 1.0)
    S, bottom, ratio = xx / M, xy / xx, M / float(MADE)
    gains = best_gains(one, 1.0, SIGMA, float(MADE))
    slopes, errors = zeros(CURVE), zeros(CURVE)
    for k in range(CURVE):
        slopes[k] = LOW + (HIGH - LOW) * float(k) / float(CURVE - 1)
        error = above(slopes[k], bottom, S)
        errors[k] = error if error <= TOP else nan
    way = gains[0] * S * (bottom - MEAN)
    at = [MEAN, MEAN + way, MEAN + ratio * way]
    high, lands, kinds = zeros(3), zeros(3), zeros(3)
    for k in range(3):
        lands[k] = above(at[k], bottom, S)
        high[k] = lands[k] if lands[k] <= TOP and at[k] <= HIGH else nan
        kinds[k] = float(k)
    return {
        "slopes": slopes, "errors": errors, "at": at, "high": high, "kinds": kinds, "mean_x": [at[0], at[1], at[1]],
        "mean_y": [lands[0], lands[1], FOOT], "sum_x": [at[0], at[2], at[2]],
        "sum_y": [lands[0], lands[2], lands[2] + POLE], "start_x": [at[0], at[0] - 0.05],
        "start_y": [lands[0], lands[0] - POLE],
        "mean": [gains_risk(one, 1.0, SIGMA, M, gains)], "made": [gains_risk(one, 1.0, SIGMA, M, best_gains(one, 1.0,
        SIGMA, M))], "sum": [gains_risk(one, 1.0, SIGMA, M, scaled(gains, ratio))], "M": [M],
    }  # fmt: skip


def picture() -> points:
    """The bowl, and two steps from one start."""
    return points(
        x="steps.at", y="steps.high", kinds="steps.kinds", ideas=("theory", "step", "rival"),
        kind_names=("start", "lands with a mean", "lands with a sum"), xlim=(LOW, HIGH), ylim=(-1.0, TOP),
        xlabel="slope", ylabel="error on the examples, less the least", height=230,
        lines=[Path("steps.slopes", "steps.errors", "bowl", idea="loss"),
               Path("steps.start_x", "steps.start_y", "start", theory=True),
               Path("steps.sum_x", "steps.sum_y", "sum", idea="rival"),
               Path("steps.mean_x", "steps.mean_y", "mean", idea="step")],
        alt="A bowl and two steps from one start: with a mean it stops near the bottom, with a sum far beyond.",
    )  # fmt: skip


def say() -> list[Say]:
    """Three risks."""
    return [
        Say("With as many examples as the block is made for, mean and sum take the same step: risk {steps.mean:2}.",
            "steps.M == 8"),
        Say("Shown {steps.M:0} examples, the block has risk {steps.mean:2} with a mean, {steps.sum:2} with a sum."),
    ]  # fmt: skip


IDEA = Idea(
    "The sum goes farther than the mean.",
    lambda drawn: drawn["steps.sum_x"][1],
    lambda drawn: drawn["steps.mean_x"][1] + 0.1,
    breaks={"M": 8},
)
