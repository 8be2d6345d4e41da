"""A textbook run that is asked one thing: which way does it leave zero?

Chapter `scb`, beyond the paper (arXiv 2410.23438). The steps are those of `textbook`; only the signal of the outputs is
measured, so that many runs are quick.
"""

from __future__ import annotations

from dataclasses import dataclass

from lib.models.scb.textbook import Settings, State, goes_on, step, untrained
from lib.models.scb.textbook_record import RECORDS, is_due, signal_V
from lib.portable.primitives import Readings, Vector, first, nan, zeros
from lib.portable.python import python_only, settings_from


@dataclass
class Leaving:
    """A run and its signal so far."""

    run: State
    count: int
    steps: Vector  # (49,)
    alpha_V: Vector


def start(settings: Settings, seed: int) -> Leaving:
    """A run before its first step."""
    state = Leaving(untrained(settings, seed), 0, zeros(RECORDS + 1), zeros(RECORDS + 1))
    _keep(state)
    return state


def _keep(state: Leaving) -> None:
    state.steps[state.count] = float(state.run.step)
    state.alpha_V[state.count] = signal_V(state.run.V, state.run.task)
    state.count += 1


def steps_of(settings: Settings) -> int:
    """Steps of the whole run."""
    return settings.stage1 + settings.stage2 + settings.stage3


def advance(state: Leaving, steps: int) -> None:
    """Train for so many steps, fewer where the run ends before."""
    run = state.run
    for _ in range(steps):
        if not goes_on(run):
            return
        step(run)
        while run.diverged_at < 0 and is_due(state.count, run.step, steps_of(run.settings)):
            _keep(state)


def read(state: Leaving) -> Readings:
    """So far: steps, alpha_V, and the same again as `upright` or as `mirrored`, by its sign now; each (count,)."""
    n = state.count
    upright = first(state.alpha_V, n)
    mirrored = first(state.alpha_V, n)
    turned = state.alpha_V[n - 1] < 0.0
    for i in range(n):
        if turned:
            upright[i] = nan
        else:
            mirrored[i] = nan
    return {
        "steps": first(state.steps, n),
        "alpha_V": first(state.alpha_V, n),
        "upright": upright,
        "mirrored": mirrored,
        "diverged_at": [float(state.run.diverged_at) if state.run.diverged_at >= 0 else nan],
    }


@python_only
def run(seed: int = 0, **settings: float) -> Readings:
    """A whole run: `run(T=64, lr=0.05, batch=4, stage1=80, seed=3)["alpha_V"]`."""
    state = start(settings_from(Settings, settings), seed)
    advance(state, steps_of(state.run.settings))
    return read(state)
