"""What compiled Python says: the names that a function looks up, the modules that it imports, and what it does.

Used by the keys of the cache. Line numbers, file names and comments are not in it.
"""

import dis
import types
from collections.abc import Iterator
from typing import Any, NamedTuple

__all__ = ["Uses", "instructions", "uses"]

_LOOKUPS = {"LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS"}
_FIELDS = (
    *("co_argcount", "co_posonlyargcount", "co_kwonlyargcount", "co_flags"),
    *("co_names", "co_varnames", "co_freevars", "co_cellvars"),
)


class Uses(NamedTuple):
    """What code refers to, the functions written inside it included."""

    names: list[str]  # looked up among globals and builtins, sorted
    attributes: set[str]  # every other name that stands in it, attributes among them
    imports: list[tuple[str, int, tuple[str, ...]]]  # module, level of a relative import, names taken from it


def uses(code: types.CodeType) -> Uses:
    """What a code object, and those among its constants, refer to."""
    found = Uses([], set(), [])
    names: set[str] = set()
    for part in _nested(code):
        steps = list(dis.get_instructions(part))
        names.update(step.argval for step in steps if step.opname in _LOOKUPS)
        found.attributes.update(part.co_names)
        for i, step in enumerate(steps):
            if step.opname == "IMPORT_NAME":  # two constants before it: the level, and the names
                level, taken = steps[i - 2].argval, steps[i - 1].argval
                found.imports.append((step.argval, level, taken or ()))
    return found._replace(names=sorted(names))


def instructions(code: types.CodeType) -> tuple[Any, ...]:
    """What a code object does: bytecode and names; its constants are apart, in `co_consts`."""
    handlers = getattr(code, "co_exceptiontable", b"")
    return (code.co_code.hex(), handlers.hex(), *(repr(getattr(code, field)) for field in _FIELDS))


def _nested(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for value in code.co_consts:
        if isinstance(value, types.CodeType):
            yield from _nested(value)
