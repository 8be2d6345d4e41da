"""The functions that portable code may call without defining them, and the JavaScript that stands for each."""

import re
from typing import NamedTuple, Protocol

from lib.portable.translation.kinds import Kind
from lib.portable.translation.refusal import Place


class Primitive(NamedTuple):
    """A function known by name: one way to call it for each list of kinds, and a template for the page."""

    ways: tuple[tuple[tuple[Kind, ...], Kind], ...]  #: (kinds of the arguments, kind of the result)
    code: str  #: JavaScript with {0}, {1} for the arguments
    checked: str = ""  #: the same where everything is checked; `code` if empty


class Names(Protocol):
    """What a module knows by name: see `lib.portable.translation.modules.Module`."""

    place: Place
    kinds: dict[str, Kind]  #: aliases, records, type variables
    values: dict[str, tuple[str, Kind]]  #: constants and functions: JavaScript, kind
    primitives: dict[str, Primitive]


def _one(arguments: str, result: str, code: str, checked: str = "") -> Primitive:
    return Primitive(((tuple(arguments.split()), result),), code, checked)


def _same(arguments: int, code: str) -> Primitive:
    return Primitive(tuple(((kind,) * arguments, kind) for kind in ("float", "int")), code)


#: What Python brings along.
BUILTINS: dict[str, Primitive] = {
    "abs": _same(1, "Math.abs({0})"),
    "min": _same(2, "$min({0}, {1})"),
    "max": _same(2, "$max({0}, {1})"),
    "float": Primitive(((("int",), "float"), (("float",), "float")), "{0}"),
    "len": Primitive(tuple(((kind,), "int") for kind in ("Vector", "Wholes", "Matrix", "Table")), "{0}.length"),
}

#: What `lib.portable.primitives` defines. + 0 turns the page's -0 into the 0 of a whole number.
PRIMITIVES: dict[str, Primitive] = {
    "zeros": _one("int", "Vector", "new Float64Array({0})"),
    "whole_zeros": _one("int", "Wholes", "new Int32Array({0})"),
    "zero_matrix": _one("int int", "Matrix", "$rows({0}, {1}, Float64Array)"),
    "whole_table": _one("int int", "Table", "$rows({0}, {1}, Int32Array)"),
    "copy": Primitive(((("Vector",), "Vector"), (("Wholes",), "Wholes")), "{0}.slice()"),
    "first": _one("Vector int", "Vector", "{0}.slice(0, {1})"),
    "floor": _one("float", "int", "(Math.floor({0}) + 0)", "$whole(Math.floor({0}) + 0)"),
    "sqrt": _one("float", "float", "Math.sqrt({0})"),
    "single": _one("float", "float", "Math.fround({0})"),
    "divide": _one("float float", "float", "({0} / {1})"),
    "remainder": _one("int int", "int", "({0} % {1})", "$remainder({0}, {1})"),
}
CONSTANTS: dict[str, tuple[str, Kind]] = {"inf": ("Infinity", "float"), "nan": ("NaN", "float")}

PRELUDE = """\
const $min = (a, b) => (b < a ? b : a);
const $max = (a, b) => (b > a ? b : a);
const $rows = (rows, columns, Kind) => Array.from({length: rows}, () => new Kind(columns));
const $require = (condition, argument, expected, got) => {
  if (condition) return;
  const error = new Error(`${argument}: expected ${expected}, got ${got}`);
  error.name = "InputError";
  throw error;
};
"""

#: The checked form throws where Python would, and where a list would take what a typed array cannot.
CHECKED = """\
const $fail = (what) => { throw new Error(what); };
const $whole = (n) => (Number.isSafeInteger(n) ? n : $fail(`${n} is no whole number below 2**53`));
const $nonzero = (x) => (x === 0 ? $fail("division by zero") : x);
const $index = (values, i) =>
  Number.isInteger(i) && i >= 0 && i < values.length ? i : $fail(`index ${i} of ${values.length}`);
const $fit = (values, x) => (values instanceof Int32Array && x !== (x | 0) ? $fail(`${x} in a whole table`) : x);
const $remainder = (a, b) => (a >= 0 && b >= 1 ? a % b : $fail(`remainder(${a}, ${b})`));
"""


def helpers(script: str) -> str:
    """The names that a script of helpers defines, for a list."""
    return ", ".join(re.findall(r"^const (\$\w+)", script, re.M))
