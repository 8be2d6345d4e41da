"""The ways in which a formula is broken: each finds places in a syntax tree and says what stands there instead.

An operator takes a node and gives pairs: a node to replace, it or a part of it, and its replacement. `OPERATORS` names
them. None knows anything about files.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

Change = tuple[ast.AST, ast.AST]
Operator = Callable[[ast.AST], Iterator[Change]]

ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div)
COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}
OTHER_AXIS = {-1: -2, -2: -1, 0: 1, 1: 0}
OTHER_CALL = {"minimum": "maximum", "min": "max"} | {"maximum": "minimum", "max": "min"}
OTHER_MEAN = {"mean": "sum", "sum": "mean", "std": "var"}


def sign(node: ast.AST) -> Iterator[Change]:
    """Plus for minus and minus for plus."""
    other = {ast.Add: ast.Sub, ast.Sub: ast.Add}
    if isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in other and _numbers(node):
        yield node, _like(node, op=other[type(node.op)]())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and not _whole(node):
        yield node, node.operand


def factor(node: ast.AST) -> Iterator[Change]:
    """Twice a product or a quotient; written so that whole numbers stay whole."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Div) and _numbers(node):
        called = any(isinstance(part, ast.Call) for part in ast.walk(node))  # it may draw: then not two times
        twice = (ast.Constant(2.0), ast.Mult(), node) if called else (node, ast.Add(), node)
        yield node, ast.BinOp(*twice)


def dropped_term(node: ast.AST) -> Iterator[Change]:
    """A sum or a product without one of its parts."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub | ast.Mult) and _numbers(node):
        yield node, node.left
        if not isinstance(node.op, ast.Sub):
            yield node, node.right


def swapped_axes(node: ast.AST) -> Iterator[Change]:
    """Another axis, a missing transpose, a product the wrong way round, two indices in the wrong order."""
    if isinstance(node, ast.keyword) and node.arg == "axis" and (axis := _whole(node.value)) is not None:
        if axis in OTHER_AXIS:
            yield node.value, ast.Constant(OTHER_AXIS[axis])
    elif isinstance(node, ast.Attribute) and node.attr == "T" and _is_array(node.value):
        yield node, node.value
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        yield node, ast.BinOp(node.right, ast.MatMult(), node.left)
    elif isinstance(node, ast.Call) and _called(node) == "swapaxes":
        yield node, node.args[0] if len(node.args) == 3 else node.func.value  # type: ignore[attr-defined]
    elif isinstance(node, ast.Call) and _called(node) == "einsum" and isinstance(node.args[0], ast.Constant):
        given, arrow, out = str(node.args[0].value).partition("->")
        first, *rest = given.split(",")
        if len(first.strip(".")) >= 2:
            turned = ",".join([first[:-2] + first[-1] + first[-2], *rest])
            yield node.args[0], ast.Constant(turned + arrow + out)
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple) and len(node.slice.elts) >= 2:
        *most, a, b = node.slice.elts
        if ast.dump(a) != ast.dump(b) and _plain_index(a) and _plain_index(b):
            yield node, _like(node, slice=ast.Tuple([*most, b, a], ast.Load()))
    elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Subscript):
        inner = node.value
        if _plain_index(node.slice) and _plain_index(inner.slice) and ast.dump(node.slice) != ast.dump(inner.slice):
            yield node, _like(node, value=_like(inner, slice=node.slice), slice=inner.slice)


def off_by_one(node: ast.AST) -> Iterator[Change]:
    """A range, a slice, an index or a whole number in a sum that is one further."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range":
        last = node.args[min(1, len(node.args) - 1)]
        yield last, _moved(last, -1)
        if len(node.args) > 1:
            yield node.args[0], _moved(node.args[0], 1)
    elif isinstance(node, ast.Slice):
        if node.lower is not None:
            yield node.lower, _moved(node.lower, 1)
        if node.upper is not None:
            yield node.upper, _moved(node.upper, -1)
    elif isinstance(node, ast.Subscript) and (index := _whole(node.slice)) is not None:
        yield node, _like(node, slice=ast.Constant(index + (1 if index >= 0 else -1)))
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub) and _whole(node.right) is not None:
        yield node.right, _moved(node.right, 1)


