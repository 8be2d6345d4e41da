"""Figure `group_sparse-selection`: a row of pictures, one for each group; first a line stands in all, then one fills.

Chapter `group_sparse`. Source: arXiv 2504.08638, Section 5 and its figures of pretraining; the population's flow is
ours.
"""

from typing import Any

from hal.chapters.group_sparse.figures._frames import bars_of, frames_of, lines_of, points_of, positive, right_or_even
from hal.chapters.group_sparse.figures._shared import TABLE
from hal.chapters.group_sparse.runs import fast_runs
from hal.figure import Line, Mark, Path, Say, Step, over_steps, points, sliders, waiting
from lib.models.group_sparse import textbook
from lib.models.group_sparse.textbook import (
    RECORDS,
    STAR,
    Settings,
    State,
    cosine,
    look,
    on_group,
    steps_of,
)
from lib.portable.primitives import Readings, Vector, floor
from lib.portable.records import reached
from lib.theory.group_sparse.portable import beside_a_run, ruled

HALF = 0.5 + 1e-9  # of the attention; with two groups it starts at 0.5
STEPS = 200  # of a run at most, where its work allows
ENOUGH = 30.0  # learning rate times steps: attention passes 0.9 before it
FEWEST = 20  # of a run that costs more
WORK = 1e8  # multiplications of a run; it ends where they are spent
TITLE, RUN, FAST, COLUMNS, RUNS, PRECOMPUTED_RUNS = "What moves first?", textbook, fast_runs, 2, 1, 1
SLOW_REASON = "Your browser trains the layer on all examples at every step."
SLIDERS = sliders(TABLE, D=6, d=2, n=200, lr=0.3, others=1.0, sigma=1.0, flips=0.0)
HERO, PRIMARY_SLIDERS, COLLAPSED_PANELS, MEDIAN, OPENS = True, ("D", "d", "n", "lr"), 2, None, 0.01
PACE = 0.7, 3  # the first steps one by one: the value turns before attention moves
ROW, ORDER = "A plot for each group: the layer’s line in blue, attention on the group in orange", "Both over time"


def settings(D: int, d: int, n: int, lr: float, others: float, sigma: float, flips: float) -> Settings:
    """The run of these sliders, as many steps as a page can take."""
    m = d + D
    steps = floor(WORK / float(2 * n * D * m * (m + D)))
    wanted = max(60, min(STEPS, floor(ENOUGH / lr + 0.5)))
    return Settings(D, d, n, lr, max(FEWEST, min(wanted, steps)), sigma, flips, others)


def row(settings: Settings) -> Readings:
    """Frames, bars and lines of the pictures; see `frames_of`."""
    return frames_of(settings.D)


def flow(settings: Settings) -> Readings:
    """The population's flow of two scalars at the steps of the records: attention, loss, each (61,); their ends."""
    law = ruled(settings.D, settings.sigma, -9.0, 0.5, 21, 1.2, 7)  # as fine as 200 steps ask for
    law.flips = settings.flips
    law.others = settings.others
    attention, loss = beside_a_run(law, settings.lr, steps_of(settings))
    return {"attention": attention, "loss": loss, "last": [attention[RECORDS]]}


def probe(state: State) -> Readings:
    """What `textbook.measure` finds; the corners of the bars and the lines, see `bars_of` and `lines_of`."""
    look(state)
    d = state.settings.d
    return {
        "loss": [state.loss], "cosine": [cosine(state.v, d)], "attention": [on_group(state, STAR)],
        "accuracy": [right_or_even(state.accuracy, state)], "test": [right_or_even(state.test, state)],
        "bars": bars_of(state), "lines": lines_of(state),
    }  # fmt: skip


def at_end(state: State) -> Readings:
    """The points in all pictures, see `points_of`."""
    return points_of(state)


def run_metrics(steps: Vector, attention: Vector, cosine: Vector, test: Vector) -> Readings:
    """Of one run: when its cosine is 0.9 and attention passes 0.5; at its end attention and test accuracy."""
    last = len(attention) - 1
    return {
        "turned": [reached(steps, positive(cosine), 0.9)], "attention": [attention[last]], "test": [test[last]],
        "half": [reached(steps, attention, HALF)],
    }  # fmt: skip


def panels() -> list[Any]:
    """The row of pictures; direction and attention over the steps; folded attention and the loss, as predicted."""
    frame = Path("row.x", "row.y", "", idea="#9aa3ad")
    bar, line = Path("row.bars", "bars", "", idea="attention"), Path("row.lines", "lines", "", idea="output")
    order = [
        Line("cosine", "layer’s line", idea="output"), Line("attention", "attention on group 2", idea="attention"),
    ]  # fmt: skip
    names = [Path(f"row.n{j}", "row.top", f"group {j}", idea="#9aa3ad") for j in range(1, 9)]
    predicted = Line("attention", "measured", idea="attention"), Line("flow.attention", "prediction", theory=True)
    losses = Line("loss", "n examples, training", idea="loss"), Line("flow.loss", "prediction", theory=True)
    return [
        points(
            x="points_x", y="points_y", kinds="kinds", ideas=("minus", "plus"), kind_names=("label −", "label +"),
            lines=[frame, *names, line, bar],
            xlim=(0.0, 1.0), ylim=(0.0, 1.1), ends=False, frames=True, title=ROW, height=180, wide=True,
            alt="Six pictures of points. The same line stands in all; the bar of the second is nearly full.",
        ),
        over_steps(ORDER, "1 = perfect line; attention (no unit)", *order, ylim=(-0.25, 1.4), height=190,
                   wide=True, marks=[Mark("turned", "the line is right"), Mark("half", "attention passes one half")]),
        over_steps("Attention", "attention on group 2 (no unit)", *predicted, ylim=(0, 1.02), height=190),
        over_steps("The loss", "loss L (nats)", *losses, ylog=True, ylim=(0.005, 1), height=190),
    ]  # fmt: skip


READING = [
    [
        *waiting(),
        Say("The line is right at step {turned:0}, attention passes one half at step {half:0}.", "turned < half"),
        Say("Attention passes one half at step {half:0}, the line is right at step {turned:0}."),
        Say("The line is right at step {turned:0}; attention does not pass one half."),
        Say("The line does not become right."),
    ],
]
TOUR = [
    Step("Each plot is a group, each dot an example. A line in one plot decides the labels.", time=0, point=ROW),
    Step("After one step its line is nearly right, and the same in every plot. All bars are equal.", time=1, point=ROW),
    Step("Then one bar rises: attention finds the plot in which the line separates the labels.", time=40, point=ROW),
    Step("It has to be in this order: without a line no group is better than another.", time=100, point=ORDER),
    Step(Say("The layer memorises twenty examples of 24 numbers: its accuracy on new ones is {test:2}."),
         "The layer memorises twenty examples of 24 numbers.", n=20, D=6, d=4, point=ROW),
    Step(Say("Three labels in ten are wrong: group 2 ends with {attention:2} of the attention."),
         "Three labels in ten are wrong: attention stays spread out.", flips=0.3, point=ROW),
]  # fmt: skip
