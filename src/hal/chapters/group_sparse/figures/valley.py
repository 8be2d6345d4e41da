"""Small figure `group_sparse-valley`: steps across the valley of the loss, along a constant in all outputs.

Chapter `group_sparse`. Source: beyond arXiv 2504.08638. Attention is even, and half of the labels are +. A constant
in all outputs is the value times the sum of the positions; the step has the factor D (D + 1)/2, its squared length.
"""

from typing import NamedTuple

from hal.figure import Idea, Path, Say, Slider, points
from hal.figure.objects import Points
from lib.portable.numbers import exp, log
from lib.portable.primitives import Readings, zeros

D = 6
SMALL = 0.3
FIRST = 0.8  # the constant at first
DOTS = 4  # the start and three steps
GRID = 61
WIDE = 3.4  # half of a valley
MIDDLE = 3.8  # where the right one stands; the left one opposite
TITLE = "When does a step overshoot?"
HINT = "Drag the learning rate. When does step 1 land above the start?"
SLIDERS = {"lr": Slider("Learning rate, right", "no unit", 0.6, (0.05, 0.65), log=False)}


class Chosen(NamedTuple):
    """The learning rate."""

    lr: float


def settings(lr: float) -> Chosen:
    """The settings of this figure."""
    return Chosen(lr)


def loss_at(c: float) -> float:
    """The mean loss over both labels, where all outputs are c."""
    return 0.5 * log((1.0 + exp(c)) * (1.0 + exp(-c)))


def valley(settings: Chosen) -> Readings:
    """Of both rates, the small one first, the constant and its loss at first and after each of three steps (8,), the
    constant in its place in the picture; which step (8,); the loss over the constant (61,), in both places.
    """
    lowest, loss, over, beside, at = -MIDDLE - WIDE, zeros(GRID), zeros(GRID), zeros(GRID), zeros(2 * DOTS)
    for k in range(GRID):
        over[k] = lowest + 2.0 * WIDE * float(k) / float(GRID - 1)
        beside[k] = over[k] + 2.0 * MIDDLE
        loss[k] = loss_at(over[k] + MIDDLE)
    c, y, order = zeros(2 * DOTS), zeros(2 * DOTS), zeros(2 * DOTS)
    for k in range(2 * DOTS):
        left, first = k < DOTS, k == 0 or k == DOTS
        slope = 0.0 if first else 1.0 / (1.0 + exp(-c[k - 1])) - 0.5
        c[k] = FIRST if first else c[k - 1] - (SMALL if left else settings.lr) * 0.5 * float(D * (D + 1)) * slope
        y[k], at[k], order[k] = loss_at(c[k]), c[k] + (-MIDDLE if left else MIDDLE), float(k if left else k - DOTS)
    return {
        "over": over, "beside": beside, "loss": loss, "c": c, "x": at, "y": y, "order": order,
        "left_x": at[:DOTS], "left_y": y[:DOTS], "right_x": at[DOTS:], "right_y": y[DOTS:],
        "rate": [settings.lr], "rises": [y[DOTS + 1] - y[DOTS]],
    }  # fmt: skip


def picture() -> Points:
    """The valley twice: the steps of the small rate, and those of this one."""
    ends = [(side + way, name) for side in (-MIDDLE, MIDDLE) for way, name in ((-2.2, "all −"), (2.2, "all +"))]
    return points(
        x="valley.x", y="valley.y", kinds="valley.order", ideas=("output",) * DOTS, signs=("0", "1", "2", "3"),
        xlim=(-MIDDLE - WIDE, MIDDLE + WIDE), ylim=(0.6, 2.05), height=250, large=True, ends=False, xticks=ends,
        ylabel="loss",
        alt="Two valleys: in the left one each dot is lower than the one before, in the right they climb.",
        lines=[Path("valley.over", "valley.loss", "rate 0.3", idea="#9aa3ad"),
               Path("valley.beside", "valley.loss", "rate {valley.rate:2}", idea="#9aa3ad"),
               Path("valley.left_x", "valley.left_y", "", idea="output"),
               Path("valley.right_x", "valley.right_y", "", idea="output")],
    )  # fmt: skip


def say() -> list[Say]:
    """Where the first step lands."""
    return [
        Say("Rate {valley.rate:2}: step 1 lands higher than the start.", "valley.rises > 0"),
        Say("Rate {valley.rate:2}: step 1 lands lower than the start."),
    ]


IDEA = Idea(
    "At the larger rate the last dot is higher than the first.",
    greater=lambda drawn: drawn["valley.right_y"][-1],
    than=lambda drawn: drawn["valley.right_y"][0],
    breaks={"lr": 0.3},
)
