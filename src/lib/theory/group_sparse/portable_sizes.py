"""The population's loss over the number of groups: at the theorem's time D^3 steps, and the steps to a chosen loss.

Chapter `group_sparse`. Source: the time is arXiv 2504.08638's, Theorem 3.1. The functions from `start` to `read` are
those of a textbook, so that a page can show each size as it comes: a step is the flow of one size, and nothing is
random. `over_time` and `over_sizes` are what the page draws at once.
"""

from dataclasses import dataclass
from typing import NamedTuple

from lib.errors import require
from lib.portable.numbers import exp, log
from lib.portable.primitives import Readings, Vector, nan, zeros
from lib.portable.records import Records, ended, new_row, room_for
from lib.portable.vectors import filled
from lib.theory.group_sparse.portable import late_leak, late_loss, law_of, path, time_to_loss

SIZES = 5  # numbers of groups: 4, 8, 16, 32, 64
TIMES = 86  # of a path: 0, and from 1 to 1e7, twelve a decade
DECADE = 12  # of them
LONGEST = 1e7  # of the times
EVERY = 3  # of them stands in the map
DOWN = 29  # times of the map


class Settings(NamedTuple):
    """What a reader can choose."""

    D: int = 8  # groups of the path that is drawn
    lr: float = 0.2  # learning rate
    level: float = 0.01  # loss to reach, in nats


@dataclass
class State:
    """What is known so far."""

    settings: Settings
    kept: Records  # of each size the loss at D^3 steps, times D^2, the steps to the chosen loss; the map's logarithms


def size(i: int) -> int:
    """Number i of the sizes: 4, 8, 16, 32, 64 groups. Source: beyond the paper."""
    D = 4
    for _ in range(i):
        D *= 2
    return D


def log_times() -> Vector:
    """(86,) the times of a path: 0, then from 1 to 1e7 by a constant factor. Source: beyond the paper."""
    times = zeros(TIMES)
    for i in range(1, TIMES):
        times[i] = exp(log(LONGEST) * float(i - 1) / float(TIMES - 2))
    return times


def value_at(time: float, times: Vector, values: Vector) -> float:
    """A path's value, straight between logarithms; NaN before its second time and after its last.

    Times (K,) grow, above 0 from the second on; values (K,) are above 0. Source: beyond the paper.
    """
    for i in range(2, len(times)):
        if time >= times[1] and time <= times[i]:
            share = log(time / times[i - 1]) / log(times[i] / times[i - 1])
            return exp(log(values[i - 1]) + share * log(values[i] / values[i - 1]))
    return nan


def time_of(level: float, times: Vector, losses: Vector) -> float:
    """The time at which a falling loss reaches a level, on lines as in `value_at`, or NaN. Source: beyond the paper."""
    for i in range(2, len(times)):
        if losses[i - 1] > level and losses[i] <= level:
            share = log(losses[i - 1] / level) / log(losses[i - 1] / losses[i])
            return exp(log(times[i - 1]) + share * log(times[i] / times[i - 1]))
    return nan


def over_time(settings: Settings) -> Readings:
    """The flow of the chosen size at `steps_of`, and the late laws.

    Returns:
        loss (nats), leak = 1 - s, law_loss, law_leak, each (86,); slopes over the last decade, slope_loss and
        slope_leak; reached, the steps to the chosen loss, law_reached, those that the late law says, and off, by how
        many per cent; level, now (D), product (D times the learning rate), and cubed, the theorem's time D^3.

    Source: arXiv 2504.08638, Theorem 3.1, for the time; the rest is beyond the paper.
    """
    steps = log_times()
    count = len(steps)
    time, law_loss, law_leak = zeros(count), zeros(count), zeros(count)
    for i in range(count):
        time[i] = settings.lr * steps[i]
        law_loss[i] = min(5.0, late_loss(time[i], settings.D)) if i > 0 else nan
        law_leak[i] = min(5.0, late_leak(time[i], settings.D)) if i > 0 else nan
    _alpha, leak, loss = path(law_of(settings.D, 1.0), time, 1e-4)
    last, D = count - 1, float(settings.D)
    back = last - DECADE
    span = log(steps[last] / steps[back])
    reached, said = time_of(settings.level, steps, loss), time_to_loss(settings.level, settings.D) / settings.lr
    return {
        "loss": loss, "leak": leak, "law_loss": law_loss, "law_leak": law_leak,
        "slope_loss": [log(loss[last] / loss[back]) / span], "slope_leak": [log(leak[last] / leak[back]) / span],
        "reached": [reached], "level": [settings.level], "cubed": [D * D * D], "now": [D], "law_reached": [said],
        "off": [100.0 * abs(said / reached - 1.0)], "product": [settings.lr * D],
    }  # fmt: skip


