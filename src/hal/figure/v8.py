"""The page's JavaScript in V8, in this process: the build and kernels ask it what figures say and draw."""

import functools
import json
from collections.abc import Sequence
from typing import Any

from hal.figure.assets import joined_js
from lib.errors import InputError
from lib.portable.engine import Engine, ScriptError

ENTRY = 'import { built, makeBuilt } from "./built.js";\n'


@functools.cache
def page() -> Engine:
    """One V8 for all figures of the process."""
    return Engine(joined_js(ENTRY))


def asked(code: str) -> Any:
    """What an expression gives, as far as JSON has it.

    Raises:
        InputError: where what it calls refuses its arguments.
        ScriptError: if it throws anything else.
    """
    try:
        return page().value(code)
    except ScriptError as error:
        kind, _, words = str(error).partition(": ")
        if kind != "InputError":
            raise
        raise InputError(words) from None


def called(function: str, *arguments: Any) -> Any:
    """What a function gives for these arguments; infinities and NaN are null among them."""
    return asked(f"{function}({', '.join(json.dumps(_known(one)) for one in arguments)})")


def _known(value: Any) -> Any:
    """A value of which JSON has all."""
    if isinstance(value, float):
        return value if abs(value) < float("inf") else None
    if isinstance(value, dict):
        return {name: _known(one) for name, one in value.items()}
    return [_known(one) for one in value] if isinstance(value, Sequence) and not isinstance(value, str) else value
