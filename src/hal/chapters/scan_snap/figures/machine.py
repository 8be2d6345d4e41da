"""Small figure `scan_snap-machine`: a sequence is its counts, weighed by attention and scaled to a unit vector.

Chapter `scan_snap`. Source: arXiv 2305.16380, Section 3.1: attention, normalisation and decoder of the model.
"""

from typing import NamedTuple

from hal.chapters.scan_snap.figures._shared import WORDS
from hal.explorer import Idea, Say, Slider, columns, ink
from lib.models.scan_snap.textbook import Settings, State, attend, predict, start, step
from lib.portable.numbers import exp
from lib.portable.primitives import Readings, Wholes, whole_zeros, zeros
from lib.portable.random_numbers import below, generator

COUNTS = [5, 4, 1, 2]  # of each word: two common ones, and two distinct ones of class X
SHOWN = [WORDS[0], WORDS[1], WORDS[60], WORDS[61]]
LENGTH = 12  # words of the sequence
STEPS = 40  # of the decoder, on infinitely long sequences, while attention stood still
TITLE, AGAIN = "Counts in, guess out", "Shuffle the words"
HINT = "Shuffle: what moves? Then turn the orange words down."
SLIDERS = {"z": Slider("Logit of common tokens", "nats", 0.0, (-3.0, 2.0), log=False)}


class Chosen(NamedTuple):
    """What is chosen."""

    z: float  # nats


def settings(z: float) -> Chosen:
    """The logit of both common tokens; that of the distinct ones is zero."""
    return Chosen(z)


def shuffled(seed: int) -> Wholes:
    """(12,) which word stands at each position."""
    random, words, at = generator(seed, 1), whole_zeros(LENGTH), 0
    for kind in range(len(COUNTS)):
        for _ in range(COUNTS[kind]):
            words[at] = kind
            at += 1
    for i in range(LENGTH - 1, 0, -1):
        j = below(random, i + 1)
        kept = words[i]
        words[i] = words[j]
        words[j] = kept
    return words


def trained(z: float) -> State:
    """Two classes with two common and two distinct tokens each, eight outputs; the logits are set at the end."""
    state = start(Settings(0, 2, 1, 2, 2, 8, 1.0, 0.0, 0, 1, 0.0, STEPS), 0)
    for _ in range(STEPS):
        step(state)
    for i in range(2):
        state.Z[i] = z
    return state


def machine(settings: Chosen, seed: int) -> Readings:
    """Of each word (12,): which, 0 for common and 1 for distinct, its attention. The decoder's input f (4,), by kind.
    The guess (3,): X, Y, all that never comes next; in percent that for X and the attention on common tokens."""
    words, state, whole, counts = shuffled(seed), trained(settings.z), 0.0, zeros(len(COUNTS))
    shown, groups, weights = zeros(LENGTH), zeros(LENGTH), zeros(LENGTH)
    for t in range(LENGTH):
        counts[words[t]] += 1.0
        shown[t] = float(words[t])
        groups[t] = 0.0 if words[t] < 2 else 1.0
        weights[t] = exp(state.Z[words[t]])
        whole += weights[t]
    common = 0.0
    for t in range(LENGTH):
        weights[t] = weights[t] / whole
        common += weights[t] if words[t] < 2 else 0.0
    attend(state, 0, counts)
    predict(state, 0)
    right, wrong = 1.0 - state.delta[0], -state.delta[1]
    return {
        "shown": shown, "groups": groups, "weights": weights, "input": state.f, "kinds": [0.0, 0.0, 1.0, 1.0],
        "guess": [right, wrong, 1.0 - right - wrong], "common": [100.0 * common], "percent": [100.0 * right],
    }  # fmt: skip


def picture() -> tuple[ink, columns, columns]:
    """The sequence in ink, its weighed counts as a unit vector, and the decoder's guess."""
    return ink(
        weights="machine.weights", tokens="machine.shown", groups="machine.groups", words=SHOWN,
        ideas=("common", "distinct"), group_names=("common", "distinct"), height=84, wide=True,
        alt="Twelve words in a line: nine common ones, three distinct ones, all of the same size.",
    ), columns(
        heights="machine.input", kinds="machine.kinds", ideas=("common", "distinct"), names=SHOWN, ylim=(0.0, 1.0),
        ylabel="decoder input f", height=150, alt="Four columns, the two of the common tokens by far the highest.",
    ), columns(
        heights="machine.guess", names=("X", "Y", "rest"), ylim=(0.0, 1.0), ylabel="guess", height=150,
        alt="Three columns: X is over three times as high as Y, and all others together are small.",
    )  # fmt: skip


def say() -> list[Say]:
    """The guess, which no order changes."""
    return [Say("Common tokens hold {machine.common}% of the attention, and the guess is X with {machine.percent}%, in "
                "any order.")]  # fmt: skip


IDEA = Idea(
    "The rarer words decide: the guess is X, over three times as likely as Y.",
    greater=lambda drawn: drawn["machine.guess"][0],
    than=lambda drawn: 3 * drawn["machine.guess"][1],
    breaks={"z": 1.0},
)
