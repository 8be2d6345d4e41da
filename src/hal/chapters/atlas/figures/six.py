"""Figure `atlas-six`: attention in four more tasks behind a slow and a fast read-out, on steps or on the clock.

Chapter `atlas`. Source: our own; Theorem 1.
"""

from typing import Any

from hal.chapters.atlas.models import textbook_six
from hal.chapters.atlas.models.tasks import TASKS, levels
from hal.chapters.atlas.models.textbook_six import Settings
from hal.figure import Line, Say, Slider, Step, lines, waiting
from lib.portable.primitives import Readings, Vector, nan

TITLE, RUN, TIME = "Does the clock fit other tasks?", textbook_six, None
RUNS, PRECOMPUTED_RUNS, COLUMNS, COLLAPSED_PANELS, HERO = 1, 1, 2, 0, True
SLOW_REASON = "The curves appear one task after the other, as the models train."
OPTIMISERS = {0: "gradient descent", 1: "momentum", 2: "Adam", 3: "sign descent"}
SLIDERS = {
    "watch": Slider("Horizontal axis", default=0, names={0: "steps", 1: "the clock"}, axis=True),
    "optimiser": Slider("Optimiser", default=0, names=OPTIMISERS),
    "readout": Slider("Read-out’s rate ×", "no unit", 1.0, (0.5, 2), log=True),
    "attention": Slider("Attention’s rate ×", "no unit", 1.0, (0.5, 2), log=True),
}
CLOSE = 1.15  # later over sooner: one curve


def settings(watch: int, optimiser: int, readout: float, attention: float) -> Settings:
    """The runs of these sliders."""
    return Settings(watch, optimiser, readout, attention, 1.0)


def law(settings: Settings) -> Readings:
    """1 where time is told by the clock, 0 by the step; in each task the level at which attention moves."""
    level = levels()
    return {
        "watch": [float(settings.watch)], "span": [0.0, 9.0], "groups": [level[0], level[0]],
        "walks": [level[1], level[1]], "sentences": [level[2], level[2]], "prompts": [level[3], level[3]],
    }  # fmt: skip


def run_metrics(half_step: Vector, half_clock: Vector) -> Readings:
    """In how many tasks attention moves in both runs; in how many of these the later comes within 15 % of the sooner,
    by the step and by the clock; the largest ratio of both, by the step.
    """
    arrive, by_step, by_clock, widest = 0.0, 0.0, 0.0, nan
    for task in range(TASKS):
        steps = apart(half_step[2 * task], half_step[2 * task + 1])
        if steps == steps:
            arrive += 1.0
            by_step += 1.0 if steps <= CLOSE else 0.0
            by_clock += 1.0 if apart(half_clock[2 * task], half_clock[2 * task + 1]) <= CLOSE else 0.0
            widest = steps if not steps <= widest else widest
    return {"arrive": [arrive], "by_step": [by_step], "by_clock": [by_clock], "widest": [widest]}


def apart(a: float, b: float) -> float:
    """The later of two times over the sooner; NaN where one is missing, or the sooner is not above 0."""
    low = min(a, b)
    return max(a, b) / low if a == a and b == b and low > 0.0 else nan


def panel(name: str, title: str, ylabel: str, longest: float, ylim: tuple[float, float]) -> Any:
    """One task: its runs, and the level at which attention moves."""
    curves = [
        Line(f"{name}{i + 1}", run, x=f"at{{law.watch}}_{name}{i + 1}", idea=idea)
        for i, (run, idea) in enumerate((("fast", "attention"), ("slow", "rival")))
    ]
    level = Line(f"law.{name}", "attention moves", theory=True, x="law.span")
    return lines(f"at{{law.watch}}_{name}1", [*curves, level], xlabel="time (1: fast run moves or ends)", ylabel=ylabel,
                 xlabels=("steps (1: fast run moves or ends)", "clock (1: fast run moves or ends)"), title=title,
                 xlim=(0, longest), ylim=ylim, height=150)  # fmt: skip


def panels() -> list[Any]:
    """A task each."""
    return [
        panel("groups", "Groups (chapter 4)", "on the right group (share)", 3, (0, 0.75)),
        panel("walks", "Walks (chapter 5)", "on the parent (share)", 3, (0, 0.75)),
        panel("prompts", "Prompts (chapter 6)", "way covered by attention (share)", 4.5, (0, 0.45)),
        panel("sentences", "Sentences (chapter 2)", "on the telling words (share)", 4.5, (0.3, 0.55)),
    ]


READING = [
    [
        *waiting(),
        Say("In steps, one run of a task takes up to {widest:1} times as long as the other until attention moves.",
            "arrive >= 1", "law.watch == 0"),
        Say("Attention moves in both runs of {arrive:0} tasks. On the clock the two runs agree within 15% in "
            "{by_clock:0} of these tasks, in steps in {by_step:0}.", "arrive >= 1"),
        Say("In none of the 4 tasks does attention move in both runs."),
    ],
]  # fmt: skip
TOUR = [
    Step("In steps the two curves of a task lie apart: a slow read-out makes attention wait.", watch=0,
         point="Groups (chapter 4)"),
    Step("On the clock, three tasks have nearly one curve until attention moves.", watch=1,
         point="Prompts (chapter 6)"),
    Step("Sentences does not, because its read-out learns two things at once.", watch=1, point="Sentences (chapter 2)"),
    Step("With Adam, whose steps have about one size, the two runs of Prompts nearly agree in steps.", watch=0,
         optimiser=2, point="Prompts (chapter 6)"),
]  # fmt: skip
