"""Figure `atlas-six`: attention in six tasks at three learning rates of the read-out, on steps or on the clock.

Chapter `atlas`. Source: our own; Theorem 1.
"""

from typing import Any

from hal.chapters.atlas.models import textbook_six
from hal.chapters.atlas.models.textbook_six import Settings
from hal.figure import Line, Mark, Say, Slider, Step, lines, waiting
from lib.portable.primitives import Readings, Vector, nan

TITLE, RUN, TIME = "Slow and fast read-outs in six tasks", textbook_six, None
RUNS, PRECOMPUTED_RUNS, COLUMNS, COLLAPSED_PANELS, HERO = 1, 1, 3, 0, True
SLOW_REASON = "Sixteen models train, three in every task but Neighbours."
LONGEST = 4.0  # what is drawn, in half-way times of the middle run
OPTIMISERS = {0: "gradient descent", 1: "momentum", 2: "Adam", 3: "sign descent"}
SLIDERS = {
    "watch": Slider("Horizontal axis", default=0, names={0: "steps", 1: "the clock"}, axis=True),
    "optimiser": Slider("Optimiser", default=0, names=OPTIMISERS),
    "readout": Slider("Read-out’s rate ×", "no unit", 1.0, (0.5, 2), log=True),
    "attention": Slider("Attention’s rate ×", "no unit", 1.0, (0.5, 2), log=True),
}
NAMES = ("usual", "slow", "fast")
SHADES = ("#d55e00", "#f2a477", "#7d3700")
CLOSE = 1.15  # last over first: one curve


def settings(watch: int, optimiser: int, readout: float, attention: float) -> Settings:
    """The runs of these sliders."""
    return Settings(watch, optimiser, readout, attention, 1.0)


def law(settings: Settings) -> Readings:
    """Where the middle runs are half-way; 1 where time is told by the clock, 0 by the step."""
    return {"half": [1.0], "watch": [float(settings.watch)]}


def run_metrics(half_step: Vector, half_clock: Vector) -> Readings:
    """Of the five tasks with a read-out that learns: in how many all three runs are half-way; in how many of these the
    last comes within 15 % of the first, by the step and by the clock; the largest ratio of both, by the step. And
    whether Neighbours is half-way.
    """
    arrive, by_step, by_clock, widest = 0.0, 0.0, 0.0, nan
    for task in range(6):
        if task != 2:
            steps = apart(half_step, 3 * task)
            clocks = apart(half_clock, 3 * task)
            if steps == steps:
                arrive += 1.0
                by_step += 1.0 if steps <= CLOSE else 0.0
                by_clock += 1.0 if clocks <= CLOSE else 0.0
                widest = steps if not steps <= widest else widest
    return {
        "arrive": [arrive], "by_step": [by_step], "by_clock": [by_clock], "widest": [widest],
        "given": [1.0 if half_step[6] == half_step[6] else 0.0],
    }  # fmt: skip


def apart(times: Vector, at: int) -> float:
    """The last of three times over the first; NaN where one is missing, or the first is not above 0."""
    a, b, c = times[at], times[at + 1], times[at + 2]
    if a != a or b != b or c != c:
        return nan
    low = min(a, min(b, c))
    return max(a, max(b, c)) / low if low > 0.0 else nan


def panel(name: str, title: str, half: str, ylabel: str, ylim: tuple[float, float], runs: int = 3) -> Any:
    """One task: its runs, the slow one first, and where the middle one is half-way, with that level of attention."""
    curves = [
        Line(f"{name}{i + 1}", NAMES[i] if runs > 1 else "given read-out", x=f"at{{law.watch}}_{name}{i + 1}",
             idea=SHADES[i]) for i in ((1, 0, 2) if runs > 1 else (0,))
    ]  # fmt: skip
    return lines(f"at{{law.watch}}_{name}1", curves, xlabel="time (1 = usual run half-way)", ylabel=ylabel, title=title,
                 xlim=(0, LONGEST), ylim=ylim, height=150, marks=[Mark("law.half", half)])  # fmt: skip


def panels() -> list[Any]:
    """A task each."""
    return [
        panel("places", "Places (chapter 1)", "half-way, 0.3", "signal of attention (no unit)", (0, 0.5)),
        panel("sentences", "Sentences (chapter 2)", "half-way, 0.45", "on the telling words (share)", (0.3, 0.55)),
        panel("neighbours", "Neighbours (chapter 3)", "half-way, 0.5", "on the nearest (share)", (0, 0.7), 1),
        panel("groups", "Groups (chapter 4)", "half-way, 0.5", "on the right group (share)", (0, 0.7)),
        panel("walks", "Walks (chapter 5)", "half-way, 0.5", "on the parent (share)", (0, 0.8)),
        panel("prompts", "Prompts (chapter 6)", "half-way, 0.3", "signal of attention (no unit)", (0, 0.45)),
    ]


READING = [
    [
        *waiting(),
        Say("In steps, the last run of a task comes half-way up to {widest:1} times as late as the first.",
            "arrive >= 1", "law.watch == 0"),
        Say("Of the {arrive:0} tasks whose three runs all come half-way, the runs agree within 15% by the clock in "
            "{by_clock:0}, in steps in {by_step:0}.", "arrive >= 2"),
        Say("Only one task has three runs that come half-way.", "arrive == 1"),
        Say("In none of the 5 tasks do all three runs come half-way."),
    ],
    [Say("Neighbours, whose read-out is given, does not come half-way.", "given == 0")],
]  # fmt: skip
TOUR = [
    Step("In steps the three curves of a task are a fan: a slow read-out makes attention wait.", watch=0,
         point="Places (chapter 1)"),
    Step("The same runs against the clock: one curve in four tasks.", watch=1, point="Places (chapter 1)"),
    Step("In Sentences the order reverses: two clocks pull against each other there.", watch=1,
         point="Sentences (chapter 2)"),
    Step("Adam in steps: up to half-way one curve in Places and Prompts, as its steps have one size.", watch=0,
         optimiser=2, point="Prompts (chapter 6)"),
    Step("On Walks Adam’s attention never moves.", watch=0, optimiser=2, point="Walks (chapter 5)"),
]  # fmt: skip
