"""Small figure `scan_snap-chance`: tokens that look distinct by coincidence, among 400 that say nothing.

Chapter `scan_snap`. Source: ours, beyond arXiv 2305.16380, Section 9: tokens with frequencies proportional to one over
the rank, 31 in a sequence, two equally likely next tokens.
"""

from typing import NamedTuple

from hal.explorer import Idea, Say, Slider, grid
from lib.portable.primitives import Readings, Vector, whole_zeros, zeros
from lib.portable.random_numbers import generator, uniform
from lib.portable.tokens import draw_tokens, token_table
from lib.theory.scan_snap.portable_chance import distinct_by_coincidence

TOKENS = 400
SIDE = 20
LENGTH = 31
PURPOSE = 1  # of the random numbers
TITLE = "Tokens that look distinct by coincidence"
HINT = "Add sequences: which tokens lose their ink, and which get some?"
AGAIN = "Other sequences"
SLIDERS = {"n": Slider("Sequences n", "sequences", 64, (1, 512), log=True)}


class Chosen(NamedTuple):
    """How many sequences there are."""

    n: int


def settings(n: int) -> Chosen:
    """A data set of n sequences."""
    return Chosen(n)


def law() -> Vector:
    """Frequencies (400,), proportional to one over the rank."""
    p = zeros(TOKENS)
    every = 0.0
    for i in range(TOKENS):
        p[i] = 1.0 / float(i + 1)
        every += p[i]
    for i in range(TOKENS):
        p[i] /= every
    return p


def told(settings: Chosen) -> Readings:
    """The expected number of tokens with one next token only."""
    return {"number": [distinct_by_coincidence(law(), settings.n, LENGTH)]}


def drawn(settings: Chosen, seed: int) -> Readings:
    """Of each token 1 or -1 if only one of the next tokens follows it, 0 if both do or it is absent (400,); which are
    absent (400,); how many have one next token only, and how many do not occur.
    """
    table, state, tokens = token_table(law()), generator(seed, PURPOSE), whole_zeros(LENGTH)
    first, second = zeros(TOKENS), zeros(TOKENS)
    for _ in range(settings.n):
        before_first = uniform(state) < 0.5
        draw_tokens(table, state, tokens)
        for i in range(LENGTH):
            token = tokens[i]
            if before_first:
                first[token] = 1.0
            else:
                second[token] = 1.0
    cells, absent = zeros(TOKENS), zeros(TOKENS)
    number = 0.0
    gone = 0.0
    for i in range(TOKENS):
        cells[i] = first[i] - second[i]
        absent[i] = 1.0 if first[i] + second[i] == 0.0 else 0.0
        number += abs(cells[i])
        gone += absent[i]
    return {"cells": cells, "absent": absent, "number": [number], "gone": [gone]}


def picture() -> grid:
    """The tokens in the order of their frequencies, the most frequent at the top left."""
    return grid(
        cells="drawn.cells", rows=SIDE, columns=SIDE, outline="drawn.absent", largest=1.0, root=False,
        row_names=[str(SIDE * row + 1) for row in range(SIDE)], column_names=SIDE * ("",),
        rows_are="rank of the first token of the row", idea="distinct", height=250,
        alt="Of 400 cells the first rows are empty; below, half of the cells are filled in two colours, others framed.",
    )  # fmt: skip


def say() -> list[Say]:
    """How many look distinct, and how many should."""
    return [
        Say("Tokens that look distinct by coincidence: {drawn.number}. Expected: {told.number:0}. Framed, since they "
            "do not occur: {drawn.gone}."),
    ]  # fmt: skip


IDEA = Idea(
    "More than a quarter of the tokens look distinct, though none says anything.",
    greater=lambda drawn: float(abs(drawn["drawn.cells"]).sum()),
    than=lambda drawn: 0.25 * len(drawn["drawn.cells"]),
    breaks={"n": 512},
)
