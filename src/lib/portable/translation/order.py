"""The order of a module: Python runs it from above, in the page its functions are there from the start."""

import ast
from collections.abc import Sequence

from lib.portable.translation.refusal import Place


def refuse_early(body: Sequence[ast.stmt], constants: Sequence[ast.stmt], place: Place) -> None:
    """Refuse a constant that needs what is defined below it, also through the functions that it calls.

    Args:
        body: the lines of a module.
        constants: those of them that compute something.
        place: the file, to refuse its lines with.
    """
    where = {name: i for i, node in enumerate(body) for name in _defined(node)}
    for constant in constants:
        at, seen = body.index(constant), set[str]()
        waiting = _used(constant)
        while waiting:
            name = waiting.pop(0)
            if name in seen or name not in where:
                continue
            seen.add(name)
            if where[name] > at:
                place.refuse(constant, f"{name} is defined below, so Python has none yet", f"move it below {name}")
            waiting += _used(body[where[name]])


def _defined(node: ast.stmt) -> list[str]:
    """The names that a line of a module defines."""
    if isinstance(node, ast.ImportFrom):
        return [alias.asname or alias.name for alias in node.names]
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [target.id for target in targets if isinstance(target, ast.Name)]


def _used(node: ast.stmt) -> list[str]:
    """The names of the module that are looked up when a line runs, sorted: of a function, when it is called."""
    if isinstance(node, ast.ClassDef):
        return []
    lines = node.body if isinstance(node, ast.FunctionDef) else [node.value] if hasattr(node, "value") else []
    names = [part for line in lines if line for part in ast.walk(line) if isinstance(part, ast.Name)]
    own = {part.id for part in names if isinstance(part.ctx, ast.Store)}
    if isinstance(node, ast.FunctionDef):
        own |= {arg.arg for arg in node.args.args}
    return sorted({part.id for part in names} - own)
