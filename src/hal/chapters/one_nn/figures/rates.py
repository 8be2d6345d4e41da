"""Figure `one_nn-rates`: the flow against its late law and the paper's bound, and the time to a chosen loss.

Chapter `one_nn`. Sources: the bound O(1 / log t) is arXiv 2411.10830's; the law t^(-1/3) is ours. Nothing is random."""

from typing import Any

from hal.chapters.one_nn.figures._shared import TABLE, TIME_LABEL
from hal.chapters.one_nn.theory import portable_times
from hal.chapters.one_nn.theory.portable_flow import log_times, path, three_digits, time_of, value_at
from hal.chapters.one_nn.theory.portable_times import DIMENSIONS, EXAMPLES, Settings, dimension, examples
from hal.figure import Line, Mark, Say, Step, lines, sliders
from lib.portable.numbers import log
from lib.portable.primitives import Readings, divide, inf, nan, zeros
from lib.theory.one_nn.portable import gap_density, hazard, late_loss, late_xi1, law_of

END = 1e8
COUNT = 67  # times of the path
FROM = 100.0  # the bound 1 / log t is drawn from here, through the flow's own loss
BOUND, EXAMPLE, DEEP = "The loss falls by a power, not 1/log t", "More examples take longer", "So do more dimensions"
TITLE, RUN, COLUMNS, TIME = "What decides how fast?", portable_times, 2, None
RUNS, PRECOMPUTED_RUNS, PRIMARY_SLIDERS = 1, 1, ("N", "d", "level")
SLIDERS = sliders(TABLE, N=(8, 2, 128), d=(8, 2, 40), sigma=(3.0, -4.0, 30.0), level=0.1)


def settings(N: int, d: int, sigma: float, level: float) -> Settings:
    """The flows of these sliders."""
    return Settings(d, N, sigma, level)


def flow(settings: Settings) -> Readings:
    """The reduced flow to t = 1e8, the late law with the flow's own ratio xi2 / xi1 up to its limit 2, the bound
    1 / log t through its loss at t = 100.
    """
    law = law_of(settings.d, settings.N)
    kappa = gap_density(law)
    known = kappa if kappa < inf else nan
    t = log_times(END, COUNT)
    xi1, xi2, loss = path(law, 0.0, settings.sigma, t, 1e-3)
    late_1, late_L, slow = zeros(COUNT), zeros(COUNT), zeros(COUNT)
    scale = value_at(FROM, t, loss) * log(FROM)
    for i in range(COUNT):
        r = min(2.0, divide(xi2[i], xi1[i])) if xi1[i] > 0.0 and xi2[i] > 0.0 and known > 0.0 else nan
        late_1[i] = late_xi1(t[i], known, settings.d, r)
        late_L[i] = min(10.0, late_loss(late_1[i], known, settings.d, r, hazard(law, 1.0 - r))) if r > 0.0 else nan
        slow[i] = scale / log(t[i]) if t[i] >= FROM else nan
    last = COUNT - 1
    return {
        "t": t, "xi1": xi1, "xi2": xi2, "loss": loss, "late_xi1": late_1, "late_loss": late_L, "slow": slow,
        "reached": [three_digits(time_of(settings.level, t, loss))], "level": [settings.level], "start": [loss[0]],
        "last": [loss[last]], "slow_last": [slow[last]], "ratio": [xi2[last] / xi1[last]], "d": [float(settings.d)],
        "law_last": [late_L[last]],
    }  # fmt: skip


def grids(settings: Settings) -> Readings:
    """Numbers of examples (6,) and dimensions (8,) at which the time to the loss is computed; where the sliders are."""
    N, d = zeros(EXAMPLES), zeros(DIMENSIONS)
    for i in range(EXAMPLES):
        N[i] = float(examples(i))
    for i in range(DIMENSIONS):
        d[i] = float(dimension(i))
    return {"N": N, "d": d, "N_now": [float(settings.N)], "d_now": [float(settings.d)]}


def panels() -> list[Any]:
    """The loss over time with the late law and the bound; the time to a loss over N and over d."""
    reach: dict[str, Any] = dict(ylabel="time to the loss (no unit)", xlog=True, ylog=True, height=190)
    losses = [
        Line("flow.loss", "gradient flow", idea="loss"), Line("flow.late_loss", "late law", theory=True),
        Line("flow.slow", "1 / log t, like the bound", idea="bound"),
    ]  # fmt: skip
    return [
        lines("flow.t", losses, title=BOUND, xlabel=TIME_LABEL, ylabel="loss L (no unit)", xlog=True, ylog=True,
              xlim=(1, END), ylim=(0.002, 1), height=270, wide=True,
              marks=[Mark("flow.reached", "loss reached")]),
        lines("grids.N", [Line("over_N", "time", idea="loss")], marks=[Mark("grids.N_now", "N here")],
              xlabel="examples N (examples)", title=EXAMPLE, xlim=(1.9, 150), **reach),
        lines("grids.d", [Line("over_d", "time", idea="loss")], marks=[Mark("grids.d_now", "d here")],
              xlabel="dimension d (coordinates)", title=DEEP, xlim=(1.9, 45), **reach),
    ]  # fmt: skip


READING = [
    [
        Say("The flow reaches the loss {flow.level:3} at t = {flow.reached:0}."),
        Say("The flow starts below the loss {flow.level:3}.", "flow.start <= flow.level"),
        Say("The flow does not reach the loss {flow.level:3} by t = 100,000,000."),
    ],
    [
        Say("On the circle near ties are so common that there is no late law of this form.", "flow.d <= 2"),
        Say("At t = 10⁸ its loss is {flow.last:4}, and the late law says {flow.law_last:4}."),
    ],
]  # fmt: skip
TOUR = [
    Step("The loss of the flow, over eight decades of time.", point=BOUND),
    Step("The dashed law has no free number: it comes from near ties and lonely queries.", point=BOUND),
    Step("The proof gives a bound of the shape 1 / log t. It is true, and very loose.", point=BOUND),
    Step("More examples lie closer to each other: telling them apart takes longer.", point=EXAMPLE),
    Step("In more dimensions inner products differ less, and ξ₁ moves d times as slowly.", point=DEEP, d=16),
]  # fmt: skip
