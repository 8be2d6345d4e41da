"""The Bayes risk at many context lengths, as contexts are drawn: a run of its own, in plain Python.

Chapter `linear_block`. Source: the trace formula of `lib.theory.linear_block.portable_bayes`. Other rules have risks in
closed form; this one is a mean over contexts, so a page draws it as it comes in.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from lib.errors import require
from lib.models.linear_block.textbook_prompts import law_of
from lib.portable.numbers import exp, log
from lib.portable.primitives import Readings, Vector, Wholes, first, floor, whole_zeros, zeros
from lib.portable.python import python_only, settings_from
from lib.theory.linear_block.portable_bayes import Contexts, add_contexts, bayes_means, contexts_of

RECORDS = 12
LENGTHS = 17  # on the curve
LONGEST = 256  # examples


class Settings(NamedTuple):
    """What a reader can choose."""

    d: int = 8  # features
    M: int = 32  # labelled examples where the block is tuned
    sigma: float = 1.0  # standard deviation of the label noise
    norm: float = 3.0  # length of the prior mean, all entries equal
    decay: float = 0.0  # the features' variances are 1, 2^-decay, 3^-decay, ...
    contexts: int = 100  # drawn in all


@dataclass
class State:
    """Contexts so far, and the means at the records."""

    settings: Settings
    contexts: Contexts
    here: Vector  # (RECORDS,) mean at M
    last: Vector  # (LENGTHS,) mean at all lengths, at the last record
    place: int  # of M among the lengths
    count: int  # of records


def lengths(M: int) -> Wholes:
    """(LENGTHS,) rising context lengths from 2 to 256, evenly on a log axis; M, of that range, is one of them."""
    found, nearest = whole_zeros(LENGTHS), 1
    for i in range(LENGTHS):
        raw = floor(2.0 * exp(log(0.5 * float(LONGEST)) * float(i) / float(LENGTHS - 1)) + 0.5)
        found[i] = raw if i == 0 else max(found[i - 1] + 1, raw)
    if found[0] < M < found[LENGTHS - 1]:
        while nearest < LENGTHS - 2 and found[nearest] * found[nearest + 1] < M * M:
            nearest += 1
        found[nearest] = M
    return found


def place_of(M: int, among: Wholes) -> int:
    """Where M is among rising lengths, which hold it."""
    at = 0
    while among[at] < M:
        at += 1
    return at


def records(contexts: int) -> Vector:
    """(RECORDS,) contexts at the records: 1, and then even shares of all."""
    found = zeros(RECORDS)
    for i in range(RECORDS):
        found[i] = float(max(i + 1, floor(float(contexts * i) / float(RECORDS - 1))))
    return found


def start(settings: Settings, seed: int) -> State:
    """No context drawn yet."""
    require(settings.M >= 2 and settings.M <= LONGEST, "M", "from 2 to 256 examples", settings.M)
    require(settings.sigma > 0.0, "sigma", "a number above 0", settings.sigma)
    require(settings.contexts >= RECORDS, "contexts", "at least 12, one a record", settings.contexts)
    law = law_of(settings.d, settings.M, settings.sigma, settings.norm, settings.decay, 1.0)
    contexts = contexts_of(law.h, law.psi, law.sigma, lengths(settings.M), seed)
    place = place_of(settings.M, contexts.lengths)
    return State(settings, contexts, zeros(RECORDS), zeros(LENGTHS), place, 0)


def advance(state: State, steps: int) -> None:
    """Draw so many contexts more, fewer where all are drawn."""
    due = records(state.settings.contexts)
    for _ in range(steps):
        if state.contexts.count >= state.settings.contexts:
            return
        add_contexts(state.contexts, 1)
        if float(state.contexts.count) >= due[state.count]:
            state.last = bayes_means(state.contexts)
            state.here[state.count] = state.last[state.place]
            state.count += 1


def steps_of(settings: Settings) -> int:
    """Contexts of a whole run."""
    return settings.contexts


def read(state: State) -> Readings:
    """Contexts at the records so far, the Bayes risk at M at each, that at all lengths (LENGTHS,) now."""
    ended = zeros(1)
    ended[0] = -1.0
    return {
        "contexts": first(records(state.settings.contexts), state.count),
        "here": first(state.here, state.count),
        "bayes": first(state.last, LENGTHS if state.count > 0 else 0),
        "diverged_at": ended,
    }


@python_only
def run(seed: int = 0, **settings: float) -> Readings:
    """A whole run: `run(d=3, sigma=0.5, seed=3)["bayes"]`."""
    state = start(settings_from(Settings, settings), seed)
    advance(state, steps_of(state.settings))
    return read(state)
