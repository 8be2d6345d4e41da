"""Explorer `one_nn-shift`: the trained pair on other data, prompts with a separation delta, beside uniform ones.

Chapter `one_nn`. Source: arXiv 2411.10830 by its talk, the theorem on distribution shift and the right panel of its
experiments. The page computes all of it: the pair follows the reduced flow, the run tests it on fresh prompts.
"""

from __future__ import annotations

from typing import Any

from lib.chapters.one_nn.explorers._shared import TIME_LABEL, sliders
from lib.explorer import Computed, Line, Say, Step, lines
from lib.models.one_nn import textbook_shift
from lib.models.one_nn.textbook_shift import Settings
from lib.portable.primitives import Readings, Vector, zeros
from lib.theory.one_nn.portable import bound, law_of, log_times, loss_and_slopes, path

END = 1e6
TIMES = 49
PROMPTS = 150  # of a run
FLOOR = 1e-9  # smallest loss drawn


def settings(N: int, d: int, sigma: float, delta: float) -> Settings:
    """The path of the reduced flow at these sliders, as pairs to test."""
    xi1, xi2, _ = path(law_of(d, N), 0.0, sigma, log_times(END, TIMES), 1e-3)
    return Settings(xi1, xi2, N, d, delta, PROMPTS)


def flow(settings: Settings) -> Readings:
    """The pair over time, its exact loss on uniform prompts, and the bound of the loss on separated ones."""
    law = law_of(settings.d, settings.N)
    t = log_times(END, TIMES)
    loss, most = zeros(TIMES), zeros(TIMES)
    for i in range(TIMES):
        loss_and_slopes(law, settings.xi1[i], settings.xi2[i])
        loss[i] = law.slopes[0]
        most[i] = max(FLOOR, bound(law, settings.xi1[i], settings.xi2[i], settings.delta))
    last = TIMES - 1
    return {
        "t": t, "xi1": settings.xi1, "xi2": settings.xi2, "loss": loss, "bound": most, "last": [loss[last]],
        "pull": [settings.xi1[last]], "most": [most[last]], "delta": [settings.delta],
    }  # fmt: skip


def outcome(loss: Vector, right: Vector, shifted_loss: Vector, shifted_right: Vector) -> Readings:
    """Of one run, at the end of the path: both losses, and right signs in per cent."""
    last = len(loss) - 1
    return {
        "uniform": [loss[last]], "separated": [shifted_loss[last]],
        "signs": [100.0 * right[last]], "separated_signs": [100.0 * shifted_right[last]],
    }  # fmt: skip


def panels() -> list[Any]:
    """Test losses with the bound, and shares of right signs."""
    time: dict[str, Any] = dict(x="flow.t", xlabel=TIME_LABEL, xlog=True, xlim=(1, END), wide=True)
    return [
        lines(
            y=[
                Line("loss", "uniform prompts", idea="V"),
                Line("shifted_loss", "separated prompts", idea="prox"),
                Line("flow.loss", "uniform, exact", theory=True),
                Line("flow.bound", "bound for separated prompts", idea="noise", theory=True),
            ],
            ylabel="test loss (no unit)",
            title="The loss on other data",
            ylog=True,
            yswitch=True,
            ylim=(1e-6, 3),
            height=300,
            **time,
        ),
        lines(
            y=[
                Line("right", "uniform prompts", idea="V"),
                Line("shifted_right", "separated prompts", idea="prox"),
            ],
            ylabel="right signs (share of prompts)",
            title="The sign of the answer",
            ylim=(0.4, 1.01),
            height=170,
            **time,
        ),
    ]


READING = [
    [
        Say("No test has finished yet.", runs=0),
        Say(
            "At t = 1,000,000 the loss is {separated:5} on separated prompts and {uniform:3} on uniform ones "
            "(exactly {flow.last:3})."
        ),
    ],
    [Say("Right signs: {separated_signs:1} % and {signs:1} %.")],
    [
        Say("Without separation both are the same prompts.", **{"flow.delta": 0}),
        Say("The bound is {flow.most:3}.", **{"flow.most": ">= 0.001"}),
        Say("The bound is below 0.001."),
    ],
]


TOUR = [
    Step("The pair follows its flow on uniform prompts. Here it is tested on fresh ones of both kinds.", time=1),
    Step(
        "Separated prompts: an example with another label is farther by at least δ. Their loss falls earlier,",
        time=3000,
        point="The loss on other data",
    ),
    Step("and late it falls off a cliff: like e^(−δξ₁), where the uniform loss falls like 1/ξ₁.", time=1e6),
    Step(
        "The bound behind the theorem is true and far away; it waits for e^(−δξ₁) to pay for N².",
        delta=0.3,
        point="delta",
    ),
    Step("Without separation nothing is left of it: both curves are one.", delta=0.0, point="delta"),
]


def explorer() -> Computed:
    """The explorer `one_nn-shift`, as the chapter shows it."""
    return Computed(
        textbook_shift,
        name="one_nn-shift",
        title="Tested on other data",
        settings=settings,
        theory=[flow],
        outcome=outcome,
        sliders=sliders("N", "d", "sigma", "delta", sigma=(-4.0, 30.0)),
        default=dict(N=16, d=8, sigma=3.0, delta=0.1),
        time="flow.t",
        time_label=TIME_LABEL,
        reading=READING,
        tour=TOUR,
        panels=panels(),
        columns=2,
        runs=8,
        first=3,
    )
