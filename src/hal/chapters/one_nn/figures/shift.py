"""Figure `one_nn-shift`: the trained pair on other data, prompts with a separation delta, beside uniform ones.

Chapter `one_nn`. Source: arXiv 2411.10830 by its talk, the theorem on distribution shift and the right panel of its
experiments. The pair follows the reduced flow, the run tests it on fresh prompts.
"""

from typing import Any

from hal.chapters.one_nn.figures._shared import TABLE, TIME_LABEL
from hal.explorer import Line, Say, Step, over_steps, sliders
from lib.models.one_nn import textbook_shift
from lib.models.one_nn.textbook_shift import Settings
from lib.portable.primitives import Readings, Vector, zeros
from lib.theory.one_nn.portable_flow import log_times, path
from lib.theory.one_nn.portable_reduced import loss_and_slopes
from lib.theory.one_nn.portable_shift import loss_bound
from lib.theory.one_nn.portable_sphere import law_of

END = 1e6
TIMES = 49
PROMPTS = 150  # of a run
FLOOR = 1e-9  # smallest loss drawn
LOSS = "The loss on other data"
TITLE, RUN, COLUMNS, TIME = "Tested on other data", textbook_shift, 2, "t"
SLIDERS = sliders(TABLE, N=16, d=8, sigma=(3.0, -4.0, 30.0), delta=0.1)


def settings(N: int, d: int, sigma: float, delta: float) -> Settings:
    """The path of the reduced flow at these sliders, as pairs to test."""
    t = log_times(END, TIMES)
    xi1, xi2, _ = path(law_of(d, N), 0.0, sigma, t, 1e-3)
    return Settings(t, xi1, xi2, N, d, delta, PROMPTS)


def flow(settings: Settings) -> Readings:
    """The pair over time, its exact loss on uniform prompts, and the bound of the loss on separated ones."""
    law, xi1, xi2 = law_of(settings.d, settings.N), settings.xi1, settings.xi2
    loss, most = zeros(len(xi1)), zeros(len(xi1))
    for i in range(len(xi1)):
        loss_and_slopes(law, xi1[i], xi2[i])
        loss[i] = law.slopes[0]
        most[i] = max(FLOOR, loss_bound(law, xi1[i], xi2[i], settings.delta))
    last = len(xi1) - 1
    return {
        "xi1": xi1, "xi2": xi2, "loss": loss, "bound": most, "last": [loss[last]], "pull": [xi1[last]],
        "most": [most[last]], "delta": [settings.delta],
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
    time: dict[str, Any] = dict(x=TIME, xlabel=TIME_LABEL, xlog=True, xlim=(1, END), wide=True)
    losses = [
        Line("loss", "uniform prompts", idea="test"), Line("shifted_loss", "separated prompts", idea="rival"),
        Line("flow.loss", "uniform, exact", theory=True),
        Line("flow.bound", "bound for separated prompts", idea="bound", theory=True),
    ]  # fmt: skip
    signs = [
        Line("right", "uniform prompts", idea="test"), Line("shifted_right", "separated prompts", idea="rival"),
    ]  # fmt: skip
    return [
        over_steps(LOSS, "test loss (no unit)", *losses, ylog=True, yswitch=True, ylim=(1e-6, 3), height=300, **time),
        over_steps("The sign of the answer", "right signs (share of prompts)", *signs, ylim=(0.4, 1.01), height=170,
                   **time),
    ]  # fmt: skip


READING = [
    [
        Say("No test has finished yet.", "runs == 0"),
        Say("At t = 1,000,000 the loss is {separated:5} on separated prompts and {uniform:3} on uniform ones (exactly "
            "{flow.last:3})."),
    ],
    [Say("Right signs: {separated_signs:1} % and {signs:1} %.")],
    [
        Say("Without separation both are the same prompts.", "flow.delta == 0"),
        Say("The bound is {flow.most:3}.", "flow.most >= 0.001"),
        Say("The bound is below 0.001."),
    ],
]  # fmt: skip
TOUR = [
    Step("The pair follows its flow on uniform prompts. Here it is tested on fresh ones of both kinds.", time=1),
    Step("Separated prompts: an example with another label is farther by at least δ. Their loss falls earlier,",
         time=3000, point=LOSS),
    Step("and late it falls off a cliff: like e^(−δξ₁), where the uniform loss falls like 1/ξ₁.", time=1e6),
    Step("The bound behind the theorem is true and far away; it waits for e^(−δξ₁) to pay for N².", delta=0.3,
         point="delta"),
    Step("Without separation nothing is left of it: both curves are one.", delta=0.0, point="delta"),
]  # fmt: skip
