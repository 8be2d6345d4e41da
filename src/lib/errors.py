"""Errors that every part of the library raises: they name the argument, what was expected, and what came."""

from __future__ import annotations

import numbers
from typing import TypeGuard


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
        got: what came; shown as it prints.

    Raises:
        InputError: if `condition` is false.
    """
    if not condition:
        raise InputError(f"{argument}: expected {expected}, got {got}")


def is_whole(value: object) -> TypeGuard[int]:
    """Whether `value` is a whole number, of Python or NumPy; 2.0 and True are not."""
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)
