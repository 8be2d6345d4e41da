"""A run and what its own walks say: which lag the second step raises most, on these walks and not on all there are.

Chapter `random_walk`. Source: ours, see `lib.theory.random_walk.drawn_signal`. The run is that of `textbook_watch`.
"""

from dataclasses import dataclass

from lib.models.random_walk.textbook_measures import LAGS
from lib.models.random_walk.textbook_task import Settings
from lib.models.random_walk.textbook_watch import Watch, steps_of
from lib.models.random_walk.textbook_watch import done as run_done
from lib.models.random_walk.textbook_watch import start as start_run
from lib.models.random_walk.textbook_watch import step as step_run
from lib.portable.primitives import Readings, Table, Vector, nan, zero_matrix, zeros
from lib.portable.records import column, columns, ended
from lib.portable.vectors import argmax, dot

__all__ = ["done", "read", "start", "step", "steps_of"]


@dataclass
class Told:
    """A run, and the lag signal of its walks."""

    watch: Watch
    signal: Vector  # (N - 1,) for the lags from 1 on; empty before the walks are drawn


def start(settings: Settings, seed: int) -> Told:
    """A run before its walks are drawn."""
    return Told(start_run(settings, seed), zeros(0))


def signal_of(turns: Table, K: int) -> Vector:
    """(N - 1,) by lag from 1 on, of walks (n, N - 1): how often a target lies where other tokens of walks have it.

    The share of the walks whose target is k steps clockwise of the token at the lag, times that of all lags together,
    added up over k.
    """
    lags, share = len(turns[0]), 1.0 / float(len(turns))
    by_lag, all_lags, signal = zero_matrix(lags, K), zeros(K), zeros(lags)
    for i in range(len(turns)):
        for j in range(lags):
            by_lag[lags - 1 - j][turns[i][j]] += share
            all_lags[turns[i][j]] += share
    for i in range(lags):
        signal[i] = dot(by_lag[i], all_lags)
    return signal


def step(state: Told) -> None:
    """One step; after the first the walks are known."""
    step_run(state.watch)
    if len(state.signal) == 0:
        state.signal = signal_of(state.watch.run.turns, state.watch.run.settings.K)


def done(state: Told) -> bool:
    """Whether the run has ended."""
    return run_done(state.watch)


def read(state: Told) -> Readings:
    """What the run has of steps, accuracy, answers on new walks, attention and V; the walks' signal over its largest,
    (LAGS,), 0 beyond the walk's length; told, the lag at which it is largest.
    """
    run, seen, settings = state.watch.run.kept, state.watch.kept, state.watch.run.settings
    shown, told = zeros(LAGS), nan
    if len(state.signal) > 0:
        top = argmax(state.signal)
        told = float(top + 1)
        for i in range(min(LAGS, len(state.signal))):
            shown[i] = state.signal[i] / state.signal[top]
    return {
        "steps": column(run, 0), "accuracy": column(run, 2), "fresh": column(seen, 0), "parent": column(run, 4),
        "lag": column(run, 5), "to_step": column(run, 6), "to_root": column(run, 7),
        "attention": columns(seen, 1, settings.N - 1), "signal": shown, "told": [told],
        "diverged_at": ended(state.watch.run.diverged_at),
    }  # fmt: skip
