"""Game `scb-guess`: the reader against the layer of chapter 1, on the same samples; what comes next?

Chapter `scb`. Source: arXiv 2410.23438, Section 2.1, with one position for each last token. What follows each token is
one of all 24 orders, so that a second task is new as a whole. The layer takes one sample a step, plain.
"""

from typing import NamedTuple

from hal.chapters.scb.models import textbook_player
from hal.figure import Player, Race, Say
from hal.figure.guesses import Sample
from lib.models.scb.textbook import Ring, Settings, State, ring_task, start_on
from lib.portable.primitives import Readings, Wholes, remainder, whole_zeros, zeros
from lib.portable.random_numbers import below, generator
from lib.portable.tokens import draw, draw_tokens, token_table
from lib.portable.vectors import filled

T = 16  # tokens of a context
N = 4  # kinds of them
C = 0.8  # strength of the transition
RATE = 0.01  # of the layer
MANY = 100000  # samples of a task before those of the next begin


class Rule(NamedTuple):
    """What a task hides: where each last token looks, and the order of the labels."""

    ring: Ring
    order: Wholes  # (N,)


def rule(task: int) -> Rule:
    """The rule of a task: positions and order of its own stream, all equally likely."""
    random = generator(task, 0)
    ring = ring_task(T, filled(N, 1.0 / float(N)), 1, C, random)
    order = whole_zeros(N)
    for n in range(N):
        order[n] = n
    for n in range(N - 1):
        other = n + below(random, N - n)
        kept = order[n]
        order[n] = order[other]
        order[other] = kept
    return Rule(ring, order)


def sample(task: int, number: int) -> Sample:
    """One sample of a task: its context, its last token, the label, and the position that decided it."""
    hidden, random = rule(task), generator(MANY * task + number, 1)
    ring = hidden.ring
    cells = whole_zeros(T)
    draw_tokens(token_table(ring.mu), random, cells)
    k = draw(random, ring.mu)
    right = zeros(T)
    right[ring.s[k][0]] = 1.0
    after = draw(random, ring.P[cells[ring.s[k][0]]])
    return Sample(cells, k, hidden.order[after], right)


def layer(task: int) -> State:
    """The layer before its first sample; of the task it has the constants alone."""
    ring = rule(task).ring
    return start_on(ring, Settings(T=T, mu=ring.mu, Q=1, c=C, lr=RATE, batch=1, stage1=1000000), 0)


def report(task: int, state: State) -> Readings:
    """`V`, `A` (1,): the signals of both in per cent, from 0 to 100; `frames` (N T,), 1 at the right positions."""
    hidden, V, A, frames = rule(task), 0.0, 0.0, zeros(N * T)
    for k in range(N):
        here = hidden.ring.s[k][0]
        V += 100.0 * (state.V[k][hidden.order[remainder(k + 1, N)]] - 1.0 / float(N)) / (C * float(N - 1))
        A += 100.0 * (state.A[k][here] - 1.0 / float(T)) / (float(N) * (1.0 - 1.0 / float(T)))
        frames[k * T + here] = 1.0
    return {"V": [min(max(V, 0.0), 100.0)], "A": [min(max(A, 0.0), 100.0)], "frames": frames}


SAY = [
    Say("The layer has seen no sample yet.", "seen == 0"),
    Say("The layer has seen one sample.", "seen == 1"),
    Say("The layer has seen {seen} samples and has learned more of what to say than of where to look.", "A < 50",
        "V > A"),
    Say("The layer has seen {seen} samples."),
]  # fmt: skip


def figure() -> Race:
    """The game `scb-guess`, as the chapter shows it."""
    return Race(
        sample,
        name="scb-guess",
        title="You against the layer",
        hint="The circled token says which position decides. Anyone who knows the rule is right "
        f"{100 * C + 100 * (1 - C) / N:.0f}% of the time on average.",
        letters="abcd",
        question="What comes next?",
        reveal="When the last token is {query}, position {place} decides. It holds {found}; the label is {label}.",
        players=[
            Player("The layer", layer, textbook_player.answer, textbook_player.learn, idea="attention", trains=True),
        ],
        looks=textbook_player.looks,
        report=report,
        say=SAY,
        chance=1 / N,
        best=C + (1 - C) / N,
        meters=[("learned: what", "V", "output"), ("learned: where", "A", "attention")],
    )
