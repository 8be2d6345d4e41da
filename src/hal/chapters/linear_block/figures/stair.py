"""Small figure `linear_block-stair`: which part of the answer carries the prior mean while the matrices train.

Chapter `linear_block`. Source: beyond arXiv 2402.14951; gradient descent on the exact risk from small matrices.
"""

from typing import Any

from hal.chapters.linear_block.figures._shared import TABLE
from hal.explorer import Idea, Line, Say, over_steps, sliders, waiting
from lib.models.linear_block import textbook_carried
from lib.models.linear_block.textbook_carried import Settings
from lib.portable.primitives import Readings, Vector, nan
from lib.portable.vectors import filled

D = 3  # features
STEPS = 1800
BEGUN = 0.2  # of the prior mean in the labels: the examples are in use
TITLE, RUN, RUNS, FIRST = "The start gives way and returns", textbook_carried, 1, 1
HINT = "Play: which layer gives way when the examples come in?"
TIME, TIME_LABEL = "steps", "training step"
SLIDERS = sliders(TABLE, norm=(1.0, 0.5, 2.0), lr=(0.03, 0.005, 0.06))


def settings(norm: float, lr: float) -> Settings:
    """Three features, 20 examples, noise 0.5, entries of 0.1."""
    return Settings(D, 20, 0.5, norm, 0.1, lr, STEPS)


def whole(settings: Settings) -> Readings:
    """(61,) ones: what all parts should carry together; and the number of steps."""
    return {"one": filled(61, 1.0), "steps": [float(settings.steps)]}


def outcome(alpha: Vector, labels: Vector) -> Readings:
    """Of one run: how much of the mean the start holds at most before the labels carry 0.2, at least after it, and at
    the end; NaN where they never do. What the labels carry at the end.
    """
    top, low, begun, last = 0.0, nan, 0.0, len(alpha) - 1
    for k in range(len(alpha)):
        begun = 1.0 if labels[k] >= BEGUN else begun
        if begun < 1.0:
            top = max(top, alpha[k])
        else:
            low = alpha[k] if not low <= alpha[k] else low
    return {"top": [top], "low": [low], "end": [alpha[last]], "last": [labels[last]], "begun": [begun]}


def picture() -> Any:
    """The parts over the steps."""
    parts = [
        Line("alpha", "start α", idea="step", each=True), Line("labels", "labels", idea="attention", each=True),
        Line("features", "features", idea="zero start", each=True),
        Line("sum", "together", idea="bayes", each=True),
        Line("whole.one", "the prior mean", theory=True),
    ]  # fmt: skip
    return over_steps("", "part of the prior mean (no unit)", *parts, height=170)


def say() -> list[Say]:
    """The start gives way and comes back."""
    return [
        *waiting(),
        Say("The start alone learns the mean: it holds {end:2} of it after {whole.steps} steps, and the labels nothing "
            "yet.", "begun == 0"),
        Say("The start holds {top:2} of the mean, gives way to {low:2} when the labels come in, and ends at {end:2}."),
    ]  # fmt: skip


IDEA = Idea(
    "The start once held nearly all of the mean, and less than seven tenths of it as the labels came in.",
    greater=lambda drawn: float(drawn["alpha"].max()) - 0.3,
    than=lambda drawn: later(drawn),
    breaks={"lr": 0.005},
)


def later(drawn: Any) -> float:
    """The least that the start holds once the labels carry 0.2 of the mean."""
    return float(drawn["alpha"][drawn["labels"] >= BEGUN].min(initial=9.0))
