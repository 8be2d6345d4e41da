"""Figure `scb-guess`: one sample of the task that the reader can poke.

Chapter `scb`. Source: arXiv 2410.23438, Section 2.1. Every last token looks at one position; samples of one task share
these positions, so that the reader learns, as a model must, where each last token looks.
"""

from hal.explorer import Poke
from lib.models.scb.textbook_ring import ring_task, skewed_law
from lib.portable.primitives import Readings, first, whole_zeros, zeros
from lib.portable.random_numbers import generator
from lib.portable.tokens import draw, draw_tokens, token_table

T = 16  # tokens of a context
N = 4  # kinds of them


def sample(task: int, number: int) -> Readings:
    """One sample: the context, its last token, the position that it looks at, and the law of the label.

    The task says where every last token looks; `number` says which sample of it this is.
    """
    ring = ring_task(T, skewed_law(N, 0.0), 1, 0.8, generator(task, 0))
    random = generator(number, 1)
    tokens = whole_zeros(T)
    draw_tokens(token_table(ring.mu), random, tokens)
    k = draw(random, ring.mu)
    cells = zeros(T)
    for t in range(T):
        cells[t] = float(tokens[t])
    right = zeros(T)
    right[ring.s[k][0]] = 1.0
    return {"cells": cells, "query": [float(k)], "right": right, "law": first(ring.P[tokens[ring.s[k][0]]], N)}


def figure() -> Poke:
    """The figure `scb-guess`, as the chapter shows it."""
    return Poke(
        sample,
        name="scb-guess",
        title="Guess where the last token looks",
        letters="abcd",
        question="The last token is {query}. One position of the context decides what comes next: which one?",
        reveal="Last token {query} looks at position {place}. There stands {found}, and after {found} comes {next} "
        "with probability {chance}%.",
        asks="last token",
        follows="label",
    )
