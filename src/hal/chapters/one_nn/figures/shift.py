"""Small figure `one_nn-shift`: the trained pair on prompts without near ties, beside ordinary ones.

Chapter `one_nn`. Source: arXiv 2411.10830, its theorem on distribution shift and experiments. The pair follows the
reduced flow; losses are by quadrature, as late a few prompts in ten thousand make them.
"""

from typing import Any, NamedTuple

from hal.chapters.one_nn.theory.portable_flow import log_times, path
from hal.chapters.one_nn.theory.portable_shift import separated_loss
from hal.figure import Idea, Line, Say, Slider, over_steps
from lib.portable.primitives import Readings, zeros
from lib.theory.one_nn.portable import law_of

D = 8  # dimension
N = 16  # examples
END = 1e6
TIMES = 25
TITLE, TIME, TIME_LABEL = "Does a larger separation always help?", "flow.t", "training time t"
HINT = "Change the separation δ: does the end of the green curve move?"
OPENS = 1.0
TALLEST = 440  # three curves with their names
SLIDERS = {"delta": Slider("Separation δ", "no unit", 0.4, (0.05, 1.0), log=False)}


class Settings(NamedTuple):
    """The settings of this figure."""

    delta: float


def settings(delta: float) -> Settings:
    """Sixteen examples in eight dimensions; training starts from a self-penalty of 3."""
    return Settings(delta)


def flow(settings: Settings) -> Readings:
    """Times (25,) of the flow, its loss, that on separated prompts, the part of lonely queries; their ends."""
    law, t = law_of(D, N), log_times(END, TIMES)
    xi1, xi2, loss = path(law, 0.0, 3.0, t, 1e-3)
    separated, alone = zeros(TIMES), zeros(TIMES)
    for i in range(TIMES):
        separated[i], alone[i] = separated_loss(law, xi1[i], xi2[i], settings.delta)
    return {
        "t": t, "xi1": xi1, "xi2": xi2, "loss": loss, "separated": separated, "floor": alone,
        "end": [separated[TIMES - 1]], "own": [100.0 * alone[TIMES - 1] / separated[TIMES - 1]],
    }  # fmt: skip


def picture() -> Any:
    """Both losses, and what lonely queries make of one of them."""
    losses = [
        Line("flow.loss", "ordinary prompts", idea="loss"), Line("flow.separated", "separated by δ", idea="rival"),
        Line("flow.floor", "lonely queries alone", theory=True),
    ]  # fmt: skip
    return over_steps("", "test loss (no unit)", *losses, x=TIME, xlabel="training time t (no unit)", xlog=True,
                      ylog=True, xlim=(1, END), ylim=(1e-6, 1), height=260)  # fmt: skip


def say() -> list[Say]:
    """The loss on separated prompts at the end, and who makes it."""
    ends = "The loss on separated prompts ends at {flow.end}, "
    return [
        Say(ends + "almost all of it from lonely queries.", "flow.own >= 99"),
        Say(ends + "{flow.own:0}% of it from lonely queries."),
    ]


IDEA = Idea(
    "Without near ties the loss ends a hundred times lower, and queries with no near example make nearly all of it.",
    lambda drawn: float(min(drawn["flow.loss"][-1] / 100, drawn["flow.floor"][-1] / 0.9)),
    lambda drawn: float(drawn["flow.separated"][-1]),
    breaks={"delta": 0.05},
)
