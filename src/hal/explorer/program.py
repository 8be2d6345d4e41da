"""The program of a computing explorer: its textbook run and the portable functions of its file, module by module.

An author writes the explorer in one file; the functions that the page needs are cut out of it, with the imports and
constants that they use, and translated like a module. Lines keep their numbers, so that a refusal names the right one.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from lib.errors import require
from lib.explorer.reader_run import PROTOCOL, OwnRun
from lib.explorer.source import portable_part
from lib.portable.translation import Module, load, parts


def translated(run: ModuleType | OwnRun | None, functions: Sequence[Callable[..., Any]]) -> dict[str, str]:
    """The modules of an explorer, each a JavaScript function as text, in the order in which they need each other.

    Args:
        run: the portable module with `start`, `advance`, `read` and `steps_of`, or a reader's; None for the functions
            alone, where the run is left to the kernel.
        functions: portable functions of one file.

    Returns:
        name -> function, see `lib.portable.translation.parts`.

    Raises:
        InputError: if the run lacks one of the four, or the functions are of several files.
        OutsideSubset: with file, line, reason and remedy, at the first line that is not portable.
    """
    known: dict[str, Module] = {}
    if isinstance(run, OwnRun):
        run.translate(known)
    elif run is not None:
        lacking = sorted(set(PROTOCOL) - set(load(run.__name__, known).own))
        require(not lacking, "run", "a module with start, advance, read and steps_of", f"none of {lacking}")
    modules = {function.__module__ for function in functions}
    require(len(modules) == 1, "functions", "functions of one file", sorted(modules))
    name, file = modules.pop(), Path(inspect.getsourcefile(functions[0]) or "")
    part = portable_part(file.read_text(encoding="utf-8"), [function.__name__ for function in functions])
    known[name] = Module(name, part, f"{name.replace('.', '/')}.py", known)
    return parts(known)


def digest(text: str) -> str:
    """A short name of a text, by its content."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]
