"""Figure `atlas-six`: attention in five tasks behind a slow and a fast read-out, on steps or on the clock.

Chapter `atlas`. Source: our own; Theorem 1.
"""

from typing import Any

from hal.chapters.atlas.models import textbook_six
from hal.chapters.atlas.models.prompts import START
from hal.chapters.atlas.models.tasks import PROMPTS, TASKS, levels
from hal.chapters.atlas.models.textbook_six import Settings
from hal.chapters.atlas.theory.portable import half_clock
from hal.figure import Line, Say, Slider, Spot, Step, lines, waiting
from lib.portable.primitives import Readings, Vector, nan, zeros

TITLE, RUN, TIME = "Does one clock fit every task?", textbook_six, None
RUNS, PRECOMPUTED_RUNS, COLUMNS, COLLAPSED_PANELS, HERO = 1, 1, 3, 0, True
SLOW_REASON = "The curves appear one task after the other, as the models train."
OPTIMISERS = {0: "gradient descent", 2: "Adam"}
SLIDERS = {
    "watch": Slider("Measure time by", default=0, names={0: "steps", 1: "the clock"}, axis=True),
    "optimiser": Slider("Optimiser", default=0, names=OPTIMISERS),
    "readout": Slider("Read-out’s rate ×", "no unit", 1.0, (0.5, 2), log=True),
    "attention": Slider("Attention’s rate ×", "no unit", 1.0, (0.5, 2), log=True),
}
PRIMARY_SLIDERS = ("watch", "optimiser")
WHO = ("neither", "only the fast", "only the slow")
CLOSE = 1.15  # later over sooner: one curve


def settings(watch: int, optimiser: int, readout: float, attention: float) -> Settings:
    """The runs of these sliders."""
    return Settings(watch, optimiser, readout, attention, 1.0)


def law(settings: Settings) -> Readings:
    """1 where time is told by the clock, 0 by the step; the height at which attention moves; the clock there by
    theory, under gradient descent: clock1_places, and of its line the height of its name.
    """
    level, plain = levels(), settings.optimiser == 0
    places = half_clock(level[0], 0.02 * settings.attention) if plain else nan
    prompts = half_clock(level[PROMPTS] - START, 0.04 * settings.attention) if plain else nan
    return {
        "watch": [float(settings.watch)], "level": [1.0, 1.0],
        "clock0_places": [nan, nan], "clock1_places": [places, places], "clock_places": [places],
        "clock0_prompts": [nan, nan], "clock1_prompts": [prompts, prompts], "clock_prompts": [prompts],
        "rise": [0.0, 1.0], "foot": [0.0],
    }  # fmt: skip


def run_metrics(half_step: Vector, half_clock: Vector) -> Readings:
    """In how many tasks attention moves in both runs; in how many of these the later comes within 15 % of the sooner,
    by the step and by the clock; the largest ratio of both, by the step; every ratio; which runs arrive.
    """
    steps, clocks = gaps(half_step), gaps(half_clock)
    arrive, by_step, by_clock, widest = 0.0, 0.0, 0.0, nan
    for task in range(TASKS):
        if steps[task] == steps[task]:
            arrive += 1.0
            by_step += 1.0 if steps[task] <= CLOSE else 0.0
            by_clock += 1.0 if clocks[task] <= CLOSE else 0.0
            widest = steps[task] if not steps[task] <= widest else widest
    return {
        "arrive": [arrive], "by_step": [by_step], "by_clock": [by_clock], "widest": [widest],
        "places0": [steps[0]], "groups0": [steps[1]], "walks0": [steps[2]], "sentences0": [steps[3]],
        "prompts0": [steps[4]], "places1": [clocks[0]], "groups1": [clocks[1]], "walks1": [clocks[2]],
        "sentences1": [clocks[3]], "prompts1": [clocks[4]], "places": [reach(half_step, 0)],
        "groups": [reach(half_step, 1)], "walks": [reach(half_step, 2)], "sentences": [reach(half_step, 3)],
        "prompts": [reach(half_step, 4)],
    }  # fmt: skip


