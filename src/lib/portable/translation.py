"""Portable Python to JavaScript: the check and the translation are one thing, and refuse whatever they do not know.

The translator is written in JavaScript (`js/`), so that the page's editor has the same one. Here it runs in V8, which
starts with the first module. Whatever is not portable raises `OutsideSubset` at its first line, what is no Python
`SyntaxError`. `known` holds the modules of one program by name, each after those that it imports; `checked` is a form
that throws where an index is outside, a whole number is none, or a divisor is zero.
"""

import json
import os
import re
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from lib.errors import InputError
from lib.portable.engine import Engine
from lib.portable.primitives import numbers_at

__all__ = ["Module", "OutsideSubset", "check", "javascript", "load", "parts", "program", "script"]

_FILES = ["tree", "rules", "refusing", "kinds", "tokens", "parser", "ordinary", "expressions", "functions", "modules"]
_ONLY_HERE = re.compile(r"^import .*\n|^export (?=\w)|^ *//.*\n", re.M)


class OutsideSubset(InputError):
    """Code that is not portable.

    Attributes:
        file: the file, as the translator was given it.
        line: the line, from 1.
        reason: what is wrong with it.
        remedy: what to write instead.
    """

    def __init__(self, file: str, line: int, reason: str, remedy: str) -> None:
        super().__init__(f"{file}:{line}: {reason}; {remedy}")
        self.file, self.line, self.reason, self.remedy = file, line, reason, remedy


class Module:
    """One module, checked and translated.

    Args:
        name, source, file: its full name, lib.portable.numbers, its text, and how messages call it.
        known: modules translated already; those that this one imports are added.
        exported: of a reader's run: what the page asks it for -> the function that it stands for, an imported one
            perhaps. Where the checked form throws in another module, it says which line of this one called.
        before: lines that stand before the text's first.

    Attributes:
        javascript: a function, as text: called with all modules before it, by name, it gives this one's names, `own`.
        recorded: "file.json#key" -> numbers of a record that stand in it.
        number: the translator's own name of it.
    """

    number: int

    def __init__(
        self,
        name: str,
        source: str,
        file: str,
        known: dict[str, "Module"],
        checked: bool = False,
        exported: Mapping[str, str] | None = None,
        before: str = "",
    ) -> None:
        self.name, self.source = name, source
        given: dict[str, Any] = {"name": name, "source": source, "file": file, "checked": checked, "before": before}
        given["exported"] = exported and dict(exported)
        key = json.dumps([os.getpid(), given])
        made = _MADE.get(key)
        if made is None or not _still(made, known, checked):
            made = _MADE[key] = _built(given, known)
        self.javascript, self.own, self.number = made["javascript"], made["own"], made["number"]
        self.recorded = made["recorded"]


_MADE: dict[str, dict[str, Any]] = {}  # what was asked -> what came of it


def _still(made: dict[str, Any], known: dict[str, Module], checked: bool) -> bool:
    """Whether what a module takes in is what it was when it was made."""
    imports = all(load(name, known, checked).number == number for name, number in made["imports"].items())
    return imports and all(numbers_at(name) == numbers for name, numbers in made["recorded"].items())


def _built(given: dict[str, Any], known: dict[str, Module]) -> dict[str, Any]:
    """What the translator makes of a module, after those that it wants."""
    missing: list[str] = []
    numbers: dict[str, Any] = {}
    while True:
        there = {name: module.number for name, module in known.items()}
        asked = {**given, "known": there, "missing": missing, "numbers": numbers}
        told: dict[str, Any] = _translator().value(f"translator.build({json.dumps(asked)})")
        if "refused" in told:
            refused = told["refused"]
            if refused.pop("name") == "NotPython":  # then Python says it in its own words
                compile(given["source"], given["file"], "exec", dont_inherit=True)
                refused["remedy"] = "see lib.portable for what is portable"
            raise OutsideSubset(**refused)
        if "wanted" not in told:
            return {**told, "imports": {name: known[name].number for name in told["imports"]}}
        wanted = told["wanted"]
        try:
            if "#" not in wanted:
                load(wanted, known, given["checked"])
            elif (found := numbers_at(wanted)) is not None:
                numbers[wanted] = found
            else:
                missing.append(wanted)
        except ModuleNotFoundError:
            missing.append(wanted)


def load(name: str, known: dict[str, Module], checked: bool = False) -> Module:
    """Translate the module of this name, and before it those that it imports; `known` gets them all."""
    if name not in known:
        spec = find_spec(name)
        if spec is None or spec.origin is None:
            raise ModuleNotFoundError(f"no module named {name!r}", name=name)
        text = Path(spec.origin).read_text(encoding="utf-8")
        made = Module(name, text, f"{name.replace('.', '/')}.py", known, checked)
        known[name] = made
    return known[name]


def check(module: ModuleType) -> None:
    """Refuse a module that is not portable."""
    load(module.__name__, {})


def javascript(*modules: ModuleType, checked: bool = False) -> str:
    """One script with these modules and what they import, `const portable = {"lib.portable.numbers": {exp, ...}};`."""
    known: dict[str, Module] = {}
    for module in modules:
        load(module.__name__, known, checked)
    return program(known, checked)


def program(known: Mapping[str, Module], checked: bool = False) -> str:
    """The script of `javascript` for modules that are translated already, in their order."""
    lines = [f'portable["{name}"] = ({text})(portable);' for name, text in parts(known, checked).items()]
    return "\n".join(["const portable = {};", *lines, ""])


def parts(known: Mapping[str, Module], checked: bool = False) -> dict[str, str]:
    """The modules of a program by name, each a JavaScript function of all before it; "$" is what every module calls."""
    return {"$": _at_hand(checked)} | {name: module.javascript for name, module in known.items()}


@cache
def _at_hand(checked: bool) -> str:
    return str(_translator().eval(f"translator.atHand({json.dumps(checked)})"))


@cache
def script(*more: str) -> str:
    """JavaScript of an expression, the translator without anything else: {parse, translate}, and more of `js/`."""
    folder = Path(__file__).parent / "js"
    text = "".join((folder / f"{name}.js").read_text(encoding="utf-8") for name in (*_FILES, *more))
    given = ", ".join(["parse", "translate", "atHand", *more])
    return f'(() => {{\n"use strict";\n{_ONLY_HERE.sub("", text)}return {{ {given} }};\n}})()'


def _translator() -> Engine:
    return _translator_of(os.getpid())


@cache
def _translator_of(process: int) -> Engine:  # a forked process needs its own
    return Engine(f"const translator = {script('build')};")