def over_sizes(settings: Settings) -> Readings:
    """Lines of powers of D over the map.

    Returns:
        D (5,), and times (29,) of the map; reach, the steps to the chosen loss by the late law, cubed, the theorem's
        D^3, and cubic, its power D^(-3) through the late law at the chosen D, each (5,); here and there, that place.

    Source: arXiv 2504.08638, Theorem 3.1, for the powers; the law is beyond the paper.
    """
    D, reach, cubed, cubic, times = zeros(SIZES), zeros(SIZES), zeros(SIZES), zeros(SIZES), zeros(DOWN)
    chosen = time_to_loss(settings.level, settings.D) / settings.lr
    for i in range(SIZES):
        D[i] = float(size(i))
        reach[i] = time_to_loss(settings.level, size(i)) / settings.lr
        cubed[i] = D[i] * D[i] * D[i]
        cubic[i] = chosen * float(settings.D) * float(settings.D) * float(settings.D) / cubed[i]
    steps = log_times()
    for i in range(DOWN):
        times[i] = steps[1 + EVERY * i]
    return {
        "D": D, "times": times, "reach": reach, "cubed": cubed, "cubic": cubic, "here": [float(settings.D)],
        "there": [chosen],
    }  # fmt: skip


def start(settings: Settings, seed: int) -> State:
    """No size yet; there is nothing for a seed to decide. Source: beyond the paper."""
    require(seed >= 0, "seed", "a whole number of at least 0", seed)
    require(settings.D >= 2, "D", "at least 2 groups", settings.D)
    require(settings.lr > 0.0, "lr", "a number above 0", settings.lr)
    require(settings.level > 0.0, "level", "a loss above 0", settings.level)
    sizes = zeros(SIZES)
    for i in range(SIZES):
        sizes[i] = float(size(i))
    return State(settings, room_for(sizes, 2 + DOWN))


def step(state: State) -> None:
    """The flow of one size more. Source: arXiv 2504.08638, Theorem 3.1, for the time D^3; the rest is beyond it."""
    D, lr, times = size(state.kept.count), state.settings.lr, log_times()
    _alpha, _leak, loss = path(law_of(D, 1.0), times, 1e-4)
    row = new_row(state.kept)
    row[0] = float(D * D) * value_at(lr * float(D * D * D), times, loss)
    row[1] = time_of(state.settings.level, times, loss) / lr
    for i in range(DOWN):
        row[2 + i] = log(loss[1 + EVERY * i]) / log(10.0)


def done(state: State) -> bool:
    """Whether all sizes are known. Source: beyond the paper."""
    return state.kept.count >= SIZES


def read(state: State) -> Readings:
    """`scaled` and `reached` (5,) of each size, and the map's log10 of the loss (29 x 5,), row after row of times; NaN
    where a size is still to come. Nothing here diverges. Source: beyond the paper.
    """
    scaled, reached, heights = filled(SIZES, nan), filled(SIZES, nan), filled(SIZES * DOWN, nan)
    for k in range(state.kept.count):
        row = state.kept.rows[k]
        scaled[k] = row[0]
        reached[k] = row[1]
        for i in range(DOWN):
            heights[i * SIZES + k] = row[2 + i]
    return {"scaled": scaled, "reached": reached, "heights": heights, "diverged_at": ended(-1)}


def steps_of(settings: Settings) -> Vector:
    """(86,) the steps of `over_time`; over them runs the time of the page. Source: beyond the paper."""
    return log_times()
