"""Random starts on a circle: which parity of lags a start leans to, and where its attention goes.

Chapter `random_walk`. Source: arXiv 2511.23239, random initialisation; the criterion is ours, see
`lib.theory.random_walk.parity_projection`. The run is that of `textbook.py`; beside each of its records stand the
attention on odd lags, less that on even ones, and the attention on all places.
"""

from dataclasses import dataclass

from lib.models.random_walk.textbook import State, descend, steps_of
from lib.models.random_walk.textbook import count_step as count_step_run
from lib.models.random_walk.textbook import done as run_done
from lib.models.random_walk.textbook import gradient as gradient_run
from lib.models.random_walk.textbook import parameters as parameters_run
from lib.models.random_walk.textbook import start as start_run
from lib.models.random_walk.textbook_task import Settings, rho_of
from lib.portable.primitives import Matrix, Readings, Vector, nan, remainder, sqrt
from lib.portable.records import Records, column, columns, ended, new_row, room_for
from lib.portable.vectors import filled

__all__ = ["count_step", "done", "gradient", "parameters", "read", "start", "step", "steps_of"]


@dataclass
class Watched:
    """A textbook run, what its start leans to, and the balance of its attention, record after record."""

    inner: State
    leaning: float
    balances: Records  # attention on odd lags less that on even ones; attention by place


def start(settings: Settings, seed: int) -> Watched:
    """The walks, the start, and its projection."""
    inner = start_run(settings, seed)
    return Watched(inner, projection(inner), room_for(steps_of(settings), settings.N))


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


def balance(attention: Vector) -> float:
    """Attention (N,) on odd lags, less that on even ones; the last place is the empty token's and counts for none."""
    last, result = len(attention) - 1, 0.0
    for j in range(last):
        result += attention[j] if remainder(last - j, 2) == 1 else -attention[j]
    return result


def parameters(state: Watched) -> Matrix:
    """What is trained, as in `textbook`."""
    return parameters_run(state.inner)


def gradient(state: Watched) -> Matrix:
    """The gradient of `textbook`, and the balance of the attention of each record."""
    found = gradient_run(state.inner)
    while state.balances.count < state.inner.kept.count:
        row = new_row(state.balances)
        row[0] = balance(state.inner.total)
        for j in range(len(state.inner.total) - 1):
            row[1 + j] = state.inner.total[j]
    return found


def count_step(state: Watched) -> None:
    """One step more."""
    count_step_run(state.inner)


def step(state: Watched) -> None:
    """One step of gradient descent."""
    gradient(state)
    if state.inner.diverged_at < 0:
        descend(state.inner)
        count_step(state)


def done(state: Watched) -> bool:
    """Whether the run has ended."""
    return run_done(state.inner)


def read(state: Watched) -> Readings:
    """What `textbook.read` gives, in part; with `odd` (count,), the balance, `at` (count,), the projection of the start
    or 0 where it has none, `attention` (count (N - 1),) by place, oldest first, and `leaning`, one number.
    """
    kept, balances = state.inner.kept, state.balances
    leaning = state.leaning if state.leaning == state.leaning else 0.0
    return {
        "steps": column(kept, 0), "accuracy": column(kept, 2), "divergence": column(kept, 3), "lag": column(kept, 5),
        "odd": column(balances, 0), "at": filled(balances.count, leaning), "leaning": [state.leaning],
        "attention": columns(balances, 1, len(state.inner.g) - 1), "diverged_at": ended(state.inner.diverged_at),
    }  # fmt: skip
