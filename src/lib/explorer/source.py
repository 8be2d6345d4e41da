"""The part of a source text that defines some names, and what they use."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from lib.errors import require


def portable_part(source: str, names: Sequence[str]) -> str:
    """The lines of a module that define these names, and what they use; all others are empty.

    Args:
        source: text of the module.
        names: functions of it.

    Raises:
        InputError: if the module does not define one of them.
    """
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
