"""Small figure `one_nn-rates`: the loss of the flow, between the law of near ties and the shape of the paper's bound.

Chapter `one_nn`. Sources: the bound O(1 / log t) is arXiv 2411.10830's; the law t^(-1/3) is ours. Nothing is random.
"""

from typing import Any, NamedTuple

from hal.chapters.one_nn.theory.portable_flow import log_times, path, three_digits, time_of
from hal.figure import Idea, Line, Say, Slider, Spot, over_steps
from lib.portable.numbers import log
from lib.portable.primitives import Readings, divide, nan, zeros
from lib.theory.one_nn.portable import gap_density, hazard, late_loss, late_xi1, law_of

END = 1e8
COUNT = 67  # times of the path
EARLY = 4  # place of the name of the loss
NAMED = 42  # and of the other names
FROM = 100.0  # the bound 1 / log t is drawn from here, touching the flow's own loss from above
TITLE, TIME, TIME_LABEL = "How fast does the loss fall?", "flow.t", "training time t"
OPENS = 0.34  # the loss is between the two lines
TALLEST = 512  # the curve that the chapter is about
HINT = "Which of the two lines will the loss follow?"
SLIDERS = {
    "N": Slider("Examples N", "examples", 8, (2, 128), log=True),
    "d": Slider("Dimension d", "no unit", 8, (3, 32), log=True),
}


class Settings(NamedTuple):
    """The settings of this figure."""

    N: int
    d: int


def settings(N: int, d: int) -> Settings:
    """So many examples in so many dimensions; training starts from a self-penalty of 3."""
    return Settings(N, d)


def flow(settings: Settings) -> Readings:
    """Times (67,) to 1e8, the loss of the reduced flow, the late law with the flow's own ratio xi2 / xi1 once it is
    below its limit 2, the bound 1 / log t that touches the loss from above. When the loss is 0.02, and how many times
    later 0.01; at the end xi2 / xi1; where the three curves are named.
    """
    law, t, late, slow = law_of(settings.d, settings.N), log_times(END, COUNT), zeros(COUNT), zeros(COUNT)
    xi1, xi2, loss = path(law, 0.0, 3.0, t, 1e-3)
    density, scale = gap_density(law), 0.0
    for i in range(COUNT):
        if t[i] >= FROM:
            scale = max(scale, loss[i] * log(t[i]))
    for i in range(COUNT):
        r = divide(xi2[i], xi1[i]) if xi2[i] < 2.0 * xi1[i] else nan
        found = late_xi1(t[i], density, settings.d, r)
        late[i] = min(10.0, late_loss(found, density, settings.d, r, hazard(law, 1.0 - r))) if r > 0.0 else nan
        slow[i] = scale / log(t[i]) if t[i] >= FROM else nan
    reached, half = time_of(0.02, t, loss), time_of(0.01, t, loss)
    return {
        "t": t, "loss": loss, "late": late, "slow": slow, "reached": [three_digits(reached)],
        "longer": [half / reached], "ratio": [xi2[COUNT - 1] / xi1[COUNT - 1]],
        "early": [t[EARLY]], "at": [t[NAMED]], "loss_name": [loss[EARLY]], "late_name": [1.5 * late[NAMED]],
        "slow_name": [slow[NAMED]],
    }  # fmt: skip


def picture() -> Any:
    """The loss over time, with the law and the bound's shape."""
    losses = [
        Line("flow.loss", "loss", idea="loss"),
        Line("flow.late", "eightfold law", theory=True, ahead=True),
        Line("flow.slow", "shape of the paper's bound", idea="bound", ahead=True),
    ]  # fmt: skip
    spots = [
        Spot("flow.early", "flow.loss_name", [Say("loss")]),
        Spot("flow.at", "flow.late_name", [Say("eightfold law")]),
        Spot("flow.at", "flow.slow_name", [Say("paper's bound")]),
    ]
    return over_steps("", "loss L (no unit)", *losses, x=TIME, xlabel="training time t (no unit)", xlog=True, ylog=True,
                      xlim=(1, END), ylim=(0.002, 1), height=320, spots=spots)  # fmt: skip


def say() -> list[Say]:
    """When the loss is small, and how long half of it takes."""
    return [
        Say("The loss reaches 0.02 at t = {flow.reached:0}. To reach 0.01 takes {flow.longer:1} times as long."),
        Say("The loss reaches 0.02 at t = {flow.reached:0}."),
    ]


IDEA = Idea(
    "In the end the loss is less than a thirtieth of a curve of the bound's shape.",
    lambda drawn: float(drawn["flow.slow"][-1]),
    lambda drawn: 30 * float(drawn["flow.loss"][-1]),
    breaks={"N": 128, "d": 32},
)
