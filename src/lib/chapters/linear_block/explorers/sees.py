"""Explorer `linear_block-sees`: what the output can see, as residual, MLP and mask are cut from the block.

Chapter `linear_block`. Source: arXiv 2402.14951, equation D.1 and Theorem 4.1; parts, switches and what is best without
the mask are ours.
"""

from __future__ import annotations

from typing import Any

from lib.chapters.linear_block.explorers._shared import ATTENTION, BAYES, STEP, sliders
from lib.chapters.linear_block.runs import textbook_parts
from lib.chapters.linear_block.runs.textbook_parts import (
    FINISHED,
    LENGTHS,
    RANDOM,
    SHOWN,
    Settings,
    chosen_weights,
    query_lengths,
    records,
    symmetric_block,
)
from lib.explorer import Computed, Line, Mark, Say, Slider, Step, bars, heatmap, lines
from lib.models.linear_block.textbook_block import Block, new_block, population_risk
from lib.models.linear_block.textbook_prompts import Law, law_of
from lib.models.linear_block.textbook_weights import new_rows, reduce
from lib.portable.primitives import Matrix, Readings, Vector, sqrt, zeros
from lib.portable.vectors import fill, total
from lib.theory.linear_block.portable import best_gains, best_risk
from lib.theory.linear_block.portable_cut import best_cut_risk, search_of
from lib.theory.linear_block.portable_parts import PARTS, part_squares, unmasked_cost

PROMPTS = 480  # a run
NORMS = 13  # on the curve over the prior mean: 0 to 6
NAMES = ("α: query", "cQ: label, feature", "vQ: feature²", "cq: label²", "vQ: query³")


def settings(residual: int, mlp: int, mask: int, kind: int, M: int, d: int, norm: float, sigma: float) -> Settings:
    """The block of these sliders, and its task."""
    return Settings(kind, residual, mlp, mask, d, M, sigma, norm, PROMPTS)


def seen(settings: Settings, W: Matrix) -> Block:
    """What the output makes of the matrices with these switches."""
    block = new_block(settings.d)
    reduce(W, settings.mlp, new_rows(settings.d), block)
    if settings.residual == 0:
        fill(block.alpha, 0.0)
    return block


def exact_risk(law: Law, block: Block, mask: int) -> float:
    """The risk of a block on all prompts, with the mask (1) or without (0)."""
    risk = population_risk(law, block, new_block(len(law.h)))
    if mask == 1:
        return risk
    return risk + unmasked_cost(
        law.h, law.psi, law.mean, law.sigma, float(law.M), block.alpha, block.v, block.c, block.Q, block.q
    )


def is_alive(settings: Settings) -> int:
    """1 where the query's own copy can reach the output."""
    return 1 if settings.residual == 1 and settings.mlp == 1 else 0


def laws(settings: Settings) -> Readings:
    """Prompts at the records; the sizes of the parts, the risk of this block, of the best that is left and of the best
    block; the output on an empty prompt along the mean.
    """
    d, M = settings.d, float(settings.M)
    law = law_of(d, settings.M, settings.sigma, settings.norm, 0.0, 1.0)
    block, t, at = seen(settings, chosen_weights(settings, law)), records(settings.prompts), query_lengths()
    squares = part_squares(law.h, 1.0, law.mean, law.sigma, M, block.alpha, block.v, block.c, block.Q, block.q)
    if settings.mask == 1:
        squares[PARTS - 1] = 0.0
    risk, left, best, sizes, rows = zeros(len(t)), zeros(len(t)), zeros(len(t)), zeros(PARTS), zeros(PARTS)
    alive, numbers = is_alive(settings), zeros(PARTS)
    fill(risk, exact_risk(law, block, settings.mask))
    fill(left, best_cut_risk(search_of(d, M, law.sigma, settings.norm, alive, settings.mask)))
    fill(best, best_risk(law.h, 1.0, law.sigma, M))
    for p in range(PARTS):
        sizes[p] = sqrt(squares[p])
        rows[p] = float(p)
        numbers[p] = float(p + 1)
    empty, prompt, bend = zeros(LENGTHS), zeros(SHOWN), 0.0
    slope = total(block.alpha) / sqrt(float(d))
    for i in range(d):
        bend += total(block.Q[i]) / float(d)
    bend *= total(block.v) / sqrt(float(d)) / M if settings.mask == 0 else 0.0
    for k in range(LENGTHS):
        empty[k] = slope * at[k] + bend * at[k] * at[k] * at[k]
    for k in range(SHOWN):
        prompt[k] = float(k + 1)
    return {
        "t": t, "rows": rows, "numbers": numbers, "prompt": prompt, "sizes": sizes, "risk": risk, "left": left,
        "best": best, "query": at, "empty": empty, "own": [risk[0]], "left_now": [left[0]], "best_now": [best[0]],
        "alpha": [sizes[0]], "cube": [sizes[PARTS - 1]], "alive": [float(alive)], "norm": [settings.norm],
        "residual": [float(settings.residual)], "mlp": [float(settings.mlp)], "mask": [float(settings.mask)],
        "whole": [float(alive * settings.mask)], "kind": [float(min(settings.kind, RANDOM))],
    }  # fmt: skip


