"""Small figure `linear_block-step`: one step with one gain in three bowls.

Chapter `linear_block`. Source: arXiv 2402.14951, equation 5.1 and Theorem 5.2, with one feature, H = Psi = 1, M = 4.
"""

from typing import NamedTuple

from hal.figure import Idea, Path, Say, Slider, points
from lib.portable.primitives import Readings, nan, zero_matrix, zeros
from lib.portable.vectors import filled

START = 2.0  # the prior mean
BOTTOM = 4.0  # least squares on each of the three prompts
STEEP = 2.79  # of the bowls of four examples one in 40 is steeper
TYPICAL = 0.84  # one in two
FLAT = 0.121  # one in 40 is flatter
CURVE = 61  # points of a bowl
WAY = 21  # of a step in it
LOW = 0.6  # slopes in the picture
HIGH = 7.6
TOP = 12.5  # errors in the picture
TITLE = "One gain for all bowls"
HINT = "Change the gain: does one suit all three bowls?"
SLIDERS = {"gain": Slider("Gain", "no unit", 0.64, (0.4, 0.7), log=False)}


class Chosen(NamedTuple):
    """The settings of this figure."""

    gain: float


def settings(gain: float) -> Chosen:
    """The gain of the step."""
    return Chosen(gain)


def bowls(settings: Chosen) -> Readings:
    """Slopes (61,), and over them the error above least squares in three bowls, NaN above the picture; the typical one
    twice, for a step that goes half-way and for one that does not, of which one is NaN. The step in each along its
    bowl, (66,) with a gap between two. Places, heights and kinds (6,): where it starts, then where it lands. How much
    of the way it goes in the steep one, in percent; the gain.
    """
    S, slopes, high, kinds = [STEEP, TYPICAL, FLAT], zeros(CURVE), zeros(6), zeros(6)
    errors, other, share = zero_matrix(3, CURVE), filled(CURVE, nan), settings.gain * TYPICAL
    at, way_x, way_y = filled(6, START), filled(3 * (WAY + 1), nan), filled(3 * (WAY + 1), nan)
    for b in range(3):
        at[3 + b] = START + settings.gain * S[b] * (BOTTOM - START)
        kinds[3 + b] = 1.0
        for k in range(CURVE):
            slopes[k] = LOW + (HIGH - LOW) * float(k) / float(CURVE - 1)
            error = S[b] * (slopes[k] - BOTTOM) * (slopes[k] - BOTTOM)
            errors[b][k] = error if error <= TOP else nan
        for k in range(WAY):
            i = (WAY + 1) * b + k
            way_x[i] = START + float(k) / float(WAY - 1) * (at[3 + b] - START)
            way_y[i] = S[b] * (way_x[i] - BOTTOM) * (way_x[i] - BOTTOM)
        for k in range(2):
            high[3 * k + b] = S[b] * (at[3 * k + b] - BOTTOM) * (at[3 * k + b] - BOTTOM)
    if share < 0.4 or share > 0.6:
        for k in range(CURVE):
            other[k] = errors[1][k]
            errors[1][k] = nan
    return {
        "slopes": slopes, "steep": errors[0], "half": errors[1], "part": other, "flat": errors[2], "at": at,
        "high": high, "kinds": kinds, "way_x": way_x, "way_y": way_y, "percent": [100.0 * settings.gain * STEEP],
        "gain": [settings.gain],
    }  # fmt: skip


def picture() -> points:
    """Three bowls, with the same step in each."""
    names = {"steep": "steep: overshoots", "half": "typical: half-way", "part": "typical: part of the way",
             "flat": "flat: hardly moves"}  # fmt: skip
    return points(
        x="bowls.at", y="bowls.high", kinds="bowls.kinds", kind_names=("start", "after one step"),
        ideas=("data", "step"), xlim=(LOW, HIGH), ylim=(-0.7, TOP), xlabel="slope", ends=False, height=270,
        ylabel="error above least squares", xticks=[(START, "start: β*"), (BOTTOM, "least squares")],
        lines=[*(Path("bowls.slopes", f"bowls.{one}", name, "loss") for one, name in names.items()),
               Path("bowls.way_x", "bowls.way_y", "", "step")],
        large=True,
        alt="Three parabolas with one bottom. From one start the step passes the bottom of the steep one, gets "
        "half-way in the typical one and hardly moves in the flat one.",
    )  # fmt: skip


def say() -> list[Say]:
    """One gain, and how far it goes where the bowl is steep."""
    return [Say("The gain is {bowls.gain:2} in all three. In the steep bowl the step goes {bowls.percent:0}% of the "
                "way to the bottom.")]  # fmt: skip


IDEA = Idea(
    "In the steep bowl the step lands beyond the bottom, by half of the way or more.",
    greater=lambda drawn: drawn["bowls.at"][3],
    than=lambda drawn: 1.5 * BOTTOM - 0.5 * START,
    breaks={"gain": 0.4},
)
