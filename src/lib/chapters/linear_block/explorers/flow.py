"""Explorer `linear_block-flow`: one learned step from zero; its two phases, and the learning rate at which it blows up.

Chapter `linear_block`. Source: arXiv 2402.14951, Theorem 6.3; the two phases, descent and its learning rate are ours.
"""

from __future__ import annotations

from typing import Any

from lib.chapters.linear_block.explorers._shared import ATTENTION, BAYES, STEP, ZERO, sliders
from lib.chapters.linear_block.runs import textbook_descent
from lib.chapters.linear_block.runs.textbook_descent import Settings, record_steps
from lib.explorer import Computed, Line, Say, bars, lines
from lib.explorer import Step as Stop
from lib.models.linear_block.textbook_prompts import law_of
from lib.portable.numbers import exp, log
from lib.portable.primitives import Readings, Vector, floor, nan, sqrt, zero_matrix, zeros
from lib.portable.vectors import fill, total
from lib.theory.linear_block.portable import best_gains, best_risk, best_risk_from, step_risk
from lib.theory.linear_block.portable_flow import step_law, step_path
from lib.theory.linear_block.portable_rate import stable_rate

LAST = 20.0  # time of a whole run: learning rate times steps
WORK = 1e6  # features that the drawn training reads; the run ends where they are spent
POINTS = 49  # of the flow
FIRST = 0.01  # its first time


def settings(M: int, d: int, norm: float, sigma: float, decay: float, lr: float, batch: int) -> Settings:
    """The run of these sliders, as long as a page can take it."""
    steps = min(floor(LAST / lr), floor(WORK / float(batch * (M + 1) * (d + 1))))
    return Settings(d, M, sigma, norm, decay, lr, batch, max(25, steps))


def flow(settings: Settings) -> Readings:
    """Times of the records; the flow at times of its own; the best risks from the prior mean and from zero."""
    t, d = record_steps(settings.steps), settings.d
    law = law_of(d, settings.M, settings.sigma, settings.norm, settings.decay, 1.0)
    M, last = float(settings.M), settings.lr * float(settings.steps)
    time, risk, beta, along, across = zeros(POINTS), zeros(POINTS), zeros(POINTS), zeros(POINTS), zeros(POINTS)
    best, stuck, goal = zeros(POINTS), zeros(POINTS), zeros(POINTS)
    for k in range(len(t)):
        t[k] *= settings.lr
    for k in range(POINTS):
        time[k] = FIRST * exp(log(last / FIRST) * float(k) / float(POINTS - 1))
    path = step_path(step_law(law.h, 1.0, law.mean, law.sigma, M), zeros(d + d * d), time, 1e-4)
    now, Gamma, gains = zeros(d), zero_matrix(d, d), best_gains(law.h, 1.0, law.sigma, M)
    for k in range(POINTS):
        whole, trace = 0.0, 0.0
        for i in range(d):
            now[i] = path[k][i]
            for j in range(d):
                Gamma[i][j] = path[k][d + d * i + j]
            whole += total(Gamma[i]) / float(d)
            trace += Gamma[i][i]
        risk[k] = step_risk(law.h, 1.0, law.mean, law.sigma, M, now, Gamma)
        beta[k] = total(now) / sqrt(float(d))
        along[k] = whole
        across[k] = (trace - whole) / float(d - 1)
    fill(best, best_risk(law.h, 1.0, law.sigma, M))
    fill(stuck, best_risk_from(law.h, 1.0, law.mean, law.sigma, M, zeros(d)))
    fill(goal, total(gains) / float(d))
    rate = stable_rate(law.h, 1.0, law.mean, law.sigma, M)
    top, at = 0.0, 0.0
    for k in range(POINTS):
        if along[k] > top:
            top = along[k]
            at = time[k]
    return {
        "t": t, "time": time, "risk": risk, "beta": beta, "along": along, "across": across, "best": best,
        "stuck": stuck, "goal": goal, "gains": gains, "rate": [rate], "lr": [settings.lr],
        "share": [settings.lr / rate], "top": [top], "top_at": [at], "goal_now": [goal[0]],
        "over": [top - goal[0]], "last": [last], "least": [best[0]], "directions": directions(d),
    }  # fmt: skip


def directions(d: int) -> Vector:
    """(d,) 1 to d."""
    found = zeros(d)
    for i in range(d):
        found[i] = float(i + 1)
    return found


def outcome(risk: Vector, along: Vector, drawn_risk: Vector, drawn_lost: Vector) -> Readings:
    """Of one run: the risk at the end, on all prompts and on drawn ones, the largest gain along the mean, and whether
    the drawn training diverged.
    """
    last, top = len(risk) - 1, 0.0
    for k in range(last + 1):
        top = max(top, along[k])
    lost = drawn_lost[0]
    return {
        "end": [risk[last]], "drawn_end": [nan if lost > 0.0 else drawn_risk[last]], "reached": [top], "gone": [lost]
    }  # fmt: skip


