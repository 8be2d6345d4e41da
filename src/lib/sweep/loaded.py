"""Whether what Python has loaded is what the files say: a module that was edited since is refused.

Used by the keys of the cache: a key names both, so both must be the same.
"""

import ast
import importlib.machinery
import sys
import types
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from lib.errors import InputError
from lib.sweep.parts import compiled

__all__ = ["memos", "require_current"]

_EMPTY = {"Counter", "OrderedDict", "defaultdict", "dict", "list", "set", "WeakKeyDictionary", "WeakValueDictionary"}
_first_seen: dict[str, tuple[Any, str]] = {}  # module -> its spec, new with every loading, and what its file said


class _Said(NamedTuple):
    """What a file says, compiled as Python would now."""

    whole: str
    functions: frozenset[tuple[str, str]]  # qualified name and hash of the code
    memos: frozenset[str]  # names of the module that begin as an empty container


def require_current(functions: Iterable[types.FunctionType], files: Mapping[str, Path]) -> None:
    """Refuse if a function in memory is not in its module's file, or a file changed while its module stayed loaded.

    Args:
        functions: all that a run leads to.
        files: module -> file, of all that it imports.

    Raises:
        InputError: naming the module, its file and what to do.
    """
    for function in functions:
        space = function.__globals__
        said = _said_by(space)
        named = (function.__code__.co_qualname, compiled(function.__code__))
        if said is not None and function.__code__.co_filename == space["__file__"] and named not in said.functions:
            raise _refusal(space["__name__"], space["__file__"], f"`{function.__qualname__}`")
    for name in files:
        module = sys.modules.get(name)
        said = _said_by(vars(module)) if module is not None else None
        if module is None or said is None:
            continue
        spec, whole = _first_seen.setdefault(name, (module.__spec__, said.whole))
        if spec is not module.__spec__:
            _first_seen[name] = module.__spec__, said.whole
        elif whole != said.whole:
            raise _refusal(name, str(files[name]), "a line")


def memos(space: Mapping[str, Any]) -> frozenset[str]:
    """Globals of a module that its file begins as empty containers: a run fills them, and they say nothing of it."""
    said = _said_by(space)
    return frozenset() if said is None else said.memos


def _said_by(space: Mapping[str, Any]) -> _Said | None:
    """What the file of a module says; None for notebooks, and where a loader of another kind changes the code."""
    loader = getattr(space.get("__spec__"), "loader", None)
    if type(loader) is not importlib.machinery.SourceFileLoader or "__file__" not in space:
        return None
    try:
        return _said(Path(space["__file__"]).read_bytes(), space["__file__"])
    except (OSError, SyntaxError, ValueError):
        return _Said("", frozenset(), frozenset())  # gone, or no Python any more: nothing loaded is in it


@lru_cache(maxsize=4096)
def _said(content: bytes, name: str) -> _Said:
    tree = ast.parse(content)
    begun = [
        (node.targets[0] if isinstance(node, ast.Assign) else node.target, node.value)
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
    ]
    code = compile(tree, name, "exec", dont_inherit=True)
    return _Said(
        compiled(code),
        frozenset(_functions(code)),
        frozenset(target.id for target, value in begun if isinstance(target, ast.Name) and _is_empty(value)),
    )


def _functions(code: types.CodeType) -> Iterable[tuple[str, str]]:
    for value in code.co_consts:
        if isinstance(value, types.CodeType):
            yield value.co_qualname, compiled(value)
            yield from _functions(value)


def _is_empty(value: ast.expr | None) -> bool:
    if isinstance(value, ast.Call):
        name = getattr(value.func, "attr", getattr(value.func, "id", None))
        return name in _EMPTY and not [one for one in value.args if not isinstance(one, ast.Name)]
    return isinstance(value, ast.List | ast.Dict) and not getattr(value, "elts", getattr(value, "keys", None))


def _refusal(name: str, file: str, what: str) -> InputError:
    return InputError(
        f"run: expected modules as their files say, got {name}, loaded before {what} of {file} changed: restart the "
        f"kernel, or importlib.reload({name}) and then every module that imports from it"
    )
