"""Explorer `group_sparse-rates`: loss and attention of the population at late times, over time and over the groups.

Chapter `group_sparse`. Sources: the time D^3 and the loss D^(-2) there are arXiv 2504.08638's, Theorem 3.1; the late
laws are ours. The page computes all of it, and nothing in it is random.
"""

from __future__ import annotations

from typing import Any

from lib.chapters.group_sparse.explorers._shared import TIME_LABEL, sliders
from lib.explorer import Computed, Line, Mark, Say, Step, lines
from lib.portable.numbers import log
from lib.portable.primitives import Readings, Vector, nan, zeros
from lib.theory.group_sparse import portable_sizes
from lib.theory.group_sparse.portable import late_leak, late_loss, law_of, path, time_to_loss
from lib.theory.group_sparse.portable_sizes import LONGEST, SIZES, Settings, log_times, size, time_of

DECADE = 12  # times of a decade


def settings(D: int, lr: float, level: float) -> Settings:
    """The flows of these sliders."""
    return Settings(D, lr, level)


def flow(settings: Settings) -> Readings:
    """The flow to 1e7 steps: t (steps), loss, leak = 1 - s, the late laws, each (86,); slopes over the last decade; the
    steps to the chosen loss; the theorem's time D^3.
    """
    t = log_times()
    count = len(t)
    time, law_loss, law_leak = zeros(count), zeros(count), zeros(count)
    D = float(settings.D)
    for i in range(count):
        time[i] = settings.lr * t[i]
        law_loss[i] = min(5.0, late_loss(time[i], D)) if i > 0 else nan
        law_leak[i] = min(5.0, late_leak(time[i], D)) if i > 0 else nan
    _alpha, leak, loss = path(law_of(settings.D, 1.0), time, 1e-4)
    last = count - 1
    back = last - DECADE
    span = log(t[last] / t[back])
    return {
        "t": t, "loss": loss, "leak": leak, "law_loss": law_loss, "law_leak": law_leak,
        "slope_loss": [log(loss[last] / loss[back]) / span], "slope_leak": [log(leak[last] / leak[back]) / span],
        "reached": [time_of(settings.level, t, loss)], "level": [settings.level], "cubed": [D * D * D], "now": [D],
        "law_reached": [time_to_loss(settings.level, D) / settings.lr],
    }  # fmt: skip


def sizes(settings: Settings) -> Readings:
    """The sizes D of the lower panels (8,), and the laws there: L D^2 at D^3 steps, steps to the chosen loss, and the
    theorem's powers of D through the law's values at D = 4.
    """
    D, scaled, flat, reach, cubic = zeros(SIZES), zeros(SIZES), zeros(SIZES), zeros(SIZES), zeros(SIZES)
    for i in range(SIZES):
        D[i] = float(size(i))
        scaled[i] = D[i] * D[i] * late_loss(settings.lr * D[i] * D[i] * D[i], D[i])
        flat[i] = scaled[0]
        reach[i] = time_to_loss(settings.level, D[i]) / settings.lr
        cubic[i] = reach[0] * 64.0 / (D[i] * D[i] * D[i])
    return {"D": D, "scaled": scaled, "flat": flat, "reach": reach, "cubic": cubic}


def outcome(scaled: Vector, reached: Vector) -> Readings:
    """Exponents in D, between 16 and 48 groups: of L D^2 at D^3 steps, and of the steps to the chosen loss."""
    span = log(3.0)
    return {"rise": [log(scaled[7] / scaled[4]) / span], "fall": [log(reached[7] / reached[4]) / span]}


