"""The parts that say what a value is: elements of a list, fields of a record, methods of a class, and compiled code.

Used by the keys of the cache. Of code these are the names that it looks up, the modules that it imports, and what it
does; line numbers, file names and comments are not in it.
"""

import dis
import functools
import hashlib
import types
from collections.abc import Iterator
from dataclasses import MISSING, is_dataclass
from enum import Enum
from typing import Any, NamedTuple

import numpy as np

__all__ = ["Uses", "compiled", "parts", "uses"]

Parts = list[tuple[str, Any]]


class _OneField(NamedTuple):
    field: int


# What Python puts into a class by itself, and what dataclass and NamedTuple write from the fields.
_OF_PYTHON = {
    *("__module__", "__dict__", "__weakref__", "__doc__", "__annotations__", "__qualname__", "__orig_bases__"),
    *("__static_attributes__", "__firstlineno__", "__parameters__", "__abstractmethods__", "_abc_impl", "__slots__"),
    *("__dataclass_fields__", "__dataclass_params__", "__match_args__", "__annotations_cache__", "__annotate_func__"),
    *("__classdictcell__", "__annotate__", "__getstate__", "__setstate__"),
}
_OF_NAMEDTUPLE = {"__new__", "_make", "_replace", "__replace__", "__repr__", "_asdict", "__getnewargs__"}
_DESCRIPTORS = (types.MemberDescriptorType, types.GetSetDescriptorType, type(_OneField.field))
_BUILT_IN = (types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType)


def parts(value: Any) -> Parts | None:
    """The parts of a value, each with its name; None if they would not say what it is.

    Lists, tuples, dicts, slices, named tuples, frozen dataclasses, members of an Enum, classes, bound methods,
    `functools.partial`, properties and what wraps a function have parts; any other object may hold anything.
    """
    kind = type(value)
    if kind in (list, tuple):
        return [(str(i), element) for i, element in enumerate(value)]
    if kind is dict:
        return [(f"key {i}", key) for i, key in enumerate(value)] + [(repr(key), v) for key, v in value.items()]
    if isinstance(value, type):
        return list(_of_class(value))
    if isinstance(value, Enum):
        return [(kind.__qualname__, kind), ("name", value.name)]
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return [(kind.__qualname__, kind), *zip(value._fields, value, strict=True)]
    if is_dataclass(value) and kind.__dataclass_params__.frozen:
        return [(kind.__qualname__, kind), *((name, getattr(value, name)) for name in kind.__dataclass_fields__)]
    if isinstance(value, _BUILT_IN):
        return _of_built_in(value)
    if isinstance(value, np.ufunc | np.dtype):
        return [("repr", repr(value))]
    for names in _ATTRIBUTES.get(kind, ()), ("__wrapped__",):
        if names and all(hasattr(value, name) for name in names):
            return [(name, getattr(value, name)) for name in names]
    return None


_ATTRIBUTES: dict[type, tuple[str, ...]] = {
    slice: ("start", "stop", "step"),
    types.MethodType: ("__func__", "__self__"),
    functools.partial: ("func", "args", "keywords"),
    functools.cached_property: ("func",),
    staticmethod: ("__func__",),
    classmethod: ("__func__",),
    property: ("fget", "fset", "fdel"),
}


def _of_built_in(function: Any) -> Parts:
    """A function of Python itself by name, a method of a value with the value."""
    owner = getattr(function, "__self__", None)
    name = ("name", f"{getattr(function, '__module__', None)}.{function.__qualname__}")
    return [name] if owner is None or isinstance(owner, types.ModuleType | type) else [name, ("__self__", owner)]


def _of_class(cls: type) -> Iterator[tuple[str, Any]]:
    """Bases, fields and everything written in the body of a class."""
    yield from ((base.__qualname__, base) for base in cls.__bases__)
    generated = _OF_NAMEDTUPLE if issubclass(cls, tuple) and hasattr(cls, "_fields") else set()
    if "__dataclass_fields__" in vars(cls):
        yield "params", repr(vars(cls)["__dataclass_params__"])
        for name, field in vars(cls)["__dataclass_fields__"].items():
            yield name, (name, *(_given(value) for value in (field.default, field.default_factory)))
    for name, value in vars(cls).items():
        if name in _OF_PYTHON | generated or isinstance(value, _DESCRIPTORS) or _was_generated(value):
            continue
        yield name, value


def _given(value: Any) -> Any:
    return "none" if value is MISSING else value


def _was_generated(value: Any) -> bool:
    """Whether a method was written by `dataclass` and not by a person."""
    code = getattr(getattr(value, "__wrapped__", value), "__code__", None)
    return code is not None and code.co_qualname.startswith("__create_fn__")


_LOOKUPS = {"LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS"}
_FIELDS = (
    *("co_argcount", "co_posonlyargcount", "co_kwonlyargcount", "co_flags"),
    *("co_names", "co_varnames", "co_freevars", "co_cellvars"),
)


class Uses(NamedTuple):
    """What code refers to, the functions written inside it included."""

    names: list[str]  # looked up among globals and builtins, sorted
    attributes: set[str]  # every other name that stands in it, attributes among them
    imports: list[tuple[str, int, tuple[str, ...]]]  # module, level of a relative import, names taken from it


@functools.cache
def uses(code: types.CodeType) -> Uses:
    """What a code object, and those among its constants, refer to."""
    found = Uses([], set(), [])
    names: set[str] = set()
    for part in _nested(code):
        steps = list(dis.get_instructions(part))
        names.update(step.argval for step in steps if step.opname in _LOOKUPS)
        found.attributes.update(part.co_names)
        for i, step in enumerate(steps):
            if step.opname == "IMPORT_NAME":  # two constants before it: the level, and the names
                level, taken = steps[i - 2].argval, steps[i - 1].argval
                found.imports.append((step.argval, level, taken or ()))
    return found._replace(names=sorted(names))


@functools.cache
def compiled(code: types.CodeType) -> str:
    """A hash of what a code object does: bytecode, names and constants; code that a loader changed has another one."""
    handlers = getattr(code, "co_exceptiontable", b"")
    constants = [_constant(value) for value in code.co_consts]
    fields = [repr(getattr(code, field)) for field in _FIELDS]
    return hashlib.sha256(repr((code.co_code, handlers, fields, constants)).encode()).hexdigest()


def _constant(value: Any) -> Any:
    """A constant of compiled code as text; the elements of a set have no order."""
    if isinstance(value, types.CodeType):
        return compiled(value)
    if isinstance(value, tuple):
        return [_constant(element) for element in value]
    if isinstance(value, frozenset):
        return sorted(repr(_constant(element)) for element in value)
    return type(value).__name__, repr(value)


def _nested(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for value in code.co_consts:
        if isinstance(value, types.CodeType):
            yield from _nested(value)