def by_mean(settings: Settings) -> Readings:
    """Risks over the length of the prior mean: the best block, the best of what is left, the finished one, cut."""
    norm, best, left, cut = zeros(NORMS), zeros(NORMS), zeros(NORMS), zeros(NORMS)
    d, M, sigma, alive = settings.d, float(settings.M), settings.sigma, is_alive(settings)
    for i in range(NORMS):
        norm[i] = 0.5 * float(i)
        law = law_of(d, settings.M, sigma, norm[i], 0.0, 1.0)
        gain = best_gains(law.h, 1.0, sigma, M)
        finished = symmetric_block(law, norm[i] if alive == 1 else 0.0, -norm[i], gain[0], 0.0, 0.0)
        best[i] = best_risk(law.h, 1.0, sigma, M)
        left[i] = best_cut_risk(search_of(d, M, sigma, norm[i], alive, settings.mask))
        cut[i] = exact_risk(law, finished, settings.mask)
    return {"norm": norm, "best": best, "left": left, "cut": cut, "now": [settings.norm]}


def outcome(risk: Vector) -> Readings:
    """The mean squared error of a run on all its prompts."""
    return {"end": [risk[len(risk) - 1]]}


def panels() -> list[Any]:
    """Parts on some prompts, their sizes, the output on an empty prompt, risk over prompts and over the prior mean."""
    return [
        heatmap(
            "shown",
            rows=PARTS,
            columns=SHOWN,
            frames=False,
            xlabel="prompt (number)",
            ylabel="part of the output (no unit)",
            clabel="part (labels)",
            title="The output, part by part",
            diverging=True,
            xticks="laws.prompt",
            yticks="laws.rows",
            ynames=NAMES,
            height=200,
        ),
        bars(
            x="laws.numbers",
            y=[Line("sizes", "told apart", idea=STEP), Line("laws.sizes", "theory", theory=True)],
            frames=True,
            xlabel="row of the first picture (number)",
            ylabel="root mean square (labels)",
            title="Size of each part",
            ylim=(0, None),
            height=200,
        ),
        lines(
            x="laws.query",
            y=[Line("empty", "this block", idea=STEP), Line("laws.empty", "theory", theory=True)],
            xlabel="query along the prior mean (no unit)",
            ylabel="output (labels)",
            title="Output on an empty prompt",
            height=200,
        ),
        lines(
            x="laws.t",
            y=[
                Line("risk", "this block on prompts", idea=STEP, each=True),
                Line("laws.risk", "this block", theory=True),
                Line("laws.left", "best of what is left", idea=ATTENTION, theory=True),
                Line("laws.best", "best block", idea=BAYES, theory=True),
            ],
            xlabel="prompts drawn (prompts)",
            ylabel="risk (squared labels)",
            title="Risk",
            ylog=True,
            yswitch=True,
            height=200,
        ),
        lines(
            x="by_mean.norm",
            y=[
                Line("by_mean.cut", "finished, cut", idea=STEP, theory=True),
                Line("by_mean.left", "best of what is left", idea=ATTENTION, theory=True),
                Line("by_mean.best", "best block", idea=BAYES, theory=True),
            ],
            xlabel="length of the prior mean ‖β*‖ (no unit)",
            ylabel="risk (squared labels)",
            title="Price of the cut",
            yswitch=True,
            height=200,
            marks=[Mark("by_mean.now", "this ‖β*‖")],
        ),
    ]


