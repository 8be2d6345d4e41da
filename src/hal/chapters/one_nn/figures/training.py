"""Figure `one_nn-training`: SGD on the full matrix beside the reduced flow of two scalars, over its loss.

Chapter `one_nn`. Source: arXiv 2411.10830 by its talk; the reduced flow is its two-scalar form.
"""

from typing import Any

from hal.chapters.one_nn.runs import fast_runs
from hal.chapters.one_nn.theory.portable_flow import log_times, path
from hal.chapters.one_nn.theory.portable_plane import HIGHEST, LOWEST_MASK, LOWEST_PULL, NEAR, loss_plane
from hal.chapters.one_nn.theory.portable_reduced import rough_law_of
from hal.figure import Heights, Path, Say, Slider, plane, waiting
from lib.models.one_nn import textbook
from lib.models.one_nn.textbook import Settings
from lib.portable.primitives import Readings, Vector, floor
from lib.theory.one_nn.portable import law_of

TIMES = 49  # of the path of the flow
WORK = 2e6  # numbers that a run of SGD draws and multiplies; it ends where they are spent
MOST = 1000  # steps
SIDE = 15  # places of the landscape a side
TITLE, RUN, FAST, RUNS, PRECOMPUTED_RUNS = "Does SGD follow the dashed line?", textbook, fast_runs, 1, 1
HERO, PRIMARY_SLIDERS = True, ("N", "d", "lr")
BOUNDS = (0.6, 0.4, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01)  # of the loss, where two bands meet
NAMES = ((-0.2, 12.0, "looks at all equally"), (9.0, -3.0, "looks at itself"), (12.0, 16.0, "looks at the nearest"))
TIME, TIME_LABEL = "flow.t", "training time t = η × steps (no unit)"
SLIDERS = {
    "N": Slider("Examples N", "examples", 8, (2, 32)),
    "d": Slider("Dimension d", "no unit", 4, (2, 8)),
    "lr": Slider("Learning rate η", "no unit", 2.0, (0.5, 20.0)),
    "batch": Slider("Batch B", "prompts", 16, (1, 64)),
    "sigma": Slider("Self-penalty at the start, ξ_2(0)", "no unit", 3.0, (-8.0, 30.0)),
    "start": Slider("Start ξ₁", "no unit", 0.0, (-2.0, 30.0), hidden=True),
    "kappa": Slider("Concentration κ", "no unit", 1.0, (1.0, 8.0), log=True),
}


def settings(N: int, d: int, lr: float, batch: int, sigma: float, start: float, kappa: float) -> Settings:
    """The run of these sliders, as many steps as a page can take at once."""
    steps = floor(WORK / float(batch * (N + 1) * (d + 2)))
    return Settings(N, d, lr, batch, sigma, start, max(20, min(MOST, steps)), kappa)


def flow(settings: Settings) -> Readings:
    """The reduced flow of uniform points from the same start, as long as SGD: t, xi1, xi2, each (49,); when it
    ends; the concentration for SGD.
    """
    spent = settings.lr * float(settings.steps)
    t = log_times(spent, TIMES)
    xi1, xi2, _ = path(law_of(settings.d, settings.N), settings.start, settings.sigma, t, 1e-3)
    return {"t": t, "xi1": xi1, "xi2": xi2, "spent": [spent], "kappa": [settings.kappa]}


def scene(settings: Settings) -> Readings:
    """The plane: the logarithm of the reduced loss on a grid."""
    return loss_plane(rough_law_of(settings.d, settings.N), SIDE)


def run_metrics(off: Vector) -> Readings:
    """Of one run, at its end: what is beside the family, in per cent of W."""
    return {"off": [100.0 * off[len(off) - 1]]}


def panels() -> list[Any]:
    """The plane of the two scalars; its sentence says how much of the matrix lies beside it."""
    runs = Path("xi1", "xi2", "SGD on the whole matrix", idea="attention", t="time")
    alone = Path("flow.xi1", "flow.xi2", "gradient flow of the two numbers", theory=True)
    return [
        plane([runs], curves=[alone], equal=False, height=420, title="Darker: smaller loss",
              heights=Heights("scene.x", "scene.y", "scene.z", BOUNDS, NAMES, "loss"), asinh=NEAR,
              start=("start", "sigma"), xlabel="sharpness ξ₁ (no unit)", ylabel="self-penalty ξ₂ (no unit)",
              xlim=(LOWEST_PULL, HIGHEST), ylim=(LOWEST_MASK, HIGHEST), wide=True),
    ]  # fmt: skip


READING = [
    [
        *waiting(),
        Say("At t = {flow.spent:0}, less than 0.01% of W (in norm) lies outside the two numbers.", "off < 0.01"),
        Say("At t = {flow.spent:0}, {off}% of W (in norm) lies outside the two numbers."),
    ],
    [Say("Points crowd around one axis; the map and the dashed line are those of uniform points.", "flow.kappa > 1")],
]
