"""The page's side of the tests: translated code without a browser, numbers exchanged to the last bit."""

from __future__ import annotations

import json
import math
import struct
import sys
from types import ModuleType

from lib.portable.engine import Engine
from lib.portable.translation import Module, javascript, program

SHOW = """
const $show = (value) => JSON.stringify(value, (key, v) =>
  typeof v === "number" ? (Object.is(v, -0) ? "n-0" : "n" + String(v)) : ArrayBuffer.isView(v) ? Array.from(v) : v);
"""


class Page:
    """A page that has run the script; `page.call(module, function, ...)` and `page.run(code)` give Python values."""

    def __init__(self, script: str) -> None:
        self.context = Engine(script + SHOW)

    def run(self, code: str) -> object:
        shown = self.context.eval(f"$show({code})")
        return None if shown is None else numbers_shown(shown)

    def do(self, code: str) -> None:
        self.context.eval(code)

    def call(self, module: str, function: str, *arguments: object) -> object:
        return self.run(f'portable["{module}"].{function}({", ".join(map(literal, arguments))})')


def page_of(*modules, checked: bool = False) -> Page:
    return Page(javascript(*modules, checked=checked))


def page_from(source: str, checked: bool = False, name: str = "written.here") -> Page:
    known: dict[str, Module] = {}
    known[name] = Module(name, source, "here.py", known, checked)
    return Page(program(known, checked))


def python_of(source: str) -> ModuleType:
    """The same source as a module of CPython."""
    module = ModuleType("written_here")
    sys.modules["written_here"] = module  # dataclasses look their module up
    exec(compile(source, "here.py", "exec", dont_inherit=True), module.__dict__)
    return module


def literal(value: object) -> str:
    """A number, a list of numbers or a record of settings, as JavaScript."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return "NaN" if value != value else f"{'-' if value < 0 else ''}Infinity" if math.isinf(value) else repr(value)
    if hasattr(value, "_asdict"):
        return "{" + ", ".join(f"{name}: {literal(x)}" for name, x in value._asdict().items()) + "}"
    if value and isinstance(value[0], list):
        return "[" + ", ".join(map(literal, value)) + "]"
    kind = "Int32Array" if all(isinstance(x, int) for x in value) else "Float64Array"
    return f"{kind}.of({', '.join(map(literal, value))})"


def numbers_shown(text: str) -> object:
    """What `$show` wrote."""
    return _numbers(json.loads(text))


def _numbers(value: object) -> object:
    if isinstance(value, str):
        return float(value[1:])
    if isinstance(value, list):
        return [_numbers(x) for x in value]
    if isinstance(value, dict):
        return {name: _numbers(x) for name, x in value.items()}
    return value


def bits(value: object) -> object:
    """A value with its numbers as bytes: equal only if every bit is, the sign of a zero included; one NaN for all."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, (int, float)):
        return "nan" if value != value else struct.pack("<d", value)
    if isinstance(value, dict):
        return {name: bits(x) for name, x in value.items()}
    return [bits(x) for x in value]
