"""A small figure, for pages with two: one panel, a slider of numbers and one of names."""

from hal.figure import Line, Say, Slider, over_steps
from lib.portable.primitives import Readings, Vector
from tests.figure import toy_run
from tests.figure.toy_run import Settings

RUN, NAME, TITLE, RUNS, PRECOMPUTED_RUNS = toy_run, "toy-side", "Another toy", 2, 1
SLIDERS = {
    "lr": Slider("Learning rate η", "no unit", 0.1, (0.01, 0.5), log=True),
    "kind": Slider("Start", default=0, names={0: "right", 1: "left", 2: "left too"}),
}
READING = [[Say("V ends at {end:2}."), Say("No run has come.")]]


def settings(lr: float, kind: int) -> Settings:
    """A run of the rate, from one start or the other."""
    return Settings(3, 12, lr, 0.1 if kind == 0 else -0.3, 0.1, [0.5, 0.3, 0.2], 100)


def run_metrics(V: Vector) -> Readings:
    """Where V ends."""
    return {"end": [V[len(V) - 1]]}


def panels():
    """V over time."""
    return [over_steps("V", "V (no unit)", Line("V", "V"))]
