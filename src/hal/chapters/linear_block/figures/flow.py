"""Figure `linear_block-flow`: one learned step from zero; its two phases, and the learning rate at which it blows up.

Chapter `linear_block`. Source: arXiv 2402.14951, Theorem 6.3; the two phases, descent and its learning rate are ours.
"""

from typing import Any

from hal.chapters.linear_block.figures._shared import TABLE
from hal.explorer import Line, Say, Step, bars, over_steps, sliders
from lib.models.linear_block import textbook_descent
from lib.models.linear_block.textbook_descent import Settings
from lib.models.linear_block.textbook_prompts import law_of
from lib.portable.primitives import Readings, Vector, floor, nan
from lib.portable.vectors import largest
from lib.theory.linear_block.portable_curves import EARLIEST, flow_from_zero

LAST = 20.0  # time of a whole run: learning rate times steps
WORK = 1e6  # features that the drawn training reads; the run ends where they are spent
TITLE, RUN, COLUMNS, RUNS, FIRST = "A start and a step, learned from nothing", textbook_descent, 2, 4, 1
TIME, TIME_LABEL = "time", "training time η · steps (no unit)"
SLIDERS = sliders(TABLE, M=20, d=(5, 2, 6), norm=4.0, sigma=0.7, decay=0.0, lr=0.02, batch=8)
SIGHT = ("norm", "decay", "lr")


def settings(M: int, d: int, norm: float, sigma: float, decay: float, lr: float, batch: int) -> Settings:
    """The run of these sliders, as long as a page can take it."""
    steps = min(floor(LAST / lr), floor(WORK / float(batch * (M + 1) * (d + 1))))
    return Settings(d, M, sigma, norm, decay, lr, batch, max(25, steps))


def flow(settings: Settings) -> Readings:
    """The flow at times of its own; the best risks from the prior mean and from zero; the rate that is stable."""
    law = law_of(settings.d, settings.M, settings.sigma, settings.norm, settings.decay, 1.0)
    last = settings.lr * float(settings.steps)
    return flow_from_zero(law.h, settings.norm, settings.sigma, float(settings.M), settings.lr, last)


def outcome(risk: Vector, along: Vector, drawn_risk: Vector, drawn_lost: Vector) -> Readings:
    """Of one run: the risk at the end, on all prompts and on drawn ones, the largest gain along the mean, and whether
    the drawn training diverged.
    """
    last, lost = len(risk) - 1, drawn_lost[0]
    return {
        "end": [risk[last]], "drawn_end": [nan if lost > 0.0 else drawn_risk[last]],
        "reached": [max(0.0, largest(along))], "gone": [lost],
    }  # fmt: skip


def panels() -> list[Any]:
    """Risk, start of the step, its gain along the mean and across it, its gains by direction."""
    axis: dict[str, Any] = dict(x=TIME, xlabel=TIME_LABEL, xlog=True, xswitch=True, xlim=(EARLIEST, None))

    def known(name: str, label: str, idea: str | None = None) -> Line:
        return Line(name, label, idea=idea, theory=True, x="flow.time")

    def drawn(name: str, label: str = "on drawn prompts") -> Line:
        return Line(name, label, idea="noise", each=True)

    risks = [
        Line("risk", "descent on all prompts", idea="step"), drawn("drawn_risk"), known("flow.risk", "gradient flow"),
        known("flow.stuck", "best step from 0", "zero start"), known("flow.best", "best step", "first"),
    ]  # fmt: skip
    starts = [
        Line("beta", "descent on all prompts", idea="step"), drawn("drawn_beta"), known("flow.beta", "gradient flow")
    ]  # fmt: skip
    gains = [
        Line("along", "along the prior mean", idea="step"), Line("across", "across it", idea="first"),
        drawn("drawn_along", "along it, drawn prompts"), known("flow.along", "flow, along"),
        known("flow.across", "flow, across"),
    ]  # fmt: skip
    ends = [Line("gains", "Γ, diagonal", idea="step"), Line("flow.gains", "best step", theory=True)]
    return [
        over_steps("Risk", "risk (squared labels)", *risks, ylog=True, yswitch=True, height=230, **axis),
        over_steps("Where the step starts", "β along the prior mean (no unit)", *starts, height=230, **axis),
        over_steps("How far it goes", "gain of the step matrix Γ (no unit)", *gains, height=200, **axis),
        bars("flow.directions", ends, frames=True, xlabel="feature, by falling variance (number)",
             ylabel="gain (no unit)", title="Gain by direction", ylim=(0, None), height=200),
    ]  # fmt: skip


SHARE = "{flow.share:2} times the rate below which descent was stable in all our cases"
END = "At time {flow.last} the risk is {end:3} on all prompts"
MEDIAN = "drawn_risk"
READING = [
    [
        Say(f"At η = {{flow.lr:3}}, {SHARE}, it blows up.", "runs == 0", "lost >= 1"),
        Say(f"η = {{flow.lr:3}} is {SHARE}."),
    ],
    [
        Say("In the flow Γ overshoots along the mean: {flow.top:2} at time {flow.top_at}, not {flow.goal_now:2}.",
            "flow.over > 0.02"),
        Say("In the flow Γ overshoots along the mean by no more than 0.02 until time {flow.last}."),
    ],
    [
        Say(f"{END}; the best is {{flow.least:3}}. On drawn prompts {{sum.gone:0}} of {{runs:0}} runs have blown up.",
            "sum.gone >= 1"),
        Say(f"{END}, {{drawn_end:3}} on drawn ones; the best is {{flow.least:3}}."),
    ],
]  # fmt: skip
TOUR = [
    Step("From zero: no start, no step. The risk is that of saying nothing.", time=0.0, point="Risk"),
    Step(Say("First the step grows along the mean, beyond what is best: {flow.top:2} instead of {flow.goal_now:2}."),
         "First the step grows along the mean, beyond what is best.", time=0.3, point="How far it goes"),
    Step("Then the start drifts to the mean, and the step relaxes.", time=8.0, point="Where the step starts"),
    Step("With the mean at zero there is one phase only.", norm=0.0, lr=0.1, point="How far it goes"),
    Step("Features of falling variance: the last directions take long.", decay=1.5, norm=1.0,
         point="Gain by direction"),
    Step("A rate four times the bound, and descent blows up.", lr=0.21, point="Risk"),
]  # fmt: skip