def over_time(title: str, ylabel: str, *series: Line, **more: Any) -> Any:
    """A panel over the time of the run."""
    label = "training time η · steps (no unit)"
    return lines(
        x="flow.t", y=list(series), xlabel=label, ylabel=ylabel, title=title, xlog=True, xswitch=True,
        xlim=(FIRST, None), **more,
    )  # fmt: skip


def panels() -> list[Any]:
    """Risk, start of the step, its gain along the mean and across it, its gains by direction."""
    return [
        over_time(
            "Risk",
            "risk (squared labels)",
            Line("risk", "descent on all prompts", idea=STEP),
            Line("drawn_risk", "on drawn prompts", idea=ZERO, each=True),
            Line("flow.risk", "gradient flow", theory=True, x="flow.time"),
            Line("flow.stuck", "best step from 0", idea=ATTENTION, theory=True, x="flow.time"),
            Line("flow.best", "best step", idea=BAYES, theory=True, x="flow.time"),
            ylog=True,
            yswitch=True,
            height=230,
        ),
        over_time(
            "Where the step starts",
            "β along the prior mean (no unit)",
            Line("beta", "descent on all prompts", idea=STEP),
            Line("drawn_beta", "on drawn prompts", idea=ZERO, each=True),
            Line("flow.beta", "gradient flow", theory=True, x="flow.time"),
            height=230,
        ),
        over_time(
            "How far it goes",
            "gain of the step matrix Γ (no unit)",
            Line("along", "along the prior mean", idea=STEP),
            Line("across", "across it", idea=BAYES),
            Line("drawn_along", "along it, drawn prompts", idea=ZERO, each=True),
            Line("flow.along", "flow, along", theory=True, x="flow.time"),
            Line("flow.across", "flow, across", theory=True, x="flow.time"),
            height=200,
        ),
        bars(
            x="flow.directions",
            y=[
                Line("gains", "Γ, diagonal", idea=STEP),
                Line("flow.gains", "best step", theory=True),
            ],
            frames=True,
            xlabel="feature, by falling variance (number)",
            ylabel="gain (no unit)",
            title="Gain by direction",
            ylim=(0, None),
            height=200,
        ),
    ]


READING = [
    [
        Say(
            "At η = {flow.lr:3}, {flow.share:2} times the rate below which descent was stable in all our cases, it "
            "blows up.",
            runs=0,
            lost=">= 1",
        ),
        Say("η = {flow.lr:3} is {flow.share:2} times the rate below which descent was stable in all our cases."),
    ],
    [
        Say("In the flow Γ overshoots along the mean: {flow.top:2} at time {flow.top_at:2}, not {flow.goal_now:2}.",
            **{"flow.over": "> 0.02"}),
        Say("In the flow Γ does not overshoot."),
    ],
    [
        Say("At time {flow.last:1} the risk is {end:3} on all prompts; the best is {flow.least:3}. Drawn prompts have "
            "blown up.", **{"sum.gone": ">= 1"}),
        Say("At time {flow.last:1} the risk is {end:3} on all prompts, {drawn_end:3} on drawn ones; the best is "
            "{flow.least:3}."),
    ],
]  # fmt: skip

TOUR = [
    Stop("From zero: no start, no step. The risk is that of saying nothing.", time=0.0, point="Risk"),
    Stop(
        Say("First the step grows along the mean, beyond what is best: {flow.top:2} instead of {flow.goal_now:2}."),
        "First the step grows along the mean, beyond what is best.",
        time=0.3,
        point="How far it goes",
    ),
    Stop(
        "Then the start drifts to the mean, and the step relaxes.",
        time=8.0,
        point="Where the step starts",
    ),
    Stop("With the mean at zero there is one phase only.", norm=0.0, lr=0.1, point="How far it goes"),
    Stop(
        "Features of falling variance: the last directions take long.", decay=1.5, norm=1.0, point="Gain by direction"
    ),
    Stop("A rate four times the bound, and descent blows up.", lr=0.21, point="Risk"),
]


def explorer() -> Computed:
    """The explorer `linear_block-flow`, as the chapter shows it."""
    return Computed(
        textbook_descent,
        name="linear_block-flow",
        title="A start and a step, learned from nothing",
        settings=settings,
        theory=[flow],
        outcome=outcome,
        sliders=sliders(
            "M", "d", "norm", "sigma", "decay", "lr", "batch", M=(2, 64), d=(2, 6), norm=(0.0, 6.0), batch=(1, 64)
        ),
        default=dict(M=20, d=5, norm=4.0, sigma=0.7, decay=0.0, lr=0.02, batch=8),
        time="flow.t",
        time_label="training time η · steps (no unit)",
        reading=READING,
        tour=TOUR,
        panels=panels(),
        columns=2,
        runs=4,
        first=1,
    )
