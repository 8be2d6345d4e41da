"""Errors that every part of the library raises: they name the argument, what was expected, and what came.

A module says once, at its head, what its functions refuse; all of it is an `InputError`.

What counts as a whole number is decided here as well, once for all.
"""

import numbers
from pathlib import PurePath
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

MOST_SHOWN = 80  # letters of what came, in a message


class InputError(ValueError):
    """A refused argument: a value outside the set the function is defined on."""


class DivergedError(RuntimeError):
    """A number was asked of a run that diverged."""


def require(condition: object, argument: str, expected: str, got: object) -> None:
    """Raise `InputError` unless `condition` is true.

    Args:
        condition: anything with a truth value.
        argument: the name of the argument as the caller wrote it.
        expected: what would have been accepted, in words.
        got: what came; shown as it prints, cut at 80 letters, but for a path, which says at its end what it is.
    """
    if not condition:
        shown = str(got) if isinstance(got, PurePath) else shortened(str(got))
        raise InputError(f"{argument}: expected {expected}, got {shown}")


def shortened(text: str) -> str:
    """The text, cut where a message has enough of it, after 80 letters.

    Example:
        >>> len(shortened("7" * 100_000)), shortened("7" * 80)[-2:]
        (80, '77')
    """
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 1]}…"


def is_whole(value: object) -> TypeGuard[int]:
    """Whether `value` is a whole number, of Python or NumPy; 2.0 and True are not."""
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def whole(argument: str, value: object, least: int = 0) -> int:
    """Return `value` as an int; `argument` is its name as the caller wrote it.

    Example:
        >>> whole("steps", np.int64(3))
        3
        >>> whole("steps", 3.0)
        Traceback (most recent call last):
        lib.errors.InputError: steps: expected a whole number >= 0, got 3.0
    """
    if not (is_whole(value) and value >= least):
        raise InputError(f"{argument}: expected a whole number >= {least}, got {value}")
    return int(value)


def wholes(argument: str, values: Any, least: int = 0) -> NDArray[np.int64]:
    """Return one or many (...) whole numbers as an int64 array of the same shape; arguments as of `whole`.

    A single number must be one for `is_whole`. An array or a list may also hold floats without fraction, as
    `np.geomspace` and `np.append` make them.

    Example:
        >>> wholes("record_at", [0.0, 5.0])
        array([0, 5])
    """
    if np.ndim(values) == 0:
        single = values.item() if isinstance(values, np.ndarray) else values
        return np.array(whole(argument, single, least), dtype=np.int64)
    array = np.asarray(values)
    good = array.dtype.kind in "iu" or (array.dtype.kind == "f" and bool(np.all(array == np.floor(array))))
    good = good and bool(np.all(np.isfinite(array)))
    require(good and bool(np.all(array >= least)), argument, f"whole numbers >= {least}", values)
    return array.astype(np.int64)
