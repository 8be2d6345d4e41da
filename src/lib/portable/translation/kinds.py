"""What a value of portable code can be: numbers, whole numbers, arrays of them, records, tuples, functions.

The translator knows the kind of every expression. That a number is whole is known before anything runs; so are the
places where Python and the page could differ (a zero's sign, a comparison of lists, a fraction as an index).
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, eq=False)
class Record:
    """A class with annotated fields: a `dataclass`, or a NamedTuple, whose fields stay as they were made."""

    name: str
    fields: dict[str, Kind]
    frozen: bool


@dataclass(frozen=True)
class Signature:
    """The kinds of a function's parameters and of its result."""

    parameters: tuple[Kind, ...]
    result: Kind


#: A plain kind by its name ("~P" is a type variable: anything), a record, a function, or a tuple of kinds.
Kind: TypeAlias = "str | Record | Signature | tuple[Kind, ...]"

SIMPLE = {name: name for name in ("float", "int", "bool", "Vector", "Wholes", "Matrix", "Table", "Readings")}
ELEMENT = {"Vector": "float", "Wholes": "int", "Matrix": "Vector", "Table": "Wholes"}
NUMBERS = ("float", "int")


def fits(wanted: Kind, got: Kind) -> bool:
    """Whether a value of kind `got` may stand where `wanted` is asked for. A whole number is no float: say float(n)."""
    if isinstance(wanted, str) and wanted.startswith("~"):
        return True
    if isinstance(wanted, Signature) and isinstance(got, Signature):
        pairs = zip((*wanted.parameters, wanted.result), (*got.parameters, got.result), strict=False)
        return len(wanted.parameters) == len(got.parameters) and all(fits(*pair) for pair in pairs)
    return wanted == got


def words(kind: Kind) -> str:
    """A kind as a reader of the error would say it."""
    if isinstance(kind, tuple):
        return f"a tuple ({', '.join(map(words, kind))})"
    if isinstance(kind, Record):
        return f"a record {kind.name}"
    if isinstance(kind, Signature):
        return "a function"
    plain = {
        "float": "a number (float)",
        "int": "a whole number (int)",
        "bool": "a condition (bool)",
        "None": "nothing",
    }
    return plain.get(kind, f"a {kind}")


def read_annotation(node: ast.expr | None, known: dict[str, Kind]) -> Kind | None:
    """The kind that an annotation names, or None if it names none.

    Args:
        node: the annotation.
        known: aliases, records and type variables of the module.
    """
    match node:
        case ast.Constant(value=None):
            return "None"
        case ast.Name(id=name):
            return known.get(name, SIMPLE.get(name))
        case ast.Subscript(value=ast.Name(id="tuple"), slice=ast.Tuple(elts=parts)):
            kinds = [read_annotation(part, known) for part in parts]
            return None if None in kinds else tuple(kind for kind in kinds if kind is not None)
        case ast.Subscript(value=ast.Name(id="Callable"), slice=ast.Tuple(elts=[ast.List(elts=parts), result])):
            kinds = [read_annotation(part, known) for part in (*parts, result)]
            given = tuple(kind for kind in kinds if kind is not None)
            return Signature(given[:-1], given[-1]) if len(given) == len(kinds) else None
        case ast.Subscript(value=ast.Name(id=name)):  # a generic alias, Slope[P]
            alias = known.get(name)
            return alias if isinstance(alias, Signature) else None
    return None
