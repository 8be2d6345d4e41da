"""The functions that portable code may call without defining them, and the JavaScript that stands for each."""

import re
from typing import NamedTuple, Protocol

from lib.portable.translation.kinds import Kind
from lib.portable.translation.refusal import Place


class Primitive(NamedTuple):
    """A function known by name: one way to call it for each list of kinds, and a template for the page."""

    ways: tuple[tuple[tuple[Kind, ...], Kind], ...]  #: (kinds of the arguments, kind of the result)
    code: str  #: JavaScript with {0}, {1} for the arguments
    checked: str = ""  #: the same where everything is checked, with {at} for the line in words; `code` if empty
    minus_zero: bool = False  #: whether the result is whole and still -0 where the argument is


class Names(Protocol):
    """What a module knows by name: see `lib.portable.translation.modules.Module`."""

    place: Place
    kinds: dict[str, Kind]  #: aliases, records, type variables
    values: dict[str, tuple[str, Kind]]  #: constants and functions: JavaScript, kind
    primitives: dict[str, Primitive]
    whole_numbers: dict[str, int]  #: constants whose value the text tells
    watched: set[str]  #: functions of other modules, of which a reader is told the line that called them


def _one(arguments: str, result: str, code: str, checked: str = "") -> Primitive:
    return Primitive(((tuple(arguments.split()), result),), code, checked)


def _same(arguments: int, code: str) -> Primitive:
    return Primitive(tuple(((kind,) * arguments, kind) for kind in ("float", "int")), code)


def _rows(kind: str, checked: bool = False) -> str:
    rows, columns = ("$size({0}, {at})", "$size({1}, {at})") if checked else ("{0}", "{1}")
    return f"$rows({rows}, {columns}, {kind})"


#: What Python brings along.
BUILTINS: dict[str, Primitive] = {
    "abs": _same(1, "Math.abs({0})"),
    "min": _same(2, "$min({0}, {1})"),
    "max": _same(2, "$max({0}, {1})"),
    "float": Primitive(((("int",), "float"), (("float",), "float")), "{0}"),
    "len": Primitive(tuple(((kind,), "int") for kind in ("Vector", "Wholes", "Matrix", "Table")), "{0}.length"),
}

#: What `lib.portable.primitives` defines.
PRIMITIVES: dict[str, Primitive] = {
    "zeros": _one("int", "Vector", "new Float64Array({0})", "new Float64Array($size({0}, {at}))"),
    "whole_zeros": _one("int", "Wholes", "new Int32Array({0})", "new Int32Array($size({0}, {at}))"),
    "zero_matrix": _one("int int", "Matrix", _rows("Float64Array"), _rows("Float64Array", checked=True)),
    "whole_table": _one("int int", "Table", _rows("Int32Array"), _rows("Int32Array", checked=True)),
    "copy": Primitive(((("Vector",), "Vector"), (("Wholes",), "Wholes")), "{0}.slice()"),
    "first": _one("Vector int", "Vector", "{0}.slice(0, {1})"),
    "floor": Primitive(((("float",), "int"),), "Math.floor({0})", "$whole(Math.floor({0}), {at})", minus_zero=True),
    "floored": _one("float", "float", "Math.floor({0})", "$whole(Math.floor({0}), {at})"),
    "sqrt": _one("float", "float", "Math.sqrt({0})"),
    "single": _one("float", "float", "Math.fround({0})"),
    "divide": _one("float float", "float", "({0} / {1})"),
    "remainder": _one("int int", "int", "({0} % {1})", "$remainder({0}, {1}, {at})"),
}
CONSTANTS: dict[str, tuple[str, Kind]] = {"inf": ("Infinity", "float"), "nan": ("NaN", "float")}

PRELUDE = """\
const $min = (a, b) => (b < a ? b : a);
const $max = (a, b) => (b > a ? b : a);
const $rows = (rows, columns, Kind) => {
  const made = [];
  for (let i = 0; i < rows; i += 1) made.push(new Kind(columns));
  return made;
};
const $require = (condition, argument, expected, got) => {
  if (condition) return;
  const error = new Error(`${argument}: expected ${expected}, got ${got}`);
  error.name = "InputError";
  throw error;
};
"""

#: The checked form throws where Python would, and where a list would take what a typed array cannot; `at` is the line,
#: in words. What a reader's run throws in another module is told with the line of the run that called.
CHECKED = """\
const $fail = (what, at) => { throw new Error(`${what}, ${at}`); };
const $whole = (n, at) => (Number.isSafeInteger(n) ? n : $fail(`${n} is no whole number below 2**53`, at));
const $nonzero = (x, at) => (x === 0 ? $fail("division by zero", at) : x);
const $size = (n, at) => (n >= 0 && n < 2 ** 32 ? n : $fail(`an array of ${n} places`, at));
const $index = (values, i, at) =>
  Number.isInteger(i) && i >= 0 && i < values.length ? i : $fail(`index ${i} of ${values.length}`, at);
const $fit = (values, x, at) =>
  values instanceof Int32Array && x !== (x | 0) ? $fail(`${x} in a whole table`, at) : x;
const $remainder = (a, b, at) => (a >= 0 && b >= 1 ? a % b : $fail(`remainder(${a}, ${b})`, at));
const $told = (f, file, place) => (...given) => {
  try {
    return f(...given);
  } catch (error) {
    const [, where] = error.message.match(/, line [0-9]+ of (.+)$/) ?? [, file];
    if (where !== file) error.message += `, called from ${place.at}`;
    throw error;
  }
};
"""


def helpers(script: str) -> str:
    """The names that a script of helpers defines, for a list."""
    return ", ".join(re.findall(r"^const (\$\w+)", script, re.M))
