"""Figure `one_nn-training`: SGD on the full matrix beside the reduced flow of two scalars, over its loss.

Chapter `one_nn`. Source: arXiv 2411.10830 by its talk; the reduced flow is its two-scalar form.
"""

from typing import Any

from hal.chapters.one_nn.figures._shared import TABLE, TIME_LABEL
from hal.chapters.one_nn.runs import fast_runs
from hal.chapters.one_nn.theory.portable_flow import log_times, path, three_digits, time_of
from hal.chapters.one_nn.theory.portable_plane import HIGHEST, LOWEST_MASK, LOWEST_PULL, NEAR, loss_plane
from hal.chapters.one_nn.theory.portable_reduced import rough_law_of
from hal.figure import Heights, Line, Mark, Path, Say, Step, over_steps, plane, sliders, waiting
from lib.models.one_nn import textbook
from lib.models.one_nn.textbook import Settings
from lib.portable.primitives import Readings, Vector, floor
from lib.portable.vectors import smallest
from lib.theory.one_nn.portable import law_of

END = 1e6  # of the flow
TIMES = 49  # of its path
WORK = 2e6  # numbers that a run of SGD draws and multiplies; it ends where they are spent
MOST = 1000  # steps
LEVEL = 0.1  # of the loss, a mark on the way
SIDE = 17  # places of the landscape a side
PLANE, LOSS = "The path of training; darker: lower loss", "The loss over time"
TITLE, RUN, FAST, COLUMNS, RUNS, PRECOMPUTED_RUNS = "Training on the map of two numbers", textbook, fast_runs, 2, 4, 1
HERO, PRIMARY_SLIDERS = True, ("N", "d", "lr", "kappa")
BOUNDS = (0.6, 0.4, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01)  # of the loss, where two bands meet
NAMES = (
    (0.0, 30.0, "looks at all equally"), (15.0, -3.0, "looks at itself"),
    (14.0, 60.0, "looks at the nearest"),
)  # fmt: skip
TIME = "flow.t"  # the flow goes on after SGD has ended
SLIDERS = sliders(TABLE, N=8, d=4, lr=2.0, batch=16, sigma=3.0, start=0.0, kappa=1.0)


def settings(N: int, d: int, lr: float, batch: int, sigma: float, start: float, kappa: float) -> Settings:
    """The run of these sliders, as many steps as a page can take at once."""
    steps = floor(WORK / float(batch * (N + 1) * (d + 2)))
    return Settings(N, d, lr, batch, sigma, start, max(20, min(MOST, steps)), kappa)


def flow(settings: Settings) -> Readings:
    """The reduced flow of uniform points from the same start: t, xi1, xi2, loss, each (49,); when its loss is 0.1, and
    when SGD ends; how far xi1 goes back; the query's own score less the best of examples; the concentration for SGD.
    """
    t = log_times(END, TIMES)
    xi1, xi2, loss = path(law_of(settings.d, settings.N), settings.start, settings.sigma, t, 1e-3)
    spent = settings.lr * float(settings.steps)
    return {
        "t": t, "xi1": xi1, "xi2": xi2, "loss": loss, "last": [loss[TIMES - 1]],
        "reached": [three_digits(time_of(LEVEL, t, loss))], "spent": [spent], "kappa": [settings.kappa],
        "lowest": [smallest(xi1)], "back": [xi1[0] - smallest(xi1)], "itself": [xi1[0] - abs(xi1[0]) - settings.sigma],
    }  # fmt: skip


def scene(settings: Settings) -> Readings:
    """The plane: the logarithm of the reduced loss on a grid."""
    return loss_plane(rough_law_of(settings.d, settings.N), SIDE)


def run_metrics(off: Vector) -> Readings:
    """Of one run, at its end: what is beside the family, in per cent of W."""
    return {"off": [100.0 * off[len(off) - 1]]}


def panels() -> list[Any]:
    """The plane of the two scalars, and the loss over time."""
    time: dict[str, Any] = dict(x=TIME, xlabel=TIME_LABEL, xlog=True, xlim=(1, END), ylog=True)
    runs = Path("xi1", "xi2", "SGD on the whole matrix", idea="attention", t="time")
    losses = Line("loss", "SGD", idea="loss", x="time"), Line("flow.loss", "gradient flow", theory=True)
    return [
        plane([runs, Path("flow.xi1", "flow.xi2", "gradient flow", theory=True)], title=PLANE, equal=False, height=400,
              heights=Heights("scene.x", "scene.y", "scene.z", BOUNDS, NAMES), asinh=NEAR, start=("start", "sigma"),
              xlabel="inverse temperature ξ₁ (no unit)", ylabel="self-penalty ξ₂ (no unit)",
              xlim=(LOWEST_PULL, HIGHEST), ylim=(LOWEST_MASK, HIGHEST)),
        over_steps(LOSS, "loss L (no unit)", *losses, marks=[Mark("flow.reached", "loss 0.1")], xswitch=True,
                   yswitch=True, ylim=(0.005, 1), height=400, **time),
    ]  # fmt: skip


READING = [
    [
        *waiting(),
        Say("At t = {flow.spent:0}, less than 0.01% of W (in norm) lies outside ξ₁ and ξ₂.", "off < 0.01"),
        Say("At t = {flow.spent:0}, {off}% of W (in norm) lies outside ξ₁ and ξ₂."),
    ],
    [Say("Points crowd around one axis; the map and the dashed lines are those of uniform points.", "flow.kappa > 1")],
    [Say("The flow's loss passes 0.1 at t = {flow.reached:0}."), Say("The flow's loss is {flow.last:3} in the end.")],
    [
        Say("The query looks at itself more than at any example first, and ξ₁ goes down to {flow.lowest:2} on the way.",
            "flow.itself > 0", "flow.back > 0.004", "flow.kappa == 1"),
        Say("ξ₁ goes down to {flow.lowest:2} on the way.", "flow.back > 0.004", "flow.kappa == 1"),
    ],
]  # fmt: skip
TOUR = [
    Step("At the start ξ₁ = 0: every example gets the same attention, and the answer is the mean of all labels.",
         time=0, point=PLANE),
    Step("For a long time little happens: ξ₁ grows like t, at the speed E z* / (dN), and the loss hardly moves.",
         time=30, point=LOSS),
    Step("Then the examples near the query win, and the loss falls.", time=2000, point=PLANE),
    Step("Late, everything slows down: ξ₁ grows only like the cube root of t.", time=1e6, point=PLANE),
    Step("A negative self-penalty: the query looks at itself, and for a while the loss stays near one half.",
         sigma=-6.0, time=2000, point="sigma"),
]  # fmt: skip
