"""Explorer `one_nn-rates`: the flow against its late law and the paper's bound, and the time to a chosen loss.

Chapter `one_nn`. Sources: the bound O(1 / log t) is arXiv 2411.10830's; the law t^(-1/3) is ours. The page computes all
of it, and nothing in it is random.
"""

from __future__ import annotations

from typing import Any

from lib.chapters.one_nn.explorers._shared import TIME_LABEL, sliders
from lib.explorer import Computed, Line, Mark, Say, Step, lines
from lib.portable.numbers import log
from lib.portable.primitives import Readings, Vector, inf, nan, zeros
from lib.theory.one_nn import portable_times
from lib.theory.one_nn.portable import gap_density, late_loss, late_xi1, law_of, log_times, path
from lib.theory.one_nn.portable_paths import time_of, value_at
from lib.theory.one_nn.portable_times import DIMENSIONS, EXAMPLES, Settings, dimension, examples

END = 1e8
COUNT = 67  # times of the path
FROM = 100.0  # the bound 1 / log t is drawn from here, through the flow's own loss


def settings(N: int, d: int, sigma: float, level: float) -> Settings:
    """The flows of these sliders."""
    return Settings(d, N, sigma, level)


def flow(settings: Settings) -> Readings:
    """The reduced flow to t = 1e8, its late law, the bound 1 / log t through its loss at t = 100, and slopes of both
    logarithms over the last decade.
    """
    law = law_of(settings.d, settings.N)
    kappa = gap_density(law)
    known = kappa if kappa < inf else nan
    t = log_times(END, COUNT)
    xi1, xi2, loss = path(law, 0.0, settings.sigma, t, 1e-3)
    late_1, late_L, slow = zeros(COUNT), zeros(COUNT), zeros(COUNT)
    scale = value_at(FROM, t, loss) * log(FROM)
    for i in range(COUNT):
        late_1[i] = late_xi1(t[i], known, settings.d) if kappa < inf else nan
        late_L[i] = min(10.0, late_loss(late_1[i], known)) if late_1[i] > 0.0 else nan
        slow[i] = scale / log(t[i]) if t[i] >= FROM else nan
    last = COUNT - 1
    back = last - 8
    span = log(t[last] / t[back])
    reached = time_of(settings.level, t, loss)
    return {
        "t": t, "xi1": xi1, "xi2": xi2, "loss": loss, "late_xi1": late_1, "late_loss": late_L, "slow": slow,
        "kappa": [known], "slope_xi1": [log(xi1[last] / xi1[back]) / span],
        "slope_loss": [log(loss[last] / loss[back]) / span],
        "reached": [reached], "level": [settings.level], "last": [loss[last]], "slow_last": [slow[last]],
        "ratio": [xi1[last] / xi2[last]], "d": [float(settings.d)],
    }  # fmt: skip


def grids(settings: Settings) -> Readings:
    """Numbers of examples (6,) and dimensions (8,) at which the time to the loss is computed; where the sliders are."""
    N, d = zeros(EXAMPLES), zeros(DIMENSIONS)
    for i in range(EXAMPLES):
        N[i] = float(examples(i))
    for i in range(DIMENSIONS):
        d[i] = float(dimension(i))
    return {"N": N, "d": d, "N_now": [float(settings.N)], "d_now": [float(settings.d)]}


def outcome(over_N: Vector, over_d: Vector) -> Readings:
    """The times at the ends: 4 and 128 examples, dimensions 3 and 32; NaN where there is none before 1e8."""
    return {"few": [over_N[0]], "many": [over_N[EXAMPLES - 1]], "flat": [over_d[0]], "deep": [over_d[DIMENSIONS - 1]]}


def panels() -> list[Any]:
    """Loss and pull over time with the late law and the bound; the time to a loss over N and over d."""
    time: dict[str, Any] = dict(x="flow.t", xlabel=TIME_LABEL, xlog=True, xlim=(1, END), ylog=True, height=270)
    reach: dict[str, Any] = dict(ylabel="time t (no unit)", xlog=True, ylog=True, ylim=(10, END), height=170)
    return [
        lines(
            y=[
                Line("flow.loss", "reduced flow", idea="reduced"),
                Line("flow.late_loss", "late law, t^(−1/3)", theory=True),
                Line("flow.slow", "1 / log t, the bound's shape", idea="noise"),
            ],
            marks=[Mark("flow.reached", "the chosen loss")],
            ylabel="loss L (no unit)",
            title="The loss falls faster than its bound",
            ylim=(0.002, 1),
            **time,
        ),
        lines(
            y=[
                Line("flow.xi1", "ξ₁, reduced flow", idea="A"),
                Line("flow.xi2", "ξ₂", idea="softmax"),
                Line("flow.late_xi1", "late law, t^(1/3)", theory=True),
            ],
            ylabel="scalar (no unit)",
            title="Both scalars",
            ylim=(0.01, 1000),
            **time,
        ),
        lines(
            x="grids.N",
            y=[Line("over_N", "time to the chosen loss", idea="reduced")],
            marks=[Mark("grids.N_now", "N here")],
            xlabel="examples N (examples)",
            title="More examples",
            xlim=(3, 150),
            **reach,
        ),
        lines(
            x="grids.d",
            y=[Line("over_d", "time to the chosen loss", idea="reduced")],
            marks=[Mark("grids.d_now", "d here")],
            xlabel="dimension d (coordinates)",
            title="More dimensions",
            xlim=(2.5, 40),
            **reach,
        ),
    ]


READING = [
    [
        Say("The flow reaches the loss {flow.level:2} at t = {flow.reached}."),
        Say("The flow does not reach the loss {flow.level:2} by t = 100,000,000, or starts below it."),
    ],
    [
        Say("In the last decade ln L falls with slope {flow.slope_loss:3} and ln ξ₁ grows with {flow.slope_xi1:3}."),
    ],
    [
        Say(
            "On the circle two points can be so close that κ is infinite: there is no late law of this form.",
            **{"flow.d": "<= 2"},
        ),
        Say("At t = 10⁸ the loss is {flow.last:4}; a curve 1 / log t would be at {flow.slow_last:3}."),
    ],
]


TOUR = [
    Step("The loss of the flow, over eight decades of time.", point="The loss falls faster than its bound"),
    Step(
        "The dashed law t^(−1/3) has no free number: it comes from the gap between the two nearest examples.",
        time=1e7,
        point="The loss falls faster than its bound",
    ),
    Step(
        "The proof gives a bound of the shape 1 / log t. It is true, and very loose.",
        point="The loss falls faster than its bound",
    ),
    Step("Both scalars grow together: their ratio changes little over the last decades.", point="Both scalars"),
    Step("More examples lie closer to each other: telling them apart takes longer.", point="More examples"),
    Step("More dimensions cost more: inner products are flat, and ξ₁ moves by 1/d.", point="More dimensions", d=16),
]


def explorer() -> Computed:
    """The explorer `one_nn-rates`, as the chapter shows it."""
    return Computed(
        portable_times,
        name="one_nn-rates",
        title="How fast, and how long",
        settings=settings,
        theory=[flow, grids],
        outcome=outcome,
        sliders=sliders("N", "d", "sigma", "level", N=(2, 128), d=(2, 32), sigma=(-4.0, 30.0)),
        default=dict(N=8, d=8, sigma=3.0, level=0.1),
        time="flow.t",
        time_label=TIME_LABEL,
        reading=READING,
        tour=TOUR,
        panels=panels(),
        columns=2,
        runs=1,
        first=1,
    )
