"""Game `scan_snap-guess`: the reader against the model of chapter 2, on the same sequences; X or Y?

Chapter `scan_snap`. Source: arXiv 2305.16380, Section 3.2 (distinct and common tokens of the next one). Sequences of
one task share these tokens, so that the reader learns, as attention must, which of them to look at. The layer takes one
sequence a step, plain, both learning rates 1; the perfect watcher is `lib.theory.scan_snap.portable_watcher`.
"""

from hal.explorer import Player, Race, Say
from lib.models.scan_snap import textbook_player
from lib.models.scan_snap.textbook import State
from lib.models.scan_snap.textbook_player import attention, player
from lib.portable.guesses import Sample
from lib.portable.primitives import Readings, Vector, Wholes, whole_zeros, zeros
from lib.portable.random_numbers import below, generator, uniform
from lib.theory.scan_snap import portable_watcher
from lib.theory.scan_snap.portable_watcher import Watcher, watcher

T = 16  # contextual tokens of a sequence
KINDS = 6  # of contextual tokens: two common ones, two distinct ones of each class
COMMON = 0.8  # probability that a token is a common one
RATE = 1.0  # of decoder and attention
MANY = 100000  # sequences of a task before those of the next begin


def roles(task: int) -> Wholes:
    """The kinds of a task's tokens (6,): two common ones, two distinct of class X, two of class Y."""
    random = generator(task, 0)
    order = whole_zeros(KINDS)
    for i in range(KINDS):
        order[i] = i
    for i in range(KINDS - 1, 0, -1):
        j = below(random, i + 1)
        kept = order[i]
        order[i] = order[j]
        order[j] = kept
    return order


def sample(task: int, number: int) -> Sample:
    """One sequence of a task, with a distinct token at least; `right` has the distinct ones, all of equal weight."""
    order = roles(task)
    random = generator(MANY * task + number, 1)
    side = below(random, 2)
    sure = below(random, T)
    cells, right = whole_zeros(T), zeros(T)
    found = 0.0
    for t in range(T):
        place = below(random, 2)
        if uniform(random) >= COMMON or t == sure:
            place += 2 + 2 * side
            right[t] = 1.0
            found += 1.0
        cells[t] = order[place]
    for t in range(T):
        right[t] = right[t] / found
    return Sample(cells, -1, side, right)


def layer(task: int) -> State:
    """The layer before its first sequence, of whatever task."""
    return player(KINDS, T, RATE, RATE)


def bayes(task: int) -> Watcher:
    """The watcher before its first sequence, of whatever task."""
    return watcher(COMMON)


def shares(task: int, state: State) -> Vector:
    """(6,) the layer's attention on each kind, mean over infinitely long sequences of both classes."""
    order, shown = roles(task), zeros(KINDS)
    for side in range(2):
        law = zeros(KINDS)
        for i in range(2):
            law[order[i]] = 0.5 * COMMON
            law[order[2 + 2 * side + i]] = 0.5 * (1.0 - COMMON)
        weights = attention(state, law)
        for kind in range(KINDS):
            shown[kind] += 0.5 * weights[kind]
    return shown


def report(task: int, state: State) -> Readings:
    """`attention` (6,) by kind; `common` (1,), that on both common ones in per cent; `frames` (6,), distinct ones."""
    order, shown, frames = roles(task), shares(task, state), zeros(KINDS)
    for i in range(2, KINDS):
        frames[order[i]] = 1.0
    return {"attention": shown, "common": [100.0 * (shown[order[0]] + shown[order[1]])], "frames": frames}


SAY = [
    Say("Before training attention follows frequency: {common:0}% of it goes to the two kinds that occur before both.",
        "seen == 0"),
    Say("The layer answers {recent:0} of its last 20 correctly, and still gives {common:0}% of its attention to the "
        "two kinds that occur before both.", "recent >= 18"),
    Say("The layer gives {common:0}% of its attention to the two kinds that occur before both; before training it was "
        "80%."),
]  # fmt: skip


def figure() -> Race:
    """The game `scan_snap-guess`, as the chapter shows it."""
    return Race(
        sample,
        name="scan_snap-guess",
        title="Find what tells",
        hint="Guess: does X or Y follow? Two of the six letters occur before both, each of the others before one.",
        letters="abcdef",
        answers="XY",
        mark=".",
        asks="full stop",
        question="What comes next?",
        reveal="Token {found} occurs only before {label}.",
        players=[
            Player("The layer", layer, textbook_player.answer, textbook_player.learn, idea="attention", trains=True),
            Player(
                "A perfect watcher", bayes, portable_watcher.answer, portable_watcher.learn, idea="bayes", blind=True
            ),
        ],
        report=report,
        say=SAY,
        chance=0.5,
        best=1.0,
    )
