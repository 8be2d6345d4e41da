"""Small figure `group_sparse-thrown`: the population in large steps, thrown off the group and carried back by noise.

Chapter `group_sparse`. Source: beyond arXiv 2504.08638, whose Theorem 3.1 asks for a learning rate of order one.
"""

from typing import NamedTuple

from hal.explorer import Idea, Path, Say, Slider, landscape
from lib.portable.numbers import log
from lib.portable.primitives import Readings, nan, zeros
from lib.portable.vectors import filled
from lib.theory.group_sparse.portable import leak_of, loss_at, rough_law_of
from lib.theory.group_sparse.portable_arrows import arrows, second
from lib.theory.group_sparse.portable_trap import dense_law, descend, way_back

STEPS = 600
SIDE = 21  # points of the landscape a side
LEFT = -2.0  # ends of the axis of the value's strength
RIGHT = 6.0
LOW = -12.0  # ends of the axis of the gap
HIGH = 8.0
ACROSS = 80.0  # pixels of a unit of strength, and of a nat, about
DEEP = 9.5
NAMES = ("1", "2", "3", "4, 6, 8 …", "5, 7, 9 …")
TITLE = "Thrown off, and carried back"
HINT = "Raise ηD slowly from 20 to 24."
SLIDERS = {
    "rate": Slider("Learning rate times groups ηD", "no unit", 22.0, (4.0, 28.0), log=False),
    "D": Slider("Groups D", "groups", 16, (12, 40)),
}


class Chosen(NamedTuple):
    """Learning rate times D, and D."""

    rate: float
    D: int


def settings(rate: float, D: int) -> Chosen:
    """What is chosen."""
    return Chosen(rate, D)


def scene(settings: Chosen) -> Readings:
    """The logarithm (base 10) of the population's loss over strength and gap, and the line of uniform attention."""
    law, x, y, z = rough_law_of(settings.D, 1.0), zeros(SIDE), zeros(SIDE), zeros(SIDE * SIDE)
    for i in range(SIDE):
        share = float(i) / float(SIDE - 1)
        x[i] = LEFT + (RIGHT - LEFT) * share
        y[i] = LOW + (HIGH - LOW) * share
    for j in range(SIDE):
        for i in range(SIDE):
            z[j * SIDE + i] = log(loss_at([x[i], y[j]], law)) / log(10.0)
    return {"x": x, "y": y, "z": z, "even_x": [LEFT, RIGHT], "even_y": filled(2, 0.0)}


def way(settings: Chosen) -> Readings:
    """Strength and gap after steps 1 to 5, arrows to three, x and y (18,); after even steps from 4 on (299,), odd ones
    (298,), x NaN out of the picture; the lowest gap; the step from which attention is above 1/2, or NaN; the formula's.
    """
    law, lr, D = dense_law(settings.D), settings.rate / float(settings.D), float(settings.D)
    place, room, x, y = zeros(2), zeros(2), zeros(STEPS + 1), zeros(STEPS + 1)
    lowest, back = 0.0, nan
    for t in range(STEPS + 1):
        if t > 0:
            descend(place, lr, law, room)
        x[t] = place[0]
        y[t] = place[1]
        lowest = min(lowest, place[1])
        if leak_of(D, place[1]) > 0.5:
            back = nan
        elif not back > 0.0:
            back = float(t)
    formula = way_back(lr, lowest, law) if lowest < -1.0 and settings.rate * D / (D - 1.0) > 8.5 else nan
    tips = arrows(x, y, 3, LOW, ACROSS, DEEP)
    at = zeros(STEPS + 1)
    for t in range(STEPS + 1):
        at[t] = x[t] if x[t] <= RIGHT and x[t] >= LEFT and y[t] >= LOW and y[t] <= HIGH else nan
    return {
        "x4": [at[4]], "y4": [y[4]], "x5": [at[5]], "y5": [y[5]],
        "x1": [x[1]], "y1": [y[1]], "x2": [x[2]], "y2": [y[2]], "x3": [at[3]], "y3": [y[3]],
        "first_x": tips[0], "first_y": tips[1], "x": second(at, 4), "y": second(y, 4), "odd_x": second(at, 5),
        "odd_y": second(y, 5), "lowest": [lowest], "back": [back], "formula": [formula],
    }  # fmt: skip


def picture() -> landscape:
    """The loss, the first steps by their numbers, and the way back."""
    more = [Path(f"way.{k}x", f"way.{k}y", "", idea="output") for k in ("", "odd_")]
    more += [Path("scene.even_x", "scene.even_y", "uniform", theory=True)]
    return landscape(
        x="scene.x", y="scene.y", z="scene.z", levels=14, height=250,
        paths=[Path("way.first_x", "way.first_y", "", idea="attention"), *more],
        places=[Path(f"way.x{k + 1}", f"way.y{k + 1}", NAMES[k]) for k in range(5)],
        xlabel="strength of the value α (no unit)", ylabel="logit gap b (nats)",
        alt="Bands of the loss. Arrows to steps 1, 2 and 3: the third falls far below the line of uniform attention. "
        "Then even and odd steps, on either side, climb back.",
    )  # fmt: skip


def say() -> list[Say]:
    """Whether attention is back, and when."""
    thrown = "Attention is thrown down to b = {way.lowest:1}, and "
    return [
        Say(thrown + "back after {way.back} steps; the formula gives {way.formula}.", "way.lowest < -2"),
        Say(thrown + "not back in these steps; the formula gives {way.formula}.", "way.lowest < -2"),
        Say("Attention is above one half from step {way.back} onwards."),
        Say("Attention does not stay above one half in these steps."),
    ]  # fmt: skip


IDEA = Idea(
    "The third step ends far below uniform attention.",
    greater=lambda drawn: -2.0,
    than=lambda drawn: float(drawn["way.y3"][0]),
    breaks={"rate": 12.0},
)