def gaps(half: Vector) -> Vector:
    """(TASKS,) the ratio of both runs' times in each task."""
    found = zeros(TASKS)
    for task in range(TASKS):
        found[task] = apart(half[2 * task], half[2 * task + 1])
    return found


def reach(half: Vector, task: int) -> float:
    """Whose attention moves: 1 that of the fast run, 2 that of the slow one, 3 both, 0 none."""
    fast, slow = half[2 * task], half[2 * task + 1]
    return (1.0 if fast == fast else 0.0) + (2.0 if slow == slow else 0.0)


def apart(a: float, b: float) -> float:
    """The later of two times over the sooner; NaN where one is missing, or the sooner is not above 0."""
    low = min(a, b)
    return max(a, b) / low if a == a and b == b and low > 0.0 else nan


def verdict(name: str) -> list[Say]:
    """How far apart both runs of a task are, or which of them arrives."""
    reached = [Say(f"{who} run reaches the line", f"{name} == {k}") for k, who in enumerate(WHO)]
    meet = [Say("they meet", f"law.watch == {watch}", f"{name}{watch} <= {CLOSE}") for watch in (0, 1)]
    gaps = [Say(f"{{{name}{watch}:1}} times apart", f"law.watch == {watch}") for watch in (0, 1)]
    return meet + gaps + reached


def panel(name: str, title: str, predicted: bool = False) -> Any:
    """One task: its runs, up to where attention moves."""
    runs = [("fast", "first"), ("slow", "second")]
    at = f"at{{law.watch}}_{name}"
    curves = [Line(f"{name}{i + 1}", run, x=f"{at}{i + 1}", idea=idea) for i, (run, idea) in enumerate(runs)]
    theory = [Line("law.level", "attention has moved", theory=True, x=f"span{{law.watch}}_{name}")]
    spots = [Spot(f"{at}{i + 1}", f"{name}{i + 1}", [Say(run)], idea, aside=True) for i, (run, idea) in enumerate(runs)]
    spots.append(Spot("", "", verdict(name)))
    if predicted:
        theory.append(Line("law.rise", "predicted", theory=True, x=f"law.clock{{law.watch}}_{name}"))
        spots.append(Spot(f"law.clock{{law.watch}}_{name}", "law.foot", [Say(f"predicted {{law.clock_{name}}}")]))
    return lines(f"{at}1", [*curves, *theory], xlabel="time (no unit)", xlabels=("steps", "the clock"), title=title,
                 ylabel="progress: 0 at the start, 1 has moved (no unit)", ylim=(0, 1.75), height=190,
                 spots=spots)  # fmt: skip


def panels() -> list[Any]:
    """A task each."""
    return [
        panel("places", "Places (chapter 1)", predicted=True),
        panel("sentences", "Sentences (chapter 2)"),
        panel("groups", "Groups (chapter 4)"),
        panel("walks", "Walks (chapter 5)"),
        panel("prompts", "Prompts (chapter 6)", predicted=True),
    ]


READING = [
    [
        *waiting(),
        Say("In steps, the later run of a task takes up to {widest:1} times as long as the sooner one.",
            "arrive >= 1", "law.watch == 0"),
        Say("On the clock the two runs agree within 15% in {by_clock:0} of the {arrive:0} tasks where attention moves "
            "in both.", "arrive >= 1"),
        Say("In none of the 5 tasks does attention move in both runs."),
    ],
]  # fmt: skip
TOUR = [
    Step("In steps the two curves of a task lie apart: a slow read-out makes attention wait.", watch=0,
         point="Prompts (chapter 6)"),
    Step("On the clock, four tasks have nearly one curve until attention moves.", watch=1,
         point="Prompts (chapter 6)"),
    Step("In Sentences it fails: the read-out learns two things at once.", watch=1, point="Sentences (chapter 2)"),
    Step("With Adam, whose steps have about one size, the two runs of Prompts nearly agree in steps.", watch=0,
         optimiser=2, point="Prompts (chapter 6)"),
]  # fmt: skip
