"""Random starts on a circle: which parity of lags a start leans to, and where its attention goes.

Chapter `random_walk`. Source: arXiv 2511.23239, random initialisation; the criterion is ours, see
`lib.theory.random_walk.parity_projection`. The run is that of `textbook.py`; at every record the attention on odd lags,
less that on even ones, is kept beside it.
"""

from __future__ import annotations

from dataclasses import dataclass

from lib.models.random_walk.textbook import State, started, step
from lib.models.random_walk.textbook_record import LAGS, RECORDS
from lib.models.random_walk.textbook_task import Settings, check_settings, draw_walks, rho_of
from lib.portable.primitives import Readings, Vector, first, nan, remainder, sqrt, zeros
from lib.portable.python import python_only, settings_from


@dataclass
class Watched:
    """A textbook run, what its start leans to, and the balance of its attention, record after record."""

    inner: State
    leaning: float
    odd: Vector  # attention on odd lags less that on even ones


def start(settings: Settings, seed: int) -> Watched:
    """The walks, the start, and its projection."""
    check_settings(settings)
    inner = started(settings, draw_walks(settings, seed), seed)
    return Watched(inner, projection(inner), zeros(RECORDS + 1))


def projection(inner: State) -> float:
    """Odd lags where positive, even ones where negative, in standard deviations of either term; NaN for odd K."""
    settings = inner.settings
    K, last = settings.K, settings.N - 1
    if remainder(K, 2) == 1 or settings.sigma <= 0.0:
        return nan
    places, values = 0.0, 0.0
    for j in range(last):
        places += inner.g[j] if remainder(last - j, 2) == 1 else -inner.g[j]
    for i in range(K):
        for k in range(K):
            values += inner.V[i][k] if remainder(i + k, 2) == 0 else -inner.V[i][k]
    return places / (settings.sigma * rho_of(settings) * sqrt(float(last))) - values / (settings.sigma * float(K))


def advance(state: Watched, steps: int) -> None:
    """Train for so many steps, fewer where the run ends before, and keep the balance of each record."""
    inner = state.inner
    for _ in range(steps):
        if inner.diverged_at >= 0 or inner.step > inner.settings.steps:
            return
        before = inner.record.count
        step(inner)
        if inner.record.count > before:
            state.odd[before] = balance(inner.total)


def balance(attention: Vector) -> float:
    """Attention (N,) on odd lags, less that on even ones; the last place is the empty token's and counts for none."""
    last, result = len(attention) - 1, 0.0
    for j in range(last):
        result += attention[j] if remainder(last - j, 2) == 1 else -attention[j]
    return result


def steps_of(settings: Settings) -> int:
    """Calls of `step` of a whole run."""
    return settings.steps + 1


def read(state: Watched) -> Readings:
    """What `textbook.read` gives, in part; with `odd`, and `leaning`, one number."""
    found, now = state.inner.record, state.inner.record.count
    return {
        "steps": first(found.steps, now), "accuracy": first(found.accuracy, now),
        "divergence": first(found.divergence, now), "lag": first(found.lag, now),
        "by_lag": first(found.by_lag, now * LAGS), "odd": first(state.odd, now), "leaning": [state.leaning],
        "diverged_at": [float(state.inner.diverged_at) if state.inner.diverged_at >= 0 else nan],
    }  # fmt: skip


@python_only
def run(seed: int = 0, **settings: float) -> Readings:
    """A whole run: `run(K=6, sigma=0.01, unit=1, lr=10.0)["odd"]`."""
    state = start(settings_from(Settings, settings), seed)
    advance(state, steps_of(state.inner.settings))
    return read(state)
