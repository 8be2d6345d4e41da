"""Figure `atlas-six`: attention in six tasks behind a slow and a fast read-out, on steps or on the clock.

Chapter `atlas`. Source: our own; Theorem 1.
"""

from typing import Any

from hal.chapters.atlas.models import textbook_six
from hal.chapters.atlas.models.textbook_six import Settings
from hal.figure import Line, Say, Slider, Step, lines, waiting
from lib.portable.primitives import Readings, Vector, nan

TITLE, RUN, TIME = "Does one clock fit six tasks?", textbook_six, None
RUNS, PRECOMPUTED_RUNS, COLUMNS, COLLAPSED_PANELS, HERO = 1, 1, 3, 0, True
SLOW_REASON = "Eleven models train, two in every task but Neighbours."
LONGEST = 4.5  # what is drawn, in half-way times of the fast run
OPTIMISERS = {0: "gradient descent", 1: "momentum", 2: "Adam", 3: "sign descent"}
SLIDERS = {
    "watch": Slider("Horizontal axis", default=0, names={0: "steps", 1: "the clock"}, axis=True),
    "optimiser": Slider("Optimiser", default=0, names=OPTIMISERS),
    "readout": Slider("Read-out’s rate ×", "no unit", 1.0, (0.5, 2), log=True),
    "attention": Slider("Attention’s rate ×", "no unit", 1.0, (0.5, 2), log=True),
}
NAMES = ("fast", "slow")
SHADES = ("#a94a00", "#f2a477")
CLOSE = 1.15  # later over sooner: one curve


def settings(watch: int, optimiser: int, readout: float, attention: float) -> Settings:
    """The runs of these sliders."""
    return Settings(watch, optimiser, readout, attention, 1.0)


def law(settings: Settings) -> Readings:
    """1 where time is told by the clock, 0 by the step."""
    return {"watch": [float(settings.watch)]}


def run_metrics(half_step: Vector, half_clock: Vector) -> Readings:
    """Of the five tasks with a read-out that learns: in how many both runs are half-way; in how many of these the later
    comes within 15 % of the sooner, by the step and by the clock; the largest ratio of both, by the step. And whether
    Neighbours is half-way.
    """
    arrive, by_step, by_clock, widest = 0.0, 0.0, 0.0, nan
    for task in range(6):
        steps = apart(half_step[2 * task], half_step[2 * task + 1])
        if steps == steps:
            arrive += 1.0
            by_step += 1.0 if steps <= CLOSE else 0.0
            by_clock += 1.0 if apart(half_clock[2 * task], half_clock[2 * task + 1]) <= CLOSE else 0.0
            widest = steps if not steps <= widest else widest
    return {
        "arrive": [arrive], "by_step": [by_step], "by_clock": [by_clock], "widest": [widest],
        "given": [1.0 if half_step[4] == half_step[4] else 0.0],
    }  # fmt: skip


def apart(a: float, b: float) -> float:
    """The later of two times over the sooner; NaN where one is missing, or the sooner is not above 0."""
    low = min(a, b)
    return max(a, b) / low if a == a and b == b and low > 0.0 else nan


def panel(name: str, title: str, ylabel: str, ylim: tuple[float, float], runs: int = 2) -> Any:
    """One task: its runs, and where the fast one is half-way."""
    curves = [
        Line(f"{name}{i + 1}", NAMES[i] if runs > 1 else "given read-out", x=f"at{{law.watch}}_{name}{i + 1}",
             idea=SHADES[i]) for i in range(runs)
    ]  # fmt: skip
    return lines(f"at{{law.watch}}_{name}1", curves, xlabel="time (1 = fast run half-way)", ylabel=ylabel, title=title,
                 xlim=(0, LONGEST), ylim=ylim, height=140)  # fmt: skip


def panels() -> list[Any]:
    """A task each."""
    return [
        panel("places", "Places (chapter 1)", "signal of attention (no unit)", (0, 0.5)),
        panel("groups", "Groups (chapter 4)", "on the right group (share)", (0, 0.7)),
        panel("walks", "Walks (chapter 5)", "on the parent (share)", (0, 0.8)),
        panel("prompts", "Prompts (chapter 6)", "signal of attention (no unit)", (0, 0.45)),
        panel("sentences", "Sentences: two clocks", "on the telling words (share)", (0.3, 0.55)),
        panel("neighbours", "Neighbours: no wait", "on the nearest (share)", (0, 0.7), 1),
    ]


READING = [
    [
        *waiting(),
        Say("In steps the later run of a task takes up to {widest:1} times as long as the other to get half-way.",
            "arrive >= 1", "law.watch == 0"),
        Say("Of the {arrive:0} tasks whose runs both come half-way, the two agree within 15% by the clock in "
            "{by_clock:0}, in steps in {by_step:0}.", "arrive >= 2"),
        Say("Only one task has two runs that come half-way.", "arrive == 1"),
        Say("In none of the 5 tasks do both runs come half-way."),
    ],
    [Say("Neighbours, whose read-out is given, does not come half-way.", "given == 0")],
]  # fmt: skip
TOUR = [
    Step("In steps the two curves of a task lie apart: a slow read-out makes attention wait.", watch=0,
         point="Places (chapter 1)"),
    Step("Against the clock: in four tasks nearly one curve, up to half-way.", watch=1, point="Places (chapter 1)"),
    Step("Not in Sentences: two clocks pull against each other there.", watch=1, point="Sentences: two clocks"),
    Step("Adam in steps: up to half-way one curve in Places and Prompts, as its steps have one size.", watch=0,
         optimiser=2, point="Prompts (chapter 6)"),
    Step("On Walks Adam’s attention never moves.", watch=0, optimiser=2, point="Walks (chapter 5)"),
]  # fmt: skip
