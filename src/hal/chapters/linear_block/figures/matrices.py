"""Small figure `linear_block-matrices`: all cells that the output can see, as constructed and as trained.

Chapter `linear_block`. Source: arXiv 2402.14951, equation D.1 and Theorems 5.2 and 5.3; the training is ours.
"""

from typing import Any, NamedTuple

from hal.chapters.linear_block.figures._shared import TABLE
from hal.figure import Idea, Say, Slider, grid, sliders
from lib.models.linear_block.textbook import Block, Settings, State, done, new_block, start, step
from lib.portable.primitives import Readings, Vector, nan, sqrt, zeros
from lib.portable.vectors import dot, filled, largest
from lib.theory.linear_block.portable import best_gains, best_risk

D = 3  # features
STEPS = 600  # of Adam
TITLE = "Does training find the step?"
HINT = "Take the MLP away: which row goes empty?"
SLIDERS = {
    "mlp": Slider("Trained block", default=1, names={0: "without MLP", 1: "with MLP"}),
    **sliders(TABLE, norm=(1.0, 0.0, 3.0)),
}


class Chosen(NamedTuple):
    """Whether the trained block has its MLP, and the norm of the prior mean."""

    mlp: int
    norm: float


def settings(mlp: int, norm: float) -> Chosen:
    """Three features, 20 examples, noise 0.5."""
    return Chosen(mlp, norm)


def constructed(norm: float) -> Block:
    """The best step as a block: alpha = mean, v = -mean, c = 1, Q the best gains, q = 0."""
    block, gains = new_block(D), best_gains(filled(D, 1.0), 1.0, 0.5, 20.0)
    block.c = 1.0
    for i in range(D):
        block.alpha[i] = norm / 1.7320508075688772
        block.v[i] = -block.alpha[i]
        block.Q[i][i] = gains[i]
    return block


def trained(mlp: int, norm: float) -> State:
    """600 steps of Adam from small random matrices, with the MLP (1) or without (0)."""
    state = start(Settings(mlp=mlp, d=D, norm=norm, lr=0.03, steps=STEPS), 1)
    while not done(state):
        step(state)
    return state


def cells(block: Block) -> Vector:
    """((d + 3) (d + 1),) all that the output sees, row after row: alpha and a gap; v and c; Q, q under it, and a gap.

    Only products count, so (v, c) and (Q, q) are scaled to one norm, with c above 0.
    """
    d = len(block.v)
    n, value, score = d + 1, dot(block.v, block.v) + block.c * block.c, dot(block.q, block.q)
    for j in range(d):
        score += dot(block.Q[j], block.Q[j])
    factor = sqrt(sqrt(score / value)) if value > 0.0 and score > 0.0 else 1.0
    if block.c < 0.0:
        factor = -factor
    out = zeros((d + 3) * n)
    for i in range(d):
        out[i] = block.alpha[i]
        out[n + i] = block.v[i] * factor
        out[(d + 2) * n + i] = block.q[i] / factor
        out[(2 + i) * n + d] = nan
        for j in range(d):
            out[(2 + j) * n + i] = block.Q[j][i] / factor
    out[d] = nan
    out[n + d] = block.c * factor
    out[(d + 2) * n + d] = nan
    return out


def shown(settings: Chosen) -> Readings:
    """The cells built by hand and trained, (24,) each; the largest difference of the two; the risk of what was trained,
    the best one, and by how much it is above that; whether it has an MLP.
    """
    made, best = constructed(settings.norm), best_risk(filled(D, 1.0), 0.5, 20.0)
    state = trained(settings.mlp, settings.norm)
    found, known, away = cells(state.block), cells(made), zeros(24)
    for k in range(24):
        away[k] = abs(found[k] - known[k]) if found[k] == found[k] else 0.0
    return {
        "built": known, "cells": found, "away": [largest(away)], "mlp": [float(settings.mlp)],
        "risk": [state.risk], "best": [best], "over": [state.risk - best],
    }  # fmt: skip


def picture() -> tuple[grid, ...]:
    """One row, one row, and one block, twice."""
    return tuple(
        grid(
            cells=f"shown.{cells}", rows=D + 3, columns=D + 1, columns_are=name, height=230, largest=1.2, root=False,
            row_names=("start α", "values v, c", "gain Q", " ", " ", "scores q"),
            column_names=("x₁", "x₂", "x₃", "y"),
            alt=f"{name}: α positive, v negative beside c, Q with a diagonal, q empty.",
        )
        for cells, name in (("built", "built by hand"), ("cells", "trained"))
    )  # fmt: skip


def say() -> list[Say]:
    """How far training is from the construction."""
    return [
        Say("Without the MLP the start α is zero: the risk is {shown.risk:2}, the best is {shown.best:2}.",
            "shown.mlp == 0", "shown.over >= 0.01"),
        Say("Without the MLP the start α is zero; with hardly any mean there is nothing to start from.",
            "shown.mlp == 0"),
        Say("α is the start; v subtracts its prediction from each label; Q is the gain. After training no cell is more "
            "than {shown.away:2} from the block built by hand.", "shown.away >= 0.005"),
        Say("α is the start; v subtracts its prediction from each label; Q is the gain. After training every cell is "
            "within 0.01 of the block built by hand."),
    ]  # fmt: skip


IDEA = Idea(
    "The start stands in α and, with the other sign, in v.",
    greater=lambda drawn: product(drawn),
    than=lambda drawn: 0.1,
    breaks={"mlp": 0},
)


def product(drawn: Any) -> float:
    """Minus alpha times v as trained, their means."""
    alpha, v = drawn["shown.cells"].reshape(D + 3, D + 1)[:2, :D]
    return float(-alpha.mean() * v.mean())
