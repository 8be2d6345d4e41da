"""The knife edge: the deterministic walk, all K sequences of it, from zero or from a random start.

Chapter `random_walk`. Source: arXiv 2511.23239, theorem on p = 0 and 1, and its random initialisation. Everything but
the walks is `textbook.py`: walk i starts at node i and goes clockwise, so that every node is the target equally often.
"""

from __future__ import annotations

from lib.errors import require
from lib.models.random_walk.textbook import State, started, step
from lib.models.random_walk.textbook_record import readings
from lib.models.random_walk.textbook_task import Settings, check_settings
from lib.portable.primitives import Readings, remainder, whole_table
from lib.portable.python import python_only, settings_from


def start(settings: Settings, seed: int) -> State:
    """One walk from every node; n must be K, and p 1."""
    check_settings(settings)
    require(settings.p == 1.0, "p", "1: a walk that only goes clockwise", settings.p)
    require(settings.n == settings.K, "n", "K, a walk from every node", settings.n)
    walks = whole_table(settings.K, settings.N)
    for i in range(settings.K):
        for j in range(settings.N):
            walks[i][j] = remainder(i + j, settings.K)
    return started(settings, walks, seed)


def advance(state: State, steps: int) -> None:
    """Train for so many steps, fewer where the run ends before."""
    for _ in range(steps):
        if state.diverged_at >= 0 or state.step > state.settings.steps:
            return
        step(state)


def steps_of(settings: Settings) -> int:
    """Calls of `step` of a whole run: the last only measures."""
    return settings.steps + 1


def read(state: State) -> Readings:
    """What was recorded so far; see `lib.models.random_walk.textbook_record`."""
    return readings(state.record, state.diverged_at)


@python_only
def run(seed: int = 0, **settings: float) -> Readings:
    """A whole run: `run(K=6, n=6, N=98, p=1.0)["accuracy"]`."""
    state = start(settings_from(Settings, settings), seed)
    advance(state, steps_of(state.settings))
    return read(state)