def panels() -> list[Any]:
    """Loss and attention over time with their late laws; over the groups the loss at D^3 steps, the steps to a loss."""
    time: dict[str, Any] = dict(x="flow.t", xlabel=TIME_LABEL, xlog=True, xlim=(1, LONGEST), ylog=True, height=230)
    over: dict[str, Any] = dict(x="sizes.D", xlabel="groups D (groups)", xlog=True, xlim=(3.5, 55), height=170)
    return [
        lines(
            y=[Line("flow.loss", "population", idea="sgd"), Line("flow.law_loss", "late law, t^(−1/3)", theory=True)],
            marks=[Mark("flow.cubed", "t = D³"), Mark("flow.reached", "the chosen loss")],
            ylabel="loss L (nats)",
            title="The loss",
            ylim=(0.001, 1),
            **time,
        ),
        lines(
            y=[Line("flow.leak", "population", idea="A"), Line("flow.law_leak", "late law, t^(−2/3)", theory=True)],
            marks=[Mark("flow.cubed", "t = D³")],
            ylabel="1 − s (share)",
            title="Attention outside the group",
            ylim=(1e-5, 1),
            **time,
        ),
        lines(
            y=[
                Line("scaled", "population", idea="sgd"),
                Line("sizes.flat", "order D⁻²: flat", idea="mirror"),
                Line("sizes.scaled", "late law: D^(1/3)", theory=True),
            ],
            marks=[Mark("flow.now", "D here")],
            ylabel="L D² at t = D³ (nats)",
            title="The loss at the theorem's time",
            ylog=True,
            ylim=(0.5, 12),
            **over,
        ),
        lines(
            y=[
                Line("reached", "population", idea="sgd"),
                Line("sizes.cubic", "order D⁻³", idea="mirror"),
                Line("sizes.reach", "late law: D⁻²", theory=True),
            ],
            marks=[Mark("flow.now", "D here")],
            ylabel="training time (steps)",
            title="Steps to the chosen loss",
            ylog=True,
            ylim=(1, 1e6),
            **over,
        ),
    ]


READING = [
    [
        Say(
            "The loss {flow.level:3} is reached after {flow.reached} steps; the late law says {flow.law_reached}.",
        ),
        Say("The loss {flow.level:3} is not reached between step 1 and step 10,000,000."),
    ],
    [
        Say(
            "In the last decade the slopes are {flow.slope_loss:3} for the loss and {flow.slope_leak:3} "
            "for the attention outside the group."
        )
    ],
    [
        Say(
            "From D = 16 to 48, L·D² at t = D³ grows like D to the {rise:2}; "
            "the steps to the loss fall like D to the {fall:2}."
        ),
        Say("From D = 16 to 48, L·D² at t = D³ grows like D to the {rise:2}."),
    ],
]


TOUR = [
    Step("Nothing for a while; then attention finds the group, and the loss drops.", time=100, point="The loss"),
    Step("From then on the loss falls like t^(−1/3). The dashed law has no free number.", time=1e6, point="The loss"),
    Step(
        "Attention outside the group falls like t^(−2/3): a power of the time, no exponential.",
        time=1e6,
        point="Attention outside the group",
    ),
    Step(
        Say("At t = D³ the theorem says L of order D⁻²: flat here. Measured, it rises like D to the {rise:2}."),
        "At t = D³ the theorem says L of order D⁻²: flat here. Measured, it rises.",
        point="The loss at the theorem's time",
    ),
    Step(
        Say("More groups are faster, by D to the {fall:2}; the theorem's order would be −3."),
        "More groups are faster, by about the power −2 of D.",
        point="Steps to the chosen loss",
    ),
    Step("The learning rate only stretches time: every curve moves along.", lr=0.02, point="lr"),
]


def explorer() -> Computed:
    """The explorer `group_sparse-rates`, as the chapter shows it."""
    return Computed(
        portable_sizes,
        name="group_sparse-rates",
        title="How fast, and what the theorem says",
        settings=settings,
        theory=[flow, sizes],
        outcome=outcome,
        sliders=sliders("D", "lr", "level", D=(2, 48)),
        default=dict(D=8, lr=0.2, level=0.01),
        time="flow.t",
        time_label=TIME_LABEL,
        reading=READING,
        tour=TOUR,
        panels=panels(),
        columns=2,
        runs=1,
        first=1,
    )
