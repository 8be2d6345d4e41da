"""The parts that say what a value is: elements of a list, fields of a record, methods of a class.

Used by the keys of the cache, for what is no array, function or module.
"""

import functools
import types
from collections.abc import Iterator
from dataclasses import MISSING, is_dataclass
from enum import Enum
from typing import Any, NamedTuple

import numpy as np

__all__ = ["parts"]

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
