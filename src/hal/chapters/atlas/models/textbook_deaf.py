"""Walks, trained twice side by side: by gradient descent, and by sign descent.

Chapter `atlas`. Source: our own; Theorem 2. The layer is that of chapter 5 at zero initialisation (see `walks.py`).
Both runs see the same walks. The page runs this file, translated.
"""

from dataclasses import dataclass
from typing import NamedTuple

from hal.chapters.atlas.models.layers import Rates
from hal.chapters.atlas.models.update import GRADIENT, SIGN
from hal.chapters.atlas.models.walks import LENGTH, Walks, begin, draw, look, move
from hal.chapters.random_walk.models.full import attend, weigh
from lib.errors import require
from lib.portable.primitives import Readings, Vector, copy
from lib.portable.records import even_steps
from lib.portable.vectors import total

RECORDS = 30
WATCHED = 100  # walks whose attention is shown


class Settings(NamedTuple):
    """What a reader can choose."""

    less: float = 0.0  # share of each row's mean that leaves the read-out's gradient before its sign is taken
    steps: int = 90


@dataclass
class State:
    """Both runs."""

    settings: Settings
    gradient: Walks
    sign: Walks
    step: int
    diverged_at: int


def steps_of(settings: Settings) -> Vector:
    """(31,) the steps of a whole run's records."""
    return even_steps(settings.steps, RECORDS)


def start(settings: Settings, seed: int) -> State:
    """Both runs before their first step."""
    require(settings.less >= 0.0 and settings.less <= 1.0, "less", "a number from 0 to 1", settings.less)
    require(settings.steps >= 1, "steps", "at least 1 step", settings.steps)
    walks = draw(seed)
    return State(settings, begin(Rates(GRADIENT, 1.0, 1.0), walks), begin(Rates(SIGN, 1.0, 1.0), walks), 0, -1)


def step(state: State) -> None:
    """One step of both."""
    look(state.gradient)
    move(state.gradient)
    look(state.sign)
    for row in state.sign.model.grad_V:
        level = state.settings.less * total(row) / float(len(row))
        for k in range(len(row)):
            row[k] -= level
    move(state.sign)
    state.step += 1


def done(state: State) -> bool:
    """Whether all steps are made."""
    return state.step >= state.settings.steps


def on_parent(run: Walks) -> float:
    """Attention on the parent, mean over some walks."""
    found = 0.0
    weigh(run.model)
    for i in range(WATCHED):
        attend(run.model, run.model.walks[i])
        found += run.model.S[LENGTH - 2]
    return found / float(WATCHED)


def measure(state: State) -> Readings:
    """Of each run the votes of the nodes for the first target (6,), and attention on the parent (1,)."""
    return {
        "gradient_votes": copy(state.gradient.model.V[0]), "gradient_parent": [on_parent(state.gradient)],
        "sign_votes": copy(state.sign.model.V[0]), "sign_parent": [on_parent(state.sign)],
    }  # fmt: skip
