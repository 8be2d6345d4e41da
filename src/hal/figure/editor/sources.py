"""What a page's editor needs: the editor itself, and the Python of every model that the page's figures train."""

from __future__ import annotations

import ast
import importlib
import inspect
import io
import json
import re
import tokenize
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

from hal.figure import assets
from hal.figure.names import returned
from hal.figure.program import add_part
from lib.errors import require
from lib.portable.translation import Module, load, script

#: Modules of which a reader may want more than the book's runs call.
WHOLE = {"lib.portable.ordinary", "lib.portable.random_numbers"}
PRINTED = ("textbook", "full", "update")  #: files that chapters print


class Start(NamedTuple):
    """A way to begin: a change of a few lines, put in by a button.

    Attributes:
        figure: the name of the figure that trains it.
        title: of the button, a few words.
        module: the full name of what it changes.
        lines: what stands there -> what comes in its place; each stands once in the module.
        says: a sentence on what happens at the figure's default, or at the settings `at`.
        shows: whether it happened in one run: of its last readings and those of the book's run with the same seed. A
            test asks it of eight seeds; of the book's run and itself it must say no.
    """

    figure: str
    title: str
    module: str
    lines: tuple[tuple[str, str], ...]
    says: str
    shows: Callable[[Mapping[str, float], Mapping[str, float]], bool]
    at: Mapping[str, float] = MappingProxyType({})

    def text(self) -> str:
        """The changed module.

        Raises:
            InputError: if a line does not stand in it exactly once.
        """
        text = inspect.getsource(importlib.import_module(self.module))
        for old, new in self.lines:
            require(
                text.count(old) == 1,
                f"lines of {self.title!r}",
                f"one place in {self.module} with {old!r}",
                text.count(old),
            )
            text = text.replace(old, new)
        return text


def editor() -> str:
    """A script file: the editor, with its styles, and the translator."""
    css = (assets.HERE / "change.css").read_text(encoding="utf-8")
    styles = json.dumps(re.sub(r" ?([{};:,]) ", r"\1", css))
    return (
        "globalThis.libPortable??={};\n"
        f'document.head.append(Object.assign(document.createElement("style"), {{ textContent: {styles} }}));\n'
        f'globalThis.libPortable["change"] = {assets.part("change")};\n'
        f'globalThis.libPortable["translator"] = () => {script()};\n'
    )


def model(spec: Mapping[str, Any], starts: Sequence[Start]) -> str:
    """What the editor of a figure is told, as JSON: the Python of all that trains, and ways to begin.

    Args:
        spec: of a figure that trains.
        starts: ways to begin; those of other figures are left out.

    Raises:
        OutsideSubset: if the model is not portable.
    """
    known: dict[str, Module] = {}
    root, probe = spec["computes"]["textbook"], spec["computes"]["probe"]
    load(root, known)
    load("lib.portable.ordinary", known)  # what `math.exp` and `x ** y` of a reader mean
    if probe[0] not in known:
        home = importlib.import_module(probe[0])
        add_part([getattr(home, name) for name in probe[1:3]], known)
    recorded = {name: numbers for module in known.values() for name, numbers in module.recorded.items()}
    book = _printed(root, known)
    told = {
        "root": root,
        "probe": probe,
        "book": book,
        "files": sorted({*known} - {probe[0]} | {root}, key=lambda name: (name != book, name != root, name)),
        "needed": _needed(spec),
        "starts": [
            {"title": start.title, "module": start.module, "lines": start.lines, "says": start.says}
            for start in starts
            if start.figure == spec["name"]
        ],
        "sources": sources(known, book, root, probe[1:3]) | recorded,
    }
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"))


def sources(known: Mapping[str, Module], book: str, root: str = "", asked: Collection[str] = ()) -> dict[str, str]:
    """The text of every module by its name, every line in its place.

    Where the chapter of `book` prints none of it a text is bare, and has no function that no run calls.

    Args:
        known: the modules.
        book: the one that is opened first; it keeps what it says of itself, as do others that its chapter prints.
        root: the one that trains; it keeps its functions, as do those that are printed.
        asked: functions of others that the page calls.
    """
    printed = {book, *(f"{book.rpartition('.')[0]}.{name}" for name in PRINTED)}
    whole = {root, *printed, *WHOLE}
    trees = {name: ast.parse(module.source) for name, module in known.items()}
    wanted = {*asked, *(name for module in known.keys() & whole for name in _names(trees[module]))}
    idle = [part for module, tree in trees.items() if module not in whole for part in tree.body]
    while called := [part for part in idle if not isinstance(part, ast.FunctionDef) or part.name in wanted]:
        idle = [part for part in idle if part not in called]
        wanted |= {name for part in called for name in _names(part)}
    gone = frozenset(part.name for part in idle if isinstance(part, ast.FunctionDef))
    texts = {name: known[name].source for name in sorted(known)}
    return {
        name: text if name in printed else _bare(text, frozenset() if name in whole else gone)
        for name, text in texts.items()
    }


def _names(tree: ast.AST) -> set[str]:
    """Every name that a tree uses or imports."""
    return {
        name
        for part in ast.walk(tree)
        for name in ([part.id] if isinstance(part, ast.Name) else [part.name] if isinstance(part, ast.alias) else [])
    }


@cache
def _bare(source: str, idle: frozenset[str] = frozenset()) -> str:
    """The same program without docstrings and comments, and without functions that nobody calls."""
    lines = source.split("\n")
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column].rstrip()
    for node in ast.walk(ast.parse(source)):
        text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        if text or (isinstance(node, ast.FunctionDef) and node.name in idle):
            first, last = node.lineno - 1, node.end_lineno or node.lineno  # type: ignore[attr-defined]
            lines[first:last] = [""] * (last - first)
    return "\n".join(lines)


def trained(root: str) -> list[str]:
    """The names of the modules that a run is made of, its own first."""
    known: dict[str, Module] = {}
    load(root, known)
    return [root, *(name for name in known if name != root)]


def _printed(root: str, known: Mapping[str, Module]) -> str:
    """What the chapter prints and the run uses: an optimiser that is a file of its own, its textbook, or the run."""
    book = [f"{root.rpartition('.')[0]}.{name}" for name in ("update", "textbook")]
    return next((name for name in book if name in known), root)


def _needed(spec: Mapping[str, Any]) -> list[str]:
    """The readings that a figure draws or measures."""
    computes = spec["computes"]
    where, *looks = computes["probe"]
    drawn = {name for panel in spec["panels"] for name in panel["sources"].values()}
    asked = {*drawn, *computes["measured"], "diverged_at", computes["middle"]}
    home = importlib.import_module(where)
    return sorted(asked & {one for name in looks[:2] for one in returned(getattr(home, name)) or ()})
