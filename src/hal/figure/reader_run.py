"""A reader's own run: functions of a notebook's cell, or the changed text of a textbook, in place of a figure's run.

Figures ask a run for what every textbook has (`lib.portable.textbooks`). What a reader defines is portable
if its source is; then the browser runs it, translated and checked: what the page would compute otherwise than Python
ends the run, with the line. Otherwise the kernel runs it.
"""

import ast
import inspect
import linecache
import sys
import traceback
from collections.abc import Callable, Mapping
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

from hal.figure.program import portable_part
from lib.errors import is_whole, require
from lib.portable import primitives
from lib.portable.python import run_bound
from lib.portable.textbooks import PROTOCOL, check_protocol
from lib.portable.translation import Module

NAME = "own_run"  # of a reader's module, in Python and in the page
TEXT = "your run"  # what messages call a text
READING = ("measure", "at_end")  # what a run may have besides


class OwnRun:
    """A run made of a reader's functions; it is used like a textbook module.

    Args:
        functions: start, step, done, steps_of; and what looks at it, where that is its own: measure, at_end.
        source: text of a module that defines or imports them.
        file: how messages call it.
        before: lines that stand before the text's first, in a translation.
    """

    def __init__(self, functions: Mapping[str, Any], source: str, file: str, before: str = "") -> None:
        check_protocol("run", SimpleNamespace(**functions))
        self.__name__, self.source, self.file, self.before = NAME, source, file, before
        self.given = [*PROTOCOL, *(name for name in READING if name in functions)]
        for name in self.given:
            setattr(self, name, functions[name])

    def translate(self, known: dict[str, Module]) -> Module:
        """The module, translated in the checked form; `known` gets it, and before it those that it imports."""
        named = {name: getattr(getattr(self, name), "__name__", name) for name in self.given}
        known[NAME] = Module(NAME, self.source, self.file, known, True, named, self.before)
        return known[NAME]


def own_run(run: Any) -> ModuleType | OwnRun:
    """The run that a reader hands over.

    Args:
        run: a module; or the text of one, such as a changed copy of a textbook's; or an object or dict with the
            functions start, step, done and steps_of, some of them perhaps a textbook's.

    Raises:
        InputError: if it is none of these, or one of the functions is missing.
        SyntaxError: if a text is no Python.
    """
    if isinstance(run, ModuleType):
        check_protocol("run", run)
        ours = run.__name__.startswith(("lib.", "hal."))
        return run if ours else OwnRun(vars(run), inspect.getsource(run), run.__file__ or run.__name__)
    if isinstance(run, str):
        linecache.cache[TEXT] = len(run), None, run.splitlines(keepends=True), TEXT
        module = run_bound(run, ModuleType(NAME), TEXT)
        return OwnRun(module.__dict__, run, TEXT)
    functions = run if isinstance(run, Mapping) else {name: getattr(run, name, None) for name in (*PROTOCOL, *READING)}
    made = {name: function for name, function in functions.items() if isinstance(function, FunctionType)}
    return OwnRun(made, *_source_of(made))


def line_of(error: Exception, run: Any) -> str:
    """The line of a reader's run that an exception went through, to be said after it: ", line 3 of In[4]"."""
    functions = [function for function in vars(run).values() if isinstance(function, FunctionType)]
    own = {f.__code__.co_filename for f in functions if not f.__module__.startswith(("lib.", "hal."))}
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename in own]
    return f", line {lines[-1]} of {run.file}" if lines else ""


def _source_of(functions: Mapping[str, FunctionType]) -> tuple[str, str, str]:
    """Text of a module with these functions, lines numbered as in their cell; its name; what they use of others."""
    own = [function for function in functions.values() if not function.__module__.startswith(("lib.", "hal."))]
    files = {function.__code__.co_filename for function in own}
    require(len(files) == 1, "run", "functions of one cell or file, besides a textbook's", sorted(files) or "none")
    file = files.pop()
    text = "".join(linecache.getlines(file))
    require(text, "run", "functions whose source is known", f"functions of {file}")

    part = portable_part(text, [function.__name__ for function in own])
    wanted = _names(part) | {function.__name__ for function in functions.values()}
    lines = [_brought(name, own[0].__globals__) for name in sorted(wanted - _defined(part))]
    lines += [_brought(f.__name__, {f.__name__: f}) for f in functions.values() if f not in own]
    return part, _shown(file), "\n".join(dict.fromkeys(filter(None, lines)))


def _names(text: str) -> set[str]:
    """Names that a module's functions and records use and do not make themselves."""
    found: set[str] = set()
    for node in ast.parse(text).body:
        names = [part for part in ast.walk(node) if isinstance(part, ast.Name)]
        made = {part.id for part in names if isinstance(part.ctx, ast.Store)}
        made |= {part.arg for part in ast.walk(node) if isinstance(part, ast.arg)}
        found |= {part.id for part in names} - made
    return found


def _defined(text: str) -> set[str]:
    found: set[str] = set()
    for node in ast.parse(text).body:
        if isinstance(node, ast.ImportFrom):
            found |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.Assign):
            found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return found


def _brought(name: str, space: Mapping[str, Any]) -> str:
    """The line that brings a name of other cells into a module: an import, or a number; or nothing."""
    value = space.get(name)
    if (name in primitives.__all__ and getattr(primitives, name) is value) or name == "require":
        return f"from {'lib.errors' if name == 'require' else primitives.__name__} import {name}"
    module = getattr(value, "__module__", None) or ""
    if module.startswith(("lib.", "hal.")) and getattr(value, "__name__", "") == name:
        return f"from {module} import {name}"
    if isinstance(value, float) or is_whole(value):
        return f"{name} = {value!r}"
    if isinstance(value, ModuleType) and value.__name__ in ("math", "numpy"):
        return f"import {value.__name__} as {name}"
    return ""


def _shown(file: str) -> str:
    """A cell's name as the notebook shows it, In[3]; other files by their path."""
    ipython = sys.modules.get("IPython")
    shell: Any = ipython.get_ipython() if ipython else None
    describe: Callable[[str], Any] | None = getattr(getattr(shell, "compile", None), "format_code_name", None)
    known = describe(file) if describe else None
    return known[1] if known else file