def normaliser(node: ast.AST) -> Iterator[Change]:
    """Not divided, divided by one more, a sum for a mean, a square or a root that is missing."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        yield node, node.left
        yield node, ast.BinOp(node.left, ast.Div(), ast.BinOp(node.right, ast.Add(), ast.Constant(1.0)))
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and _whole(node.right) == 2:
        yield node, node.left
    elif isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Div):
        yield node, ast.Pass()
    elif isinstance(node, ast.Call) and _called(node) in OTHER_MEAN and isinstance(node.func, ast.Attribute):
        yield node, _like(node, func=_like(node.func, attr=OTHER_MEAN[node.func.attr]))
    elif isinstance(node, ast.Call) and _called(node) == "sqrt" and len(node.args) == 1:
        yield node, node.args[0]


def comparison(node: ast.AST) -> Iterator[Change]:
    """With or without equality, the greater for the smaller, the other of two cases, "or" for "and"."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in COMPARISONS:
        yield node, _like(node, ops=[COMPARISONS[type(node.ops[0])]()])
    elif isinstance(node, ast.BoolOp):
        yield node, _like(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
    elif isinstance(node, ast.Call) and _called(node) in OTHER_CALL:
        yield node, _like(node, func=_renamed(node.func, OTHER_CALL[_called(node)]))
    elif isinstance(node, ast.Call) and _called(node) == "where" and len(node.args) == 3:
        yield node, _like(node, args=[node.args[0], node.args[2], node.args[1]])
    elif isinstance(node, ast.IfExp):
        yield node, _like(node, body=node.orelse, orelse=node.body)


OPERATORS: dict[str, Operator] = {
    "sign": sign,
    "factor of two": factor,
    "dropped term": dropped_term,
    "swapped axes": swapped_axes,
    "off by one": off_by_one,
    "wrong normaliser": normaliser,
    "comparison": comparison,
}


def _like(node: ast.AST, **changed: object) -> ast.AST:
    """A node like another, but for some of its fields."""
    return type(node)(**{**dict(ast.iter_fields(node)), **changed})


def _numbers(node: ast.BinOp | ast.AugAssign) -> bool:
    """Whether arithmetic may be one of numbers: no part of it is text, a list or a tuple."""
    parts = (node.left, node.right) if isinstance(node, ast.BinOp) else (node.target, node.value)
    kinds = (ast.JoinedStr, ast.List, ast.Tuple, ast.ListComp, ast.Dict)
    text = [part for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    made = [part for part in parts if isinstance(part, ast.Call) and _called(part) in ("tuple", "list", "str")]
    return not (text or made or any(isinstance(part, kinds) for part in parts))


def _whole(node: ast.AST) -> int | None:
    """The whole number that a node spells out, if it is one."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        found = _whole(node.operand)
        return None if found is None else -found
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None


def _moved(node: ast.expr, by: int) -> ast.expr:
    number = _whole(node)
    if number is not None:
        return ast.Constant(number + by)
    return ast.BinOp(node, ast.Add() if by > 0 else ast.Sub(), ast.Constant(1))


def _called(node: ast.Call) -> str:
    return getattr(node.func, "attr", getattr(node.func, "id", ""))


def _renamed(function: ast.expr, name: str) -> ast.AST:
    return _like(function, **({"attr": name} if isinstance(function, ast.Attribute) else {"id": name}))


def _plain_index(node: ast.AST) -> bool:
    return isinstance(node, ast.Name | ast.Slice) or (isinstance(node, ast.Constant) and node.value in (None, 0, 1))


def _is_array(node: ast.AST) -> bool:
    """Whether `.T` may be a transpose: a task's T is its context length."""
    return getattr(node, "id", getattr(node, "attr", "")) not in ("self", "task", "settings")
