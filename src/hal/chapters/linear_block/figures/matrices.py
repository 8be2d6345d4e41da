"""Small figure `linear_block-matrices`: all cells that the output can see, as constructed and as trained.

Chapter `linear_block`. Source: arXiv 2402.14951, equation D.1 and Theorems 5.2 and 5.3; the training is ours.
"""

from typing import Any

from hal.figure import Idea, Say, Slider, grid
from lib.models.linear_block.textbook import Block, Settings, done, new_block, start, step
from lib.portable.primitives import Readings, Vector, nan, sqrt, zeros
from lib.portable.vectors import dot, filled
from lib.theory.linear_block.portable import best_gains

D = 3  # features
TITLE = "Does training find the step?"
HINT = "Take the MLP away: which row goes empty?"
SLIDERS = {"mlp": Slider("Trained block", default=1, names={0: "without MLP", 1: "with MLP"})}


def settings(mlp: int) -> Settings:
    """600 steps of Adam from small random matrices, with the MLP (1) or without (0)."""
    return Settings(mlp=mlp, d=D, norm=1.0, lr=0.03, steps=600)


def constructed() -> Block:
    """The best step as a block: alpha = mean, v = -mean, c = 1, Q the best gains, q = 0."""
    block, gains = new_block(D), best_gains(filled(D, 1.0), 1.0, 0.5, 20.0)
    block.c = 1.0
    for i in range(D):
        block.alpha[i] = 1.0 / 1.7320508075688772
        block.v[i] = -block.alpha[i]
        block.Q[i][i] = gains[i]
    return block


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


def shown(settings: Settings) -> Readings:
    """The cells built by hand, and trained, (24,) each; the largest difference; whether what was trained has an MLP."""
    state = start(settings, 1)
    while not done(state):
        step(state)
    built, found = cells(constructed()), cells(state.block)
    most = 0.0
    for k in range(len(built)):
        most = max(most, abs(found[k] - built[k]) if built[k] == built[k] else 0.0)
    return {"built": built, "cells": found, "most": [most], "mlp": [float(settings.mlp)]}


def picture() -> tuple[grid, ...]:
    """The trained matrices, and beside them those built by hand."""
    return tuple(
        grid(
            cells=f"shown.{cells}", rows=D + 3, columns=D + 1, columns_are=name, height=230, largest=1.2, root=False,
            row_names=("start", "value", "gain", "gain", "gain", "label in score"),
            column_names=("x₁", "x₂", "x₃", "y"),
            alt=alt,
        )
        for cells, name, alt in (
            ("cells", "trained", "α positive, v negative beside c, Q with a diagonal, q empty."),
            ("built", "built by hand", "The same picture: training ends at the block built by hand."),
        )
    )  # fmt: skip


def say() -> list[Say]:
    """How far training is from the construction."""
    return [
        Say("Without the MLP the row of the start stays empty.", "shown.mlp == 0"),
        Say("The largest difference is {shown.most:3}."),
    ]


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
