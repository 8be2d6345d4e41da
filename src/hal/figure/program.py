"""The program of a computing explorer: its textbook run and the portable functions of its file, module by module.

An author writes the explorer in one file; the functions that the page needs are cut out of it, with the imports and
constants that they use, and translated like a module. Lines keep their numbers, so that a refusal names the right one.
"""

import ast
import hashlib
import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

from lib.errors import require
from lib.portable.textbooks import PROTOCOL
from lib.portable.translation import Module, load, parts


class Run(Protocol):
    """A run that is no module of ours; it adds itself to a program, in the checked form."""

    def translate(self, known: dict[str, Module]) -> Module:
        """The module; `known` gets it, after those that it imports."""
        ...


def translated(
    textbook: ModuleType | None, functions: Sequence[Callable[..., Any]], run: ModuleType | Run | None = None
) -> dict[str, str]:
    """The modules of an explorer, each a JavaScript function as text, in the order in which they need each other.

    Args:
        textbook: what trains; None for functions alone.
        functions: portable functions of one file.
        run: a reader's, that trains in its place, in the checked form; when its records are is left to the textbook.

    Returns:
        name -> function, see `lib.portable.translation.parts`.
    """
    known: dict[str, Module] = {}
    checked = run not in (None, textbook)
    for trains in (textbook, run):
        if isinstance(trains, ModuleType):
            lacking = sorted(set(PROTOCOL) - set(load(trains.__name__, known, checked).own))
            require(not lacking, "run", f"a module with {', '.join(PROTOCOL)}", f"none of {lacking}")
        elif trains is not None:
            trains.translate(known)
    add_part(functions, known, checked)
    return parts(known, checked)


def add_part(functions: Sequence[Callable[..., Any]], known: dict[str, Module], checked: bool = False) -> None:
    """Translate functions of one file, with what they use of it; `known` gets the module, after those it imports."""
    modules = {function.__module__ for function in functions}
    require(len(modules) == 1, "functions", "functions of one file", sorted(modules))
    name, file = modules.pop(), Path(inspect.getsourcefile(functions[0]) or "")
    part = portable_part(file.read_text(encoding="utf-8"), [function.__name__ for function in functions])
    known[name] = Module(name, part, f"{name.replace('.', '/')}.py", known, checked)


def portable_part(source: str, names: Sequence[str]) -> str:
    """The lines of a module that define these names, and what they use; all others are empty."""
    lines, tree = source.split("\n"), ast.parse(source)
    defined: dict[str, ast.stmt] = {}
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            defined[node.name] = node
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            defined[node.targets[0].id] = node
    for name in names:
        require(name in defined, "functions", f"functions of one module ({', '.join(sorted(defined))})", name)
    used, waiting = set(names), list(names)
    while waiting:
        found = {part.id for part in ast.walk(defined[waiting.pop()]) if isinstance(part, ast.Name)} - used
        used |= found
        waiting += sorted(found & set(defined))
    kept = [""] * len(lines)
    for name in used & set(defined):
        first, last = defined[name].lineno - 1, defined[name].end_lineno or 0
        kept[first:last] = lines[first:last]
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            taken = ", ".join(alias.name for alias in node.names if (alias.asname or alias.name) in used)
            kept[node.lineno - 1] = f"from {node.module} import {taken}" if taken else ""
    return "\n".join(kept)


def digest(text: str) -> str:
    """A short name of a text, by its content."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]
