"""Small figure `group_sparse-edge`: the loss of the population step by step, and the edge of stability over groups.

Chapter `group_sparse`. Source: beyond arXiv 2504.08638, whose Theorem 3.1 asks for a learning rate of order one; the
recorded points are `runs.edge`, six scalars on samples.
"""

from typing import Any, NamedTuple

from hal.chapters.group_sparse.figures._recorded import edges
from hal.explorer import Idea, Line, Say, Slider, cloud, lines
from lib.portable.numbers import exp, log
from lib.portable.primitives import Readings, floor, nan, sqrt, zeros
from lib.theory.group_sparse.portable import Law, loss_at
from lib.theory.group_sparse.portable_edge import first_edge
from lib.theory.group_sparse.portable_trap import dense_law, descend

SHOWN = 12  # steps
STEPS = 10  # of which none may raise the loss
HALVINGS = 8
SIZES = 12  # of the formula's curve, 2 to 64
TITLE = "The edge of stability"
HINT = "Raise ηD past the edge: the first step raises the loss."
SLIDERS = {
    "rate": Slider("Learning rate times groups ηD", "no unit", 11.0, (4.0, 20.0), log=False),
    "D": Slider("Groups D", "groups", 16, (2, 64)),
}


class Chosen(NamedTuple):
    """Learning rate times D, and D."""

    rate: float
    D: int


def settings(rate: float, D: int) -> Chosen:
    """What is chosen."""
    return Chosen(rate, D)


def first_rise(lr: float, law: Law, steps: int) -> float:
    """The first step of the two scalars that raises the loss, NaN if none of so many does."""
    place, room = zeros(2), zeros(2)
    before = loss_at(place, law)
    for step in range(1, steps + 1):
        descend(place, lr, law, room)
        loss = loss_at(place, law)
        if loss > before + 1e-9:
            return float(step)
        before = loss
    return nan


def descent(settings: Chosen) -> Readings:
    """Steps and losses in nats (13,), and the first step that raises the loss, or NaN."""
    law, lr, place, room = dense_law(settings.D), settings.rate / float(settings.D), zeros(2), zeros(2)
    steps, loss = zeros(SHOWN + 1), zeros(SHOWN + 1)
    for t in range(SHOWN + 1):
        if t > 0:
            descend(place, lr, law, room)
        steps[t] = float(t)
        loss[t] = loss_at(place, law)
    return {"steps": steps, "loss": loss, "rise": [first_rise(lr, law, STEPS)]}


def edge(settings: Chosen) -> Readings:
    """The size; the edge found by trying learning rates, in units of 1/D; the formula's, here and over sizes (12,)."""
    law, low, high = dense_law(settings.D), 7.5, 18.0
    for _ in range(HALVINGS):
        middle = sqrt(low * high)
        if first_rise(middle / float(settings.D), law, STEPS) > 0.0:
            high = middle
        else:
            low = middle
    sizes, formula = zeros(SIZES), zeros(SIZES)
    for i in range(SIZES):
        D = floor(2.0 * exp(log(32.0) * float(i) / float(SIZES - 1)) + 0.5)
        sizes[i] = float(D)
        formula[i] = first_edge(D)
    return {
        "D": [float(settings.D)], "tried": [sqrt(low * high)], "here": [first_edge(settings.D)], "sizes": sizes,
        "formula": formula,
    }  # fmt: skip


def picture() -> tuple[Any, cloud]:
    """The loss over steps, and the edge over groups."""
    return (
        lines("descent.steps", [Line("descent.loss", "the population", idea="fit")], xlabel="steps (steps)",
              ylabel="loss (nats)", title="The loss", ylim=(0.0, None), height=105),
        cloud("edge.D", "edge.tried", recorded=edges(), curve=("edge.sizes", "edge.formula", "the formula"),
              label="two scalars, by trying", recorded_label="six scalars, recorded",
              idea="fit", xlog=True, xlim=(1.8, 70.0), ylim=(6.0, 20.0), xlabel="groups D (groups)",
              ylabel="largest ηD (no unit)", title="The edge", height=115),
    )  # fmt: skip


def say() -> list[Say]:
    """Whether a step raises the loss, and where the edge is."""
    where = "; the edge is at {edge.tried:1}, by the formula at {edge.here:1}."
    return [
        Say("Step {descent.rise} raises the loss" + where, "descent.rise > 0"),
        Say("No step raises the loss" + where),
    ]  # fmt: skip


IDEA = Idea(
    "The first step raises the loss.",
    greater=lambda drawn: float(drawn["descent.loss"][1]),
    than=lambda drawn: float(drawn["descent.loss"][0]),
    breaks={"rate": 6.0},
)
