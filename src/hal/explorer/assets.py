"""What a browser gets of the explorer: a classic script for the page, ES modules for widgets, the style sheet.

Each host has an entry, which imports from `js/` what it needs. The ES modules are joined into one text, so that one
script carries a whole figure, from `file://` too. A module says what it takes, `import { a, b } from "./other.js";`,
and what it gives, `export function a`. Joined, all of them share one scope: imports, the word `export` and lines of
comment go, and each module stands behind those that it needs. So a name of the top level is defined in one module only.
What is at the top level begins its line, and nothing else does.
"""

import functools
import re
from pathlib import Path
from typing import NamedTuple

from lib.errors import require

HERE = Path(__file__).parent
#: Parts of the style sheet.
STYLES = ("explorer", "panels", "poke", "sphere", "groups", "regression")
_IMPORT = re.compile(r'^import \{ (\w+(?:, \w+)*) \} from "(\.{1,2}/[^"]+)";\n', re.M)
_GIVEN = re.compile(r"^export \{ (\w+) \};\n", re.M)
_TOP = re.compile(r"^(export )?(?:async )?(?:function\*?|const|let|var|class) ([\w{\[]+)", re.M)
_COMMENT = re.compile(r"^ *//[^\n]*\n|^ */\*.*?\*/\n", re.M | re.S)
_LEFT = re.compile(r"^(?:import|export)\b.*", re.M)


@functools.cache
def joined_js(entry: str) -> str:
    """The modules of `js/` that an entry needs, and the entry, as one text."""
    return joined(HERE / "js", entry)


def script() -> str:
    """The classic script of the static page: works from `file://`, where module scripts do not load."""
    text = joined_js('import { start } from "./page.js";\nstart();\n')
    return f'(() => {{\n"use strict";\n{text}}})();\n'


def computing_module(program: dict[str, str]) -> str:
    """The ES module of a widget that computes; `program` has its modules, see `hal.explorer.program`."""
    hosts = 'import { renderFigure } from "./notebook.js";\nimport { makeProgram } from "./trainer.js";\n'
    parts = ",\n".join(f'["{name}", {text}]' for name, text in program.items())
    render = "export default { render: (widget) => renderFigure(widget, PROGRAM) };"
    return f"{joined_js(hosts)}const PROGRAM = makeProgram([{parts}]);\n{render}\n"


def poke_module(program: str) -> str:
    """The ES module of a picture to poke; `program` is the text of a JavaScript function."""
    host = joined_js('import { renderPoke } from "./pokes.js";\n')
    return f"{host}const PROGRAM = {program};\nexport default {{ render: (widget) => renderPoke(widget, PROGRAM) }};\n"


def style() -> str:
    """The style sheet of all hosts."""
    return "\n".join((HERE / f"{name}.css").read_text(encoding="utf-8") for name in STYLES)


class _Module(NamedTuple):
    """A module as it was read."""

    text: str  # without imports and exports
    taken: list[tuple[Path, str]]  # (file it imports from, name), in order
    names: list[str]  # of its top level
    given: set[str]  # those that it exports


def joined(folder: Path, entry: str) -> str:
    """One text, without imports and exports, of an entry and of all modules that it needs.

    Args:
        folder: where the entry's imports are looked for.
        entry: text of a module.

    Raises:
        InputError: if a module is missing, imports in a circle or a name that is not exported, if a name is defined
            in two modules, or if an import or export has another form.
    """
    start = folder / "the entry"
    read: dict[Path, _Module] = {}
    order: list[Path] = []
    _follow(start, entry, (), read, order)
    owners: dict[str, Path] = {}
    for path in order:
        for file, name in read[path].taken:
            require(name in read[file].given, path.name, f"a name that {file.name} exports", repr(name))
        for name in read[path].names:
            other = owners.setdefault(name, path)
            require(other == path, name, "one module that defines it", f"{other.name} and {path.name}")
    return "\n".join(read[path].text.strip("\n") + "\n" for path in order)


def _follow(path: Path, text: str, above: tuple[Path, ...], read: dict[Path, _Module], order: list[Path]) -> None:
    """Read a module after those that it imports."""
    here = (*above, path)
    read[path] = module = _parsed(path, text)
    for file in dict.fromkeys(file for file, _ in module.taken):
        circle = " -> ".join(one.name for one in (*here[here.index(file) :], file)) if file in here else ""
        require(not circle, path.name, "imports that make no circle", circle)
        require(file.is_file(), path.name, "modules that exist", file.name)
        if file not in read:
            _follow(file, file.read_text(encoding="utf-8"), here, read, order)
    order.append(path)


def _parsed(path: Path, text: str) -> _Module:
    taken = [
        ((path.parent / file).resolve(), name) for names, file in _IMPORT.findall(text) for name in names.split(", ")
    ]
    text = _COMMENT.sub("", _IMPORT.sub("", text))
    given = set(_GIVEN.findall(text))
    text = _GIVEN.sub("", text)
    tops = _TOP.findall(text)
    for _, name in tops:
        require(name[0] not in "{[", path.name, "one name a declaration at the top level", f"{name} ...")
    text = _TOP.sub(lambda found: found[0].removeprefix("export "), text)
    left = _LEFT.search(text)
    expected = 'import { a, b } from "./file.js"; and export before a function, const, let or class'
    require(left is None, path.name, expected, left and left[0])
    names = [name for _, name in tops]
    return _Module(text, taken, names, given | {name for exported, name in tops if exported})
