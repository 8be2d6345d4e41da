"""Where a control enters: the lines of the textbook that read the settings which it moves, found in both texts."""

import ast
import inspect
import textwrap
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple


class Use(NamedTuple):
    """One line of a textbook that reads a setting.

    Attributes:
        file: name of the textbook's file.
        function: in which it stands.
        line: its number.
        field: the setting that it reads.
    """

    file: str
    function: str
    line: int
    field: str


def fields_of(settings: Callable[..., Any], control: str) -> set[str]:
    """The settings of a run that a figure's function `settings` makes of a control: by name, or as part of a term.

    Args:
        settings: portable function that returns settings of the run by name or in order.
        control: one of its parameters.
    """
    tree = ast.parse(textwrap.dedent(inspect.getsource(settings)))
    order = list(getattr(inspect.get_annotations(settings, eval_str=True).get("return"), "_fields", ()))
    from_it = {control}
    for node in ast.walk(tree):  # what is computed of it on the way, in the order of the text
        if isinstance(node, ast.Assign) and _names(node.value) & from_it:
            from_it |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Call):
            given = [*zip(order, node.value.args, strict=False)]
            given += [(one.arg, one.value) for one in node.value.keywords if one.arg]
            found |= {field for field, value in given if _names(value) & from_it}
    return found


def _names(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


@cache
def uses(textbook: ModuleType) -> tuple[Use, ...]:
    """Every line of a textbook that reads a setting, as `settings.T` or `state.settings.T`, in its order."""
    path = Path(inspect.getsourcefile(textbook) or "")
    found = []
    for function in ast.parse(path.read_text(encoding="utf-8")).body:
        if not isinstance(function, ast.FunctionDef):
            continue
        for node in ast.walk(function):
            if isinstance(node, ast.Attribute) and _is_settings(node.value):
                found.append(Use(path.name, function.name, node.lineno, node.attr))
    return tuple(sorted(set(found), key=lambda use: use.line))


def _is_settings(node: ast.AST) -> bool:
    return (isinstance(node, ast.Name) and node.id == "settings") or (
        isinstance(node, ast.Attribute) and node.attr == "settings"
    )


MOST = 4  # functions that a help names


def help_of(textbook: ModuleType | None, settings: Callable[..., Any], control: str) -> str:
    """What a control's help says: where the textbook reads it, each function with its first line; "" where it does not.

    Args:
        textbook: what trains.
        settings: the figure's function of its sliders' values.
        control: the control's name.
    """
    if textbook is None:
        return ""
    fields = fields_of(settings, control)
    first: dict[str, Use] = {}
    for use in uses(textbook):
        if use.field in fields:
            first.setdefault(use.function, use)
    if not first:
        return ""
    named = [f"{use.function}, line {use.line}" for use in first.values()]
    more = f" and {len(named) - MOST} more" if len(named) > MOST else ""
    return f"In {next(iter(first.values())).file}: {'; '.join(named[:MOST])}{more}"
