"""Modules: what each defines and imports, checked and translated as a whole; and the program that a page runs."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from lib.portable.translation.expressions import Expressions
from lib.portable.translation.functions import FunctionTranslator
from lib.portable.translation.kinds import SIMPLE, Kind, Record, Signature, read_annotation
from lib.portable.translation.order import refuse_early
from lib.portable.translation.refusal import Place
from lib.portable.translation.vocabulary import CHECKED, CONSTANTS, PRELUDE, PRIMITIVES, Primitive, helpers

_PRIMITIVES = "lib.portable.primitives"
NOT_IN_THE_PAGE = ("__future__", "typing", "collections.abc", "dataclasses", "lib.portable.python")
_REQUIRE = Primitive((), "")
PRELUDE_NAMES, CHECKED_NAMES = helpers(PRELUDE), helpers(PRELUDE + CHECKED)


class Module:
    """One module, checked and translated.

    Args:
        name: its full name, lib.portable.numbers.
        source: its text.
        file: how messages call it.
        known: modules translated already, by name; those that this one imports are added before it.
        checked: throw where an index is outside, a whole number is none, or a divisor is zero.
        exported: of a reader's run: what the page asks it for -> the function that it stands for, an imported one
            perhaps. Where the checked form throws in another module, it says which line of this one called.
        before: lines that stand before the text's first.

    Attributes:
        javascript: a JavaScript function, as text: called with all modules before it, by name, it gives this one.

    Raises:
        OutsideSubset: at the first line that is not portable.
    """

    def __init__(
        self,
        name: str,
        source: str,
        file: str,
        known: dict[str, Module],
        checked: bool = False,
        exported: Mapping[str, str] | None = None,
        before: str = "",
    ) -> None:
        self.name, self.place, self.known, self.checked = name, Place(file), known, checked
        self.source = source
        self.kinds: dict[str, Kind] = {}
        self.values: dict[str, tuple[str, Kind]] = {}
        self.primitives: dict[str, Primitive] = {}
        self.whole_numbers: dict[str, int] = {}
        self.watched: set[str] = set()
        self.own: list[str] = []
        self.offered: list[str] = []  # names of `__all__`
        body = ast.parse(before).body + ast.parse(source, file).body
        lines: list[str] = []
        functions, constants = [], []
        # imports first, wherever they stand: records use the kinds that they bring
        for node in sorted(body, key=lambda node: not isinstance(node, ast.ImportFrom)):
            if isinstance(node, ast.ImportFrom):
                lines += self._import(node)
            elif isinstance(node, ast.ClassDef):
                self._record(node)
            elif isinstance(node, ast.FunctionDef):
                if not any(isinstance(mark, ast.Name) and mark.id == "python_only" for mark in node.decorator_list):
                    functions.append(node)
            elif isinstance(node, (ast.Assign, ast.AnnAssign)):
                if not self._alias(node):
                    constants.append(node)
            elif not _is_text(node):
                self.place.unknown(node)
        signatures = [self._signature(node) for node in functions]
        refuse_early(body, constants, self.place)
        lines += [self._constant(node) for node in constants]
        if checked and exported:
            self.watched = set(self.values) - set(self.own)
        for function, signature in zip(functions, signatures, strict=True):
            lines.append(FunctionTranslator(self, function, signature, checked).translate())
        self.own += [name for name in self.offered if name in self.values and name not in self.own]  # passed on
        names = CHECKED_NAMES if checked else PRELUDE_NAMES
        shown = {name: name for name in self.own} | dict(exported or {})
        if self.watched:
            lines.insert(0, "const $place = { at: null };")
            mine = {name: own for name, own in (exported or {}).items() if own in self.own}
            shown |= {name: f"$told({own}, {json.dumps(file)}, $place)" for name, own in mine.items()}
        given = ", ".join(name if name == own else f"{name}: {own}" for name, own in shown.items())
        self.javascript = _factory([f"const {{{names}}} = portable.$;", *lines, f"return {{{given}}};"])

    def _import(self, node: ast.ImportFrom) -> list[str]:
        source = node.module or ""
        if node.level:
            self.place.refuse(node, "a relative import", "write the whole name: from lib.portable.numbers import exp")
        if source in NOT_IN_THE_PAGE:
            return []
        taken = []
        for alias in node.names:
            if alias.asname and source in (_PRIMITIVES, "lib.errors"):
                self.place.refuse(node, f"{alias.name} under another name is not portable", "use the name itself")
            if source == "lib.errors" and alias.name == "require":
                self.primitives["require"] = _REQUIRE
            elif source == _PRIMITIVES and alias.name in PRIMITIVES:
                self.primitives[alias.name] = PRIMITIVES[alias.name]
            elif source == _PRIMITIVES and alias.name in CONSTANTS:
                self.values[alias.name] = CONSTANTS[alias.name]
            elif source in (_PRIMITIVES, "lib.errors"):
                self._ignored(node, source, alias.name)
            else:
                taken += self._take(node, source, alias.name, alias.asname or alias.name)
        return [f'const {{{", ".join(taken)}}} = portable["{source}"];'] if taken else []

    def _ignored(self, node: ast.ImportFrom, source: str, name: str) -> None:
        """A name that the page does not need; what it has not got is refused."""
        if source != _PRIMITIVES or name not in SIMPLE:
            has = ", ".join(PRIMITIVES) if source == _PRIMITIVES else "require"
            self.place.refuse(node, f"{source} has no portable {name}", f"it has {has}")

    def _take(self, node: ast.ImportFrom, source: str, name: str, here: str) -> list[str]:
        """A name of another portable module, called `here`; what the page has to fetch from there."""
        if source not in self.known:
            if not source.startswith(("lib.", "hal.")):
                self.place.refuse(node, f"{source} is not portable", "write what you need of it in portable Python")
            try:
                load(source, self.known, self.checked)
            except ModuleNotFoundError:
                remedy = "import from lib.portable or from this chapter's own modules"
                self.place.refuse(node, f"no module {source} is at hand", remedy)
        other = self.known[source]
        if name in other.kinds:
            self.kinds[self.place.name(node, here)] = other.kinds[name]
            return []
        if name not in other.own:
            self.place.refuse(node, f"{source} has no portable {name}", f"it has {', '.join(other.own)}")
        self.values[self.place.name(node, here)] = here, other.values[name][1]
        if name in other.whole_numbers:
            self.whole_numbers[here] = other.whole_numbers[name]
        return [name if here == name else f"{name}: {here}"]

    def _kind(self, node: ast.AST, annotation: ast.expr | None, what: str) -> Kind:
        kind = read_annotation(annotation, self.kinds)
        if kind is None:
            said = (ast.get_source_segment(self.source, annotation) or "") if annotation else "nothing"
            remedy = "write float, int, bool, Vector, Wholes, Matrix, Table, Readings, a record or None"
            self.place.refuse(node, f"{what} needs a kind that the page has, here it has {said}", remedy)
        return kind

    def _signature(self, node: ast.FunctionDef) -> Signature:
        given = node.args
        if node.decorator_list:
            self.place.refuse(node, "decorators are not portable", "use python_only, or none")
        if given.posonlyargs or given.kwonlyargs or given.vararg or given.kwarg or given.defaults:
            remedy = "name every parameter, without a default; or mark the function python_only"
            self.place.refuse(node, "defaults and starred parameters are not portable", remedy)
        names = [arg.arg for arg in given.args]
        for i, arg in enumerate(given.args):
            if arg.arg in names[:i]:  # Python says so when it compiles, the page never does
                self.place.refuse(arg, f"the parameter {arg.arg} stands twice", "choose another name")
        kinds = tuple(self._kind(arg, arg.annotation, f"parameter {arg.arg}") for arg in given.args)
        signature = Signature(kinds, self._kind(node, node.returns, "the result"))
        self._define(node, node.name, signature)
        return signature

    def _define(self, node: ast.AST, name: str, kind: Kind) -> None:
        if name in self.values or name in self.kinds or name in self.primitives:
            self.place.refuse(node, f"{name} is defined twice", "choose another name")
        self.values[self.place.name(node, name)] = name, kind
        self.own.append(name)

    def _record(self, node: ast.ClassDef) -> None:
        marks = [ast.unparse(part) for part in (*node.decorator_list, *node.bases)]
        if marks not in (["dataclass"], ["NamedTuple"]) or node.keywords:
            self.place.refuse(node, "classes are not portable", "use @dataclass or NamedTuple, with fields alone")
        fields: dict[str, Kind] = {}
        for line in node.body:
            if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
                name = self.place.name(line, line.target.id)
                fields[name] = self._kind(line, line.annotation, f"the field {name}")
            elif not _is_text(line):
                self.place.refuse(line, "a record has fields alone", "write a function of the module")
        self.kinds[self.place.name(node, node.name)] = Record(node.name, fields, marks == ["NamedTuple"])

    def _alias(self, node: ast.Assign | ast.AnnAssign) -> bool:
        """Take in a type variable or the name of a kind; False if the line is something else."""
        match node:
            case ast.Assign(targets=[ast.Name(id="__all__")], value=ast.List(elts=names)):
                self.offered = [str(name.value) for name in names if isinstance(name, ast.Constant)]
                return True
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id="TypeVar"))):
                self.kinds[name] = f"~{name}"
                return True
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Subscript() as value):
                kind = read_annotation(value, self.kinds)
                if kind is not None:
                    self.kinds[name] = kind
                return kind is not None
        return False

    def _constant(self, node: ast.Assign | ast.AnnAssign) -> str:
        target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
        if not isinstance(target, ast.Name) or node.value is None:
            self.place.refuse(node, "a module defines names", "assign to one name")
        made = Expressions(self, self.checked)
        code, kind = made.expression(node.value)
        self._define(node, target.id, kind)
        known = made.known_whole(node.value)
        if known is not None:
            self.whole_numbers[target.id] = known
        return f"const {target.id} = {code};"


def load(name: str, known: dict[str, Module], checked: bool = False) -> Module:
    """Translate the module of this name, and before it those that it imports; `known` gets them all.

    Raises:
        OutsideSubset: at the first line that is not portable.
    """
    if name not in known:
        spec = find_spec(name)
        if spec is None or spec.origin is None:
            raise ModuleNotFoundError(f"no module named {name!r}", name=name)
        path = Path(spec.origin)
        made = Module(name, path.read_text(encoding="utf-8"), f"{name.replace('.', '/')}.py", known, checked)
        known[name] = made
    return known[name]


def check(module: ModuleType) -> None:
    """Refuse a module that is not portable.

    Raises:
        OutsideSubset: with file, line, reason and remedy.
    """
    load(module.__name__, {})


def javascript(*modules: ModuleType, checked: bool = False) -> str:
    """One script for the page, `const portable = {"lib.portable.numbers": {exp, log, ...}, ...};`.

    Args:
        modules: portable modules; what they import comes with them.
        checked: throw where an index is outside, a whole number is none, or a divisor is zero; for tests.

    Raises:
        OutsideSubset: if one is not portable.
    """
    known: dict[str, Module] = {}
    for module in modules:
        load(module.__name__, known, checked)
    return program(known, checked)


def program(known: dict[str, Module], checked: bool = False) -> str:
    """The script of `javascript` for modules that are translated already, in their order."""
    lines = [f'portable["{name}"] = ({text})(portable);' for name, text in parts(known, checked).items()]
    return "\n".join(["const portable = {};", *lines, ""])


def parts(known: dict[str, Module], checked: bool = False) -> dict[str, str]:
    """The modules of a program, each for itself, so that several programs can share them.

    Args:
        known: modules that are translated already, each after those that it imports.
        checked: as they were translated.

    Returns:
        name -> a JavaScript function, as text, of all modules before it; "$" is what every module calls.
    """
    prelude = (PRELUDE + CHECKED, CHECKED_NAMES) if checked else (PRELUDE, PRELUDE_NAMES)
    return {"$": _factory([prelude[0], f"return {{{prelude[1]}}};"])} | {n: m.javascript for n, m in known.items()}


def _factory(body: list[str]) -> str:
    return "\n".join(["function (portable) {", '"use strict";', *body, "}"])


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
