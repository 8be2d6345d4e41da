"""A figure that computes, with a panel of every kind; its run is `toy_run` and takes a moment."""

from __future__ import annotations

import sys
from typing import Any

from hal.figure import Computed, Line, Mark, Path, Recorded, Say, Slider, Weights, bars, cloud, heatmap, lines, plane
from lib.portable.numbers import exp
from lib.portable.primitives import Readings, Vector, divide, nan, sqrt, zeros
from tests.figure import toy_run
from tests.figure.changed import changed
from tests.figure.toy_run import Settings

FINE = 21  # times of theory, as many as records of the run
STEPS = "time (steps)"
RUN, NAME, TITLE, COLUMNS, RUNS = toy_run, "toy-computed", "A toy that computes", 3, 5
OPENS = 1.0
SLIDERS = {
    "N": Slider("Tokens N", "tokens", 3, (1, 6)),
    "T": Slider("Context length T", "tokens", 12, (6, 2000), log=True),
    "lr": Slider("Learning rate η", "no unit", 0.1, (0.01, 3.0), log=True),
    "start_V": Slider("start of V", "no unit", 0.1, (-1.5, 1.5), hidden=True),
    "start_A": Slider("start of A", "no unit", 0.1, (-1.5, 1.5), hidden=True),
    "mu": Weights("law μ", "N", [0.5, 0.3, 0.2]),
}
READING = [
    [Say("{sum.right} of {runs} runs go right, {lost} diverged.", "runs >= 1"), Say("No run has come.")],
    [Say("V ends high.", "end > 0.5"), Say("V ends at {end:2}, below {flow.half}.", "end < flow.half")],
]


def settings(N: int, T: int, lr: float, start_V: float, start_A: float, mu: Vector) -> Settings:
    """The run of these sliders, a hundred steps."""
    return Settings(N, T, lr, start_V, start_A, mu, 100)


def task(settings: Settings) -> Readings:
    """Sizes, positions, the law, and where the attention is to go."""
    position = zeros(settings.T)
    token = zeros(settings.N)
    target = zeros(settings.N * settings.T)
    for t in range(settings.T):
        position[t] = float(t + 1)
    for k in range(settings.N):
        token[k] = float(k + 1)
        target[k * settings.T + k] = 1.0
    return {
        "N": [float(settings.N)], "T": [float(settings.T)], "position": position, "token": token, "target": target,
        "mu": settings.mu,
    }  # fmt: skip


def flow(settings: Settings) -> Readings:
    """Of theory: steps (21,); V and A along the mean motion; the profile of row 0 at every step (21 x T); the time at
    which V is 0.5, if it gets there, and the same curve twice."""
    steps = zeros(FINE)
    V = zeros(FINE)
    A = zeros(FINE)
    profile = zeros(FINE * settings.T)
    fraction = zeros(FINE)
    half = nan
    here_V, here_A = settings.start_V, settings.start_A
    for i in range(FINE):
        steps[i] = 100.0 * float(i) / float(FINE - 1)
        V[i] = here_V
        A[i] = here_A
        for _ in range(100):
            small = 0.01 * settings.lr * 100.0 / float(FINE - 1)
            move_V = small * (here_A - here_V * here_A * here_A)
            here_A += small * (here_V - here_A * here_V * here_V)
            here_V += move_V
        if V[i] < 0.5 and here_V >= 0.5:
            half = steps[i]
        fraction[i] = 1.0 - exp(-0.3 * settings.lr * steps[i])
        for t in range(settings.T):
            even = (1.0 - fraction[i]) / float(settings.T)
            profile[i * settings.T + t] = even + (fraction[i] if t == 0 else 0.0)
    return {"steps": steps, "V": V, "A": A, "profile": profile, "half": [half]}


def scene(settings: Settings) -> Readings:
    """A number that the cloud draws."""
    return {"size": [sqrt(settings.lr)]}


def run_metrics(V: Vector, A: Vector) -> Readings:
    """Of one run: where V ends, and 1 if it is positive."""
    end = V[len(V) - 1]
    return {"end": [end], "right": [1.0 if end > 0.0 else 0.0]}


def summary(runs: float, sum_right: float, lost: float) -> Readings:
    """The share of the runs that go right among those that did not diverge, with a rough interval."""
    middle = divide(sum_right + 1.0, runs + 2.0)
    half = sqrt(middle * (1.0 - middle) / (runs + 2.0))
    return {"now": [divide(sum_right, runs)], "low": [middle - half], "high": [middle + half], "all": [runs + lost]}


def panels() -> list[Any]:
    """One of every kind."""
    signals = [
        Line("V", "V", idea="output"),
        Line("own", "own positions", idea="attention", rows="task.N"),
        Line("flow.V", "V, theory", theory=True, x="flow.steps"),
        Line("flow.A", "A, theory", theory=True, idea="second", x="flow.steps"),
    ]
    return [
        plane(
            [Path("V", "A", "runs", idea="attention", t="steps"), Path("flow.V", "flow.A", "flow", theory=True)],
            start=("start_V", "start_A"),
            xlabel="V (no unit)", ylabel="A (no unit)", title="Plane", xlim=(-1.6, 1.6), ylim=(-1.6, 1.6), equal=False,
            height=230,
        ),
        lines("steps", signals, marks=[Mark("flow.half", "V is a half")], xlabel=STEPS, ylabel="signal (no unit)",
              title="Signals", xswitch=True, yswitch=True, height=230),
        heatmap("attention", rows="task.N", columns="task.T", xlabel="position (tokens)",
                ylabel="token (index)", clabel="attention (fraction)", title="Attention", yticks="task.token",
                vmin=0, vmax=1, height=150),
        bars("task.position", [Line("flow.profile", "row 1, theory", idea="attention")], frames=True,
             ylim=(0, 1), xlabel="position (tokens)", ylabel="attention (fraction)", title="Profile", height=150),
        bars("task.token", [Line("task.mu", "μ", idea="second")], drag="mu", ylim=(0, 1), xlabel="token (index)",
             ylabel="share (fraction)", title="Law", height=150),
        cloud("scene.size", "summary.now", low="summary.low", high="summary.high", xlabel="root of the rate (no unit)",
              ylabel="share that goes right (fraction)", title="Share", label="now", recorded_label="recorded settings",
              recorded=[Recorded(0.2, 0.4, {"lr": 0.04}), Recorded(0.4, 0.9, {"lr": 0.16, "N": 2})], ylim=(0, 1),
              height=150),
    ]  # fmt: skip


def explorer(name: str = NAME, **names: Any) -> Computed:
    """The figure, some names of its module changed."""
    return Computed(changed(sys.modules[__name__], NAME=name, **names))
