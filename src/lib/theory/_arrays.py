"""Small pieces that the theories of all chapters share: array types and checks, which refuse by name (`InputError`)."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.errors import require, whole, wholes

Array = NDArray[np.float64]


def floats(value: ArrayLike) -> Array:
    """Return `value` as a float64 array (no copy where it is one)."""
    return np.asarray(value, dtype=np.float64)


def positive(value: ArrayLike, argument: str) -> Array:
    """Return `value` as float64, refusing anything that is not finite and above zero."""
    array = floats(value)
    require(np.all(np.isfinite(array)) and np.all(array > 0), argument, "finite values > 0", value)
    return array


def recorded_steps(steps: int, record_at: ArrayLike | None) -> NDArray[np.int64]:
    """Return the increasing steps (K,) to record: all of 0..steps, or the caller's choice."""
    steps = whole("steps", steps)
    if record_at is None:
        return np.arange(steps + 1, dtype=np.int64)
    chosen = wholes("record_at", record_at)
    good = chosen.ndim == 1 and chosen.size > 0 and np.all(np.diff(chosen) > 0)
    require(good and chosen[-1] <= steps, "record_at", f"increasing steps within 0..{steps}", record_at)
    return chosen
