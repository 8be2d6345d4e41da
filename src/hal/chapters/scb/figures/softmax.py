"""Figure `scb-softmax`: softmax attention on its two true positions, without noise.

Chapter `scb`. Source: arXiv 2410.23438, Section 5.2: both take the same first step if eta_w = eta_A T^2.
"""

from typing import Any, NamedTuple

from hal.chapters.scb.theory.portable_softmax import move, weights
from hal.figure import Idea, Line, Say, Slider, lines
from lib.models.scb.textbook import even_weights, ring_transition
from lib.portable.primitives import Readings, floor, nan, sqrt, zeros
from lib.portable.vectors import fill, filled
from lib.theory.scb.portable import constants, velocity

T = 200  # tokens
LR = 0.02
POINTS = 250
TITLE, TIME = "Softmax locks onto one position", "flow.steps"
HINT = "Play, then try a far smaller rate."
SLIDERS = {"ratio": Slider("Softmax rate η_w / (η_A T²)", "no unit", 1.0, (0.003, 1.0), log=True)}


class Rate(NamedTuple):
    """The settings of this figure."""

    ratio: float


def settings(ratio: float) -> Rate:
    """The learning rate of the logits, in units of the one that matches linear attention at the start."""
    return Rate(ratio)


def flow(settings: Rate) -> Readings:
    """steps (251,), over them softmax attention on the positions of weight 0.6 and 0.4, these weights, and how much V
    has learned; when linear and when softmax attention has half of the heavier weight; the lighter one in the end.
    """
    mu, w = filled(4, 0.25), even_weights(2)
    task = constants(mu, ring_transition(mu, 0.75), w, T)
    eta_V, eta_w = LR / task.K_Q, settings.ratio * LR / task.K_P * task.T * task.T
    steps, learned = zeros(POINTS + 1), zeros(POINTS + 1)
    last = min(3000, floor(200.0 / sqrt(settings.ratio)))
    heavy, light, six, four = zeros(POINTS + 1), zeros(POINTS + 1), zeros(POINTS + 1), zeros(POINTS + 1)
    fill(six, w[0])
    fill(four, w[1])
    q, count, logits = [w[0], w[1], 0.0], [1.0, 1.0, task.T - 2.0], zeros(3)
    x, y, V, step, waits, soft_waits = 0.0, 0.0, 0.0, 0, nan, nan
    a = weights(logits, count)
    for i in range(POINTS + 1):
        while step < i * last // POINTS:
            move_V, move_A = velocity(x, y, 1.0 / (task.K_Q * task.T))
            x, y = x + LR * move_V, y + LR * move_A
            V = move(V, logits, q, count, task.K_P, eta_V, eta_w)
            step += 1
            if linear(y, w[0]) >= 0.5 * w[0] and not waits >= 0.0:
                waits = float(step)
            a = weights(logits, count)
            if a[0] >= 0.5 * w[0] and not soft_waits >= 0.0:
                soft_waits = float(step)
        steps[i], heavy[i], light[i], learned[i] = float(step), a[0], a[1], V
    while not waits >= 0.0:  # beyond what is drawn
        move_V, move_A = velocity(x, y, 1.0 / (task.K_Q * task.T))
        x, y = x + LR * move_V, y + LR * move_A
        step += 1
        waits = float(step) if linear(y, w[0]) >= 0.5 * w[0] else nan
    return {
        "steps": steps, "heavy": heavy, "light": light, "six": six, "four": four, "learned": learned,
        "waits": [waits], "soft_waits": [soft_waits], "end": [light[POINTS]],
    }  # fmt: skip


def linear(alpha_A: float, weight: float) -> float:
    """Linear attention on a position of this weight where its signal is alpha_A."""
    return 1.0 / float(T) + alpha_A * (weight - 1.0 / float(T))


def picture() -> Any:
    """Softmax attention on both true positions over time, with its targets."""
    series = [
        Line("flow.heavy", "heavier position", idea="attention"), Line("flow.light", "lighter position", idea="rival"),
        Line("flow.six", "target, heavier", theory=True, ahead=True),
        Line("flow.four", "target, lighter", theory=True, ahead=True),
    ]  # fmt: skip
    return lines(
        "flow.steps", series, xlabel="training time (steps)", ylabel="attention at this position (fraction)", title="",
        ylim=(0.0, 1.12), height=216,
    )  # fmt: skip


def say() -> list[Say]:
    """When both kinds of attention move, and what softmax finds."""
    moves = "Softmax attention moves at step {flow.soft_waits:0}, linear attention at step {flow.waits:0}"
    return [
        Say(f"{moves}. In the end softmax has both positions.", "flow.end >= 0.3", "flow.end <= 0.5"),
        Say(f"{moves}, but softmax sticks to one position.", "flow.end < 0.3"),
        Say(f"{moves}, but softmax ends on the lighter position."),
    ]


IDEA = Idea(
    "At the matching rate nearly all attention is at one position in the end.",
    lambda drawn: drawn["flow.heavy"][POINTS],
    lambda drawn: 0.9,
    breaks={"ratio": 0.005},
)
