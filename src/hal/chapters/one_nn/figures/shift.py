"""Figure `one_nn-shift`: the trained pair on other data, prompts with a separation delta, beside uniform ones.

Chapter `one_nn`. Source: arXiv 2411.10830, its theorem on distribution shift and experiments. The pair follows the
reduced flow; losses are by quadrature, as late a few prompts in ten thousand make them; a run of 150 prompts counts
signs.
"""

from typing import Any

from hal.chapters.one_nn.figures._shared import TABLE, TIME_LABEL
from hal.chapters.one_nn.models import textbook_shift
from hal.chapters.one_nn.models.textbook_shift import Settings
from hal.chapters.one_nn.theory.portable_flow import log_times, path
from hal.chapters.one_nn.theory.portable_reduced import loss_and_slopes
from hal.chapters.one_nn.theory.portable_shift import loss_bound, separated_loss
from hal.figure import Line, Say, Step, over_steps, sliders
from lib.portable.primitives import Readings, zeros
from lib.theory.one_nn.portable import law_of

END = 1e6
TIMES = 49
PROMPTS = 150  # of a run
LEAST = 1e-9  # smallest loss drawn
LOSS = "Lonely queries set a floor"
TITLE, RUN, COLUMNS, TIME = "Tested on data without near ties", textbook_shift, 2, "time"
SLIDERS = sliders(TABLE, N=16, d=8, sigma=(3.0, -4.0, 30.0), delta=0.4)
PRIMARY_SLIDERS = ("N", "sigma", "delta")


def settings(N: int, d: int, sigma: float, delta: float) -> Settings:
    """The path of the reduced flow at these sliders, as pairs to test."""
    t = log_times(END, TIMES)
    xi1, xi2, _ = path(law_of(d, N), 0.0, sigma, t, 1e-3)
    return Settings(t, xi1, xi2, N, d, delta, PROMPTS)


def flow(settings: Settings) -> Readings:
    """The pair over time; its loss on uniform prompts, on separated ones and the floor of these; their bound."""
    law, xi1, xi2 = law_of(settings.d, settings.N), settings.xi1, settings.xi2
    law.steep = False  # no slopes are needed
    count = len(xi1)
    loss, most, separated, alone = zeros(count), zeros(count), zeros(count), zeros(count)
    for i in range(count):
        loss_and_slopes(law, xi1[i], xi2[i])
        loss[i] = law.slopes[0]
        most[i] = max(LEAST, loss_bound(law, xi1[i], xi2[i], settings.delta))
        both, own = separated_loss(law, xi1[i], xi2[i], settings.delta)
        separated[i] = max(LEAST, both)
        alone[i] = max(LEAST, own)
    last = count - 1
    return {
        "xi1": xi1, "xi2": xi2, "loss": loss, "bound": most, "separated": separated, "floor": alone,
        "last": [loss[last]], "most": [most[last]], "delta": [settings.delta], "end": [separated[last]],
        "own": [100.0 * alone[last] / separated[last]],
    }  # fmt: skip


def panels() -> list[Any]:
    """The two losses with the floor and the bound of one of them, and shares of right signs."""
    time: dict[str, Any] = dict(x=TIME, xlabel=TIME_LABEL, xlog=True, xlim=(1, END), wide=True)
    losses = [
        Line("flow.loss", "uniform prompts", idea="loss"), Line("flow.separated", "separated prompts", idea="rival"),
        Line("flow.floor", "lonely queries alone", theory=True),
        Line("flow.bound", "bound, separated", idea="bound", theory=True),
    ]  # fmt: skip
    signs = [
        Line("right", "uniform", idea="output"),
        Line("shifted_right", "separated", idea="rival"),
    ]  # fmt: skip
    return [
        over_steps(LOSS, "test loss (no unit)", *losses, ylog=True, yswitch=True, ylim=(1e-6, 3), height=300, **time),
        over_steps("Right sign of the answer, among 150 prompts", "right signs (share of prompts)", *signs,
                   ylim=(0.4, 1.01), height=120, **time),
    ]  # fmt: skip


READING = [
    [
        Say("Without separation both are the same prompts; at t = 1,000,000 the loss is {flow.last}.",
            "flow.delta == 0"),
        Say("At t = 1,000,000 the loss is {flow.end} on separated prompts and {flow.last} on uniform ones.",
            "flow.end >= 0.00001"),
        Say("At t = 1,000,000 the loss is below 0.00001 on separated prompts and {flow.last} on uniform ones."),
    ],
    [
        Say("Nearly all of the separated loss comes from lonely queries.",
            "flow.delta > 0", "flow.end >= 0.00001", "flow.own >= 99"),
        Say("Of the separated loss {flow.own:0}% comes from lonely queries.",
            "flow.delta > 0", "flow.end >= 0.00001", "flow.own >= 1"),
    ],
]  # fmt: skip
TOUR = [
    Step("The pair follows its flow on uniform prompts. Here it is tested on others, and signs on fresh prompts.",
         time=1),
    Step("Separated prompts: an example with another label is farther by at least δ. Their loss falls earlier,",
         time=3000, point=LOSS),
    Step("at first like e^(−δξ₁), until it meets a floor: a few queries with no near example attend to themselves.",
         time=1e6, point=LOSS),
    Step("The floor is the same for every δ, and it falls only as a power of the time.", delta=0.4, point="delta"),
    Step("The bound behind the theorem is true and far away; it waits for e^(−δξ₁) to pay for N².", delta=0.3,
         point="delta"),
    Step("Without separation nothing is left of it: both curves are one.", delta=0.0, point="delta"),
]  # fmt: skip
