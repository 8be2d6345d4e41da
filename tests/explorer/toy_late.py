"""A figure of two curves of theory, of which one is dear and waits for a pause of the slider."""

from typing import Any

from hal.explorer import Line, Say, Slider, lines
from lib.portable.primitives import Readings, zeros
from tests.explorer import toy_run
from tests.explorer.toy_run import Settings

RUN, NAME, TITLE, LATER = toy_run, "toy-late", "A toy that waits", ("slow",)
COUNT = 11  # points of a curve
SLIDERS = {"lr": Slider("Learning rate η", "no unit", 0.1, (0.01, 3.0), log=True)}
READING = [[Say("The rate is {quick.rate:2}.")]]


def settings(lr: float) -> Settings:
    """Three tokens, a context of twelve, a hundred steps."""
    return Settings(3, 12, lr, 0.1, 0.1, [0.5, 0.3, 0.2], 100)


def quick(settings: Settings) -> Readings:
    """The times, the rate at each of them, and as a number."""
    steps, curve = zeros(COUNT), zeros(COUNT)
    for i in range(COUNT):
        steps[i] = 10.0 * float(i)
        curve[i] = settings.lr
    return {"steps": steps, "curve": curve, "rate": [settings.lr]}


def slow(settings: Settings) -> Readings:
    """Twice the rate at each time."""
    curve = zeros(COUNT)
    for i in range(COUNT):
        curve[i] = 2.0 * settings.lr
    return {"curve": curve}


def panels() -> list[Any]:
    """Both curves."""
    own = [Line("quick.curve", "rate", theory=True), Line("slow.curve", "twice the rate", theory=True)]
    return [lines("quick.steps", own, xlabel="time (steps)", ylabel="rate (no unit)", title="Rates", height=230)]
