"""Game `scan_snap-guess`: the reader against the model of chapter 2, on the same sequences; X or Y?

Chapter `scan_snap`. Source: arXiv 2305.16380, Section 3.2 (distinct and common tokens of the next one). Sequences of
one task share these tokens, so that the reader learns, as attention must, which of them to look at. The layer takes one
sequence a step, plain, both learning rates 1.
"""

from hal.chapters.scan_snap.models import player as textbook_player
from hal.chapters.scan_snap.models.player import attention, player
from hal.chapters.scan_snap.runs.rounds import COMMON, KINDS, evidence, law, level_of, roles
from hal.figure import Level, Player, Race, Say
from hal.figure.guesses import Sample
from lib.models.scan_snap.textbook import State
from lib.portable.primitives import Readings, Vector, whole_zeros, zeros
from lib.portable.random_numbers import below, generator
from lib.portable.tokens import draw

T = 16  # contextual tokens of a sequence
RATE = 1.0  # of decoder and attention
MANY = 100000  # sequences of a task before those of the next begin


def sample(task: int, number: int) -> Sample:
    """One sequence of a task; at one position, drawn uniformly, stands a token that is not common."""
    order, level, random = roles(task), level_of(task), generator(MANY * task + number, 1)
    side = below(random, 2)
    sure = below(random, T)
    chances, told, places, cells = law(level, side), zeros(KINDS), whole_zeros(T), whole_zeros(T)
    for i in range(2, KINDS):
        told[i] = chances[i] / (1.0 - COMMON[level])
    for t in range(T):
        places[t] = draw(random, told if t == sure else chances)
        cells[t] = order[places[t]]
    return Sample(cells, -1, side, evidence(level, places))


def layer(task: int) -> State:
    """The layer before its first sequence, of whatever task."""
    return player(KINDS, T, RATE, RATE)


def shares(task: int, state: State) -> Vector:
    """(6,) the layer's attention on each kind, mean over infinitely long sequences of both classes."""
    order, shown = roles(task), zeros(KINDS)
    for side in range(2):
        chances, placed = law(level_of(task), side), zeros(KINDS)
        for i in range(KINDS):
            placed[order[i]] = chances[i]
        weights = attention(state, placed)
        for kind in range(KINDS):
            shown[kind] += 0.5 * weights[kind]
    return shown


def report(task: int, state: State) -> Readings:
    """`attention` (6,) by kind; single ones, in percent: `common`, that on both common ones, `before`, the same before
    training, and `hints`, that on the two partly common ones; `level`, from 1; `frames` (6,), all but common ones."""
    order, shown, frames, level = roles(task), shares(task, state), zeros(KINDS), level_of(task)
    for i in range(2, KINDS):
        frames[order[i]] = 1.0
    return {
        "attention": shown, "common": [100.0 * (shown[order[0]] + shown[order[1]])], "before": [100.0 * COMMON[level]],
        "hints": [100.0 * (shown[order[3]] + shown[order[5]])], "level": [float(level + 1)], "frames": frames,
    }  # fmt: skip


GIVES = "{common:0}% of its attention to the two uninformative letters"
SAY = [
    Say("Before training each copy of a letter gets the same attention, so frequent letters get most: {common:0}% goes "
        "to the two uninformative ones.", "seen == 0"),
    Say(f"The layer gives {GIVES}, and {{hints:0}}% to the two that only hint.", "level == 3"),
    Say(f"The layer answers {{recent:0}} of its last 20 correctly, and still gives {GIVES}.", "recent >= 18"),
    Say(f"The layer gives {GIVES}; before training it was {{before:0}}%."),
]  # fmt: skip
ASK, SURE = "Guess: does X or Y follow?", "Letter {found} occurs only before {label}."
LEVELS = [
    Level("1 rare clues", f"{ASK} Four letters give it away: each occurs only before X or only before Y. Two "
          "occur before both.", SURE, 1.0),
    Level("2 frequent clues", f"{ASK} Again four letters give it away, but now they are as frequent as the other two.",
          SURE, 1.0),
    Level("3 weak hints", f"{ASK} Two letters carry no information, two lean three to one, two are certain but rare.",
          "The framed letters carry information, the others none.", 0.89),
]  # fmt: skip


def figure() -> Race:
    """The game `scan_snap-guess`, as the chapter shows it."""
    return Race(
        sample, name="scan_snap-guess", title="Find the telling letter", letters="abcdef", answers="XY", mark="?",
        asks="query", question="What comes next?", levels=LEVELS, report=report, say=SAY, chance=0.5,
        players=[
            Player("The layer", layer, textbook_player.answer, textbook_player.learn, idea="attention", trains=True),
        ],
    )  # fmt: skip
