"""Small figure `one_nn-shift`: the trained pair on prompts without near ties, of three separations.

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
END = 1e7
TIMES = 43
TITLE, TIME, TIME_LABEL = "Does a larger separation always help?", "flow.t", "training time t"
HINT = "Press Play. Where does each of the three losses end?"
OPENS = 0.75  # while they are far apart
TALLEST = 472  # four curves with their names
SLIDERS = {"sigma": Slider("Self-penalty at the start, ξ_2(0)", "no unit", 3.0, (3.0, 300.0), log=True)}


class Settings(NamedTuple):
    """The settings of this figure."""

    sigma: float


def settings(sigma: float) -> Settings:
    """Sixteen examples in eight dimensions; training starts from this self-penalty."""
    return Settings(sigma)


def flow(settings: Settings) -> Readings:
    """Times (43,) of the flow, the losses at the three separations (43,), and that of lonely queries (43,); at the end
    its percentage of the loss at the smallest separation.
    """
    law, t = law_of(D, N), log_times(END, TIMES)
    xi1, xi2, _ = path(law, 0.0, settings.sigma, t, 1e-3)
    small, middle, large, alone = zeros(TIMES), zeros(TIMES), zeros(TIMES), zeros(TIMES)
    for i in range(TIMES):
        small[i], alone[i] = separated_loss(law, xi1[i], xi2[i], 0.1)
        middle[i], alone[i] = separated_loss(law, xi1[i], xi2[i], 0.4)
        large[i], alone[i] = separated_loss(law, xi1[i], xi2[i], 1.0)
    return {
        "t": t, "xi1": xi1, "xi2": xi2, "small": small, "middle": middle, "large": large, "floor": alone,
        "own": [100.0 * alone[TIMES - 1] / small[TIMES - 1]],
    }  # fmt: skip


def picture() -> Any:
    """The three losses, and the floor under them."""
    losses = [
        Line("flow.small", "other labels farther by 0.1", idea="loss", named_at=2e3),
        Line("flow.middle", "by 0.4", idea="rival", named_at=6e3),
        Line("flow.large", "by 1", idea="test", named_at=1.5e3), Line("flow.floor", "only lonely queries", theory=True),
    ]  # fmt: skip
    return over_steps("", "loss on separated prompts (no unit)", *losses, x=TIME, xlabel="training time t (no unit)",
                      xlog=True, ylog=True, xlim=(10, END), ylim=(1e-6, 1), height=280)  # fmt: skip


def say() -> list[Say]:
    """Whether all three have come to the floor."""
    return [
        Say("At the end lonely queries account for at least 99% of all three losses.", "flow.own >= 99"),
        Say("At the end lonely queries account for {flow.own:0}% of the loss at separation 0.1.", "flow.own >= 0.5"),
        Say("With so large a self-penalty no query is lonely yet, not even at the end."),
    ]


IDEA = Idea(
    "At the end a separation of 0.1 costs less than 1.1 times as much as one of 1.",
    lambda drawn: 1.1 * float(drawn["flow.large"][-1]),
    lambda drawn: float(drawn["flow.small"][-1]),
    breaks={"sigma": 300.0},
)