DEAD = "the query's own copy never reaches the output: α is dead."
READING = [
    [
        Say("Without residual and MLP " + DEAD, **{"laws.residual": 0, "laws.mlp": 0}),
        Say("Without the residual " + DEAD, **{"laws.residual": 0}),
        Say("Without the MLP " + DEAD, **{"laws.mlp": 0}),
        Say("α is alive, but with the mean at zero the best α is zero.", **{"laws.kind": "< 2", "laws.norm": "<= 0"}),
        Say("With residual and MLP α is alive: its part has the size {laws.alpha:2}."),
    ],
    [
        Say("Without the mask the query counts as an example, which is harmless with the mean at zero.",
            **{"laws.mask": "< 1", "laws.kind": "< 2", "laws.norm": "<= 0"}),
        Say("Without the mask the query counts as an example with the label 0, which adds a part of size "
            "{laws.cube:2}.", **{"laws.mask": 0}),
    ],
    [
        Say("Nothing is cut: the risk is {laws.own:3}, on drawn prompts {end:3}.",
            **{"laws.kind": "< 2", "laws.whole": ">= 1"}),
        Say("The finished block, cut, has the risk {laws.own:3}, on drawn prompts {end:3}; learned anew "
            "{laws.left_now:3}, uncut {laws.best_now:3}.", **{"laws.kind": 1}),
        Say("Learned with what is left, it has the risk {laws.own:3}, on drawn prompts {end:3}; the best block has "
            "{laws.best_now:3}.", **{"laws.kind": 0}),
        Say("These random matrices have the risk {laws.own:3}, on drawn prompts {end:3}.", **{"laws.kind": 2}),
    ],
]  # fmt: skip

TOUR = [
    Step(
        "The best block takes one gradient step: the query alone says where it starts, labels times features pull, "
        "features twice take back what the start says of the examples.",
        mlp=1,
        point="The output, part by part",
    ),
    Step(
        Say("Cut the MLP out. The first row dies, the others stay: the risk is {laws.own:2}, not {laws.best_now:2}."),
        "Cut the MLP out. The first row dies, the others stay.",
        point="The output, part by part",
    ),
    Step("Cut the residual instead: the same row dies. α needs both.", mlp=1, residual=0, point="Size of each part"),
    Step(
        Say("Learned anew without the MLP: labels twice stand in for the start, and the risk is {laws.own:2}."),
        "Learned anew without the MLP: labels twice stand in for the start.",
        kind=0,
        point="Risk",
    ),
    Step("Random matrices: α is dead here as well. What dies, dies for all weights.", kind=2,
         point="The output, part by part"),
    Step(
        "Cut the mask from the finished block: on an empty prompt the output bends, since the query counts as an "
        "example.",
        mlp=1,
        mask=0,
        M=6,
        point="Output on an empty prompt",
    ),
    Step("With the mean at zero there is no start to hold, and the MLP is worth nothing.", norm=0,
         point="Price of the cut"),
]  # fmt: skip


def explorer() -> Computed:
    """The explorer `linear_block-sees`, as the chapter shows it."""
    there = {0: "cut", 1: "there"}
    return Computed(
        textbook_parts,
        name="linear_block-sees",
        title="What the output can see",
        settings=settings,
        theory=[laws, by_mean],
        outcome=outcome,
        sliders={
            "residual": Slider("Residual", names=there),
            "mlp": Slider("MLP", names=there),
            "mask": Slider("Mask", names=there),
            "kind": Slider("Block", names={0: "learned so", 1: "finished, cut", 2: "random", 3: "random again"}),
            **sliders("M", "d", "norm", "sigma", M=(2, 64), d=(2, 8), norm=(0.0, 6.0)),
        },
        default=dict(residual=1, mlp=0, mask=1, kind=FINISHED, M=20, d=4, norm=2.0, sigma=0.5),
        time="laws.t",
        time_label="prompts drawn (prompts)",
        reading=READING,
        tour=TOUR,
        panels=panels(),
        columns=3,
        runs=4,
        first=2,
    )
