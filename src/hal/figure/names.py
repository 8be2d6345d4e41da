"""What portable functions return, by name, read off their text: a misspelt name is refused before anything runs.

Readings are written as a dict of plain names, or handed on from another function; anything else has no known names.
"""

import ast
import difflib
import inspect
import re
import textwrap
from collections.abc import Callable, Iterable
from typing import Any

from lib.errors import InputError, require

#: Name -> whether it is one number; of readings whose names cannot be told, None.
Names = dict[str, bool] | None


def returned(function: Callable[..., Any]) -> Names:
    """The names of the readings that a portable function returns.

    Returns:
        name -> True where it is written as a single number, `[x]`; None where the text does not tell.
    """
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError):
        return None
    found: dict[str, bool] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Return):
            names = _names_of(node.value, tree, getattr(function, "__globals__", {}))
            if names is None:
                return None
            found |= names
    return found


def _names_of(value: ast.expr | None, tree: ast.AST, space: dict[str, Any]) -> Names:
    if isinstance(value, ast.Dict):
        pairs = zip(value.keys, value.values, strict=True)
        return {str(key.value): _single(one) for key, one in pairs if isinstance(key, ast.Constant)}
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in space:
        return returned(space[value.func.id])
    if isinstance(value, ast.Name):
        made = [node for node in ast.walk(tree) if isinstance(node, ast.Assign)]
        given = [node.value for node in made if ast.unparse(node.targets[0]) == value.id]
        return _names_of(given[0], tree, space) if len(given) == 1 else None
    return None


def _single(value: ast.expr) -> bool:
    return isinstance(value, ast.List) and len(value.elts) == 1


def refuse_unknown(asked: Iterable[str], known: Iterable[str], where: str) -> None:
    """Raise unless every name that an author wrote is known; `where` it was asked for is "READING" or "run_metrics"."""
    there = sorted(known)
    for name in asked:
        if name not in there:
            near = difflib.get_close_matches(name, there, 3, 0.5) or there
            raise InputError(f"{where}: expected a name that the figure has, such as {', '.join(near)}, got {name!r}")


def check_name(argument: str, name: str) -> None:
    """Raise `InputError` unless the name can be that of an element in a page and a part of its address."""
    plain = re.fullmatch(r"[a-z][a-z0-9_]*(-[a-z0-9]+)*", name)
    require(plain, argument, "lower case, digits, dashes, underscores", repr(name))
