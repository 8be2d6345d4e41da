"""What a sweep will cost, from a fifth of its settings: a power of every size, times a factor for every kind.

`hal.results.rows` runs that fifth first and says what the whole will take; the page of sweeps has forecast and cost.
"""

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lib.errors import require

LEAST, SHARE = 6, 5  # settings that are tried at least; one in so many of a long sweep
PULL = 0.3  # towards no effect, of a setting, in units of one try: few are tried
QUICK = 0.05  # seconds; what is below them is noise


def first(settings: int) -> list[int]:
    """Which settings are tried: a fifth, at least six, spread over the sweep by the golden section, in their order.

    Args:
        settings: how many there are.
    """
    wanted, found = min(settings, max(LEAST, math.ceil(settings / SHARE))), set[int]()
    places = (int((i + 0.5) * (math.sqrt(5) - 1) / 2 % 1 * settings) for i in itertools.count())
    while len(found) < wanted:
        found.add(next(places))
    return sorted(found)


def forecast(settings: Sequence[Mapping[str, Any]], seconds: Sequence[float]) -> float:
    """Seconds of a whole sweep.

    Args:
        settings: all of them, by the same names: positive numbers are sizes, all else are kinds.
        seconds: of those that `first` names.

    Raises:
        InputError: if there are not as many seconds as settings that are tried, or one is negative.

    Source: ridge regression of the logarithm, from Hoerl and Kennard, 1970; the sum of the tries is kept.
    """
    tried, took = first(len(settings)), np.asarray(seconds, float)
    require(took.shape == (len(tried),), "seconds", f"{len(tried)}, one for each setting that is tried", took.shape)
    require(bool((took >= 0).all()), "seconds", "no negative ones", took.min())
    x, y = _columns(settings), np.log(took + QUICK)
    mean = x[tried].mean(axis=0)
    x = x - mean
    slopes = np.linalg.solve(x[tried].T @ x[tried] + PULL * np.eye(x.shape[1]), x[tried].T @ (y - y.mean()))
    told = np.exp(y.mean() + x @ slopes)
    return float(took.sum() * told.sum() / told[tried].sum())


def _columns(settings: Sequence[Mapping[str, Any]]) -> NDArray[np.float64]:
    """(settings, columns): logarithms of sizes, by their standard deviation; one column for each kind but one."""
    columns = []
    for name in settings[0]:
        values = [one[name] for one in settings]
        kinds = sorted({str(value) for value in values})
        if len(kinds) == 1:
            continue
        if all(isinstance(value, int | float) and value > 0 for value in values):
            size = np.log(np.array(values, float))
            columns.append(size / size.std())
        else:
            columns += [np.array([str(value) == kind for value in values], float) for kind in kinds[1:]]
    return np.array(columns).reshape(len(columns), len(settings)).T
