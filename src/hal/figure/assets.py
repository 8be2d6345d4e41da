"""What a browser gets of the explorer: a classic script for the page, ES modules for widgets, the style sheet.

Scenes and the furniture of small figures travel apart from the classic script, with the programs of their pages.

Each host has an entry, which imports from `js/` what it needs. The ES modules are joined into one text, so that one
script carries a whole figure, from `file://` too. A module says what it takes, `import { a, b } from "./other.js";`,
and what it gives, `export function a`. Joined, all of them share one scope: imports, the word `export` and lines of
comment go, and each module stands behind those that it needs. So a name of the top level is defined in one module only.
What is at the top level begins its line, and nothing else does.
"""

import functools
import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from lib.errors import require

HERE = Path(__file__).parent
#: Parts of the style sheet that figures take, without interactive samples; and all parts.
FIGURES = ("marks", "explorer", "panels", "folds", "small")
STYLES = (*FIGURES[:5], "interactive_sample", "race", "sphere", "groups", "regression")
#: Scenes, each a module of `js/` that gives `makeKIND`.
SCENES = ("arcs", "arrows", "columns", "grid", "ink", "landscape", "points", "ring", "stems", "vessels")
#: Interactive samples, each a module of `js/` too.
SAMPLES = ("groups", "regression", "sphere")
#: What travels apart: the ground of a plane, the furniture of small figures, games, interactive samples, scenes.
PARTS = ("heights", "small", "race", *SAMPLES, *SCENES)
#: What only such parts need: it travels with each.
WITHIN = ("bands", "dense", "marks", "sample_tools", "rounds", "scene")
#: What a page loads when a reader asks for it: the editor of the model.
ASKED = ("change",)
_IMPORT = re.compile(r'^import \{ (\w+(?:, \w+)*) \} from "(\.{1,2}/[^"]+)";\n', re.M)
_GIVEN = re.compile(r"^export \{ (\w+) \};\n", re.M)
_TOP = re.compile(r"^(export )?(?:async )?(?:function\*?|const|let|var|class) ([\w{\[]+)", re.M)
_COMMENT = re.compile(r"^ *//[^\n]*\n|^ */\*.*?\*/\n", re.M | re.S)
_INDENT = re.compile(r"^ +", re.M)
_LEFT = re.compile(r"^(?:import|export)\b.*", re.M)


@functools.cache
def joined_js(entry: str) -> str:
    """The modules of `js/` that an entry needs, and the entry, as one text."""
    return joined(HERE / "js", entry)


def script(samples: bool = True) -> str:
    """The classic script of the static page: works from `file://`, where module scripts do not load.

    Args:
        samples: whether it also wakes interactive samples; a page of one figure has none.
    """
    kit = {name: file for kind in (*PARTS, *ASKED) for name, file in _part(kind)[1].items()}
    taken = "".join(f'import {{ {name} }} from "{_from_js(file)}";\n' for name, file in sorted(kit.items()))
    entry = f'{taken}import {{ start }} from "./page.js";\nconst KIT = {{ {", ".join(sorted(kit))} }};\nstart(KIT);\n'
    waking = f'import {{ wakeSamples }} from "./interactive_sample.js";\n{entry}wakeSamples(KIT);\n'
    text = joined_js(waking if samples else entry)
    return f'/*! with d3, ISC: licences.txt */(() => {{\n"use strict";\n{text}}})();\n'


def maker(kind: str) -> str:
    """The function that the module of a scene, or of the furniture of small figures, gives."""
    return f"make{kind.capitalize()}"


@functools.cache
def part(kind: str) -> str:
    """A scene, or the furniture, as a function of what it takes, which returns its maker: for pages that need it."""
    own, taken = _part(kind)
    return f"({{ {', '.join(sorted(taken))} }}) => {{\n{own}return {maker(kind)};\n}}"


@functools.cache
def _part(kind: str) -> tuple[str, dict[str, Path]]:
    """Text of a part, with what parts alone need, and what else it takes: name -> file."""
    within, path = {HERE / "js" / f"{name}.js" for name in WITHIN}, HERE / "js" / f"{kind}.js"
    modules = [_parsed(path, path.read_text(encoding="utf-8"))]
    for base in sorted(within & {file for file, _ in modules[0].taken}):
        modules.insert(0, _parsed(base, base.read_text(encoding="utf-8")))
    taken = {name: file for module in modules for file, name in module.taken if file not in within}
    return "".join(module.text for module in modules), taken


def _from_js(file: Path) -> str:
    """How a module of `js/` imports a file."""
    return f"./{file.name}" if file.parent == HERE / "js" else f"../{file.relative_to(HERE)}"


def computing_module(program: dict[str, str], parts: Iterable[str] = ()) -> str:
    """The ES module of a widget that computes, with these of `PARTS`; `program`: see `hal.figure.program`."""
    hosts = 'import { renderFigure } from "./notebook.js";\nimport { makeProgram } from "./trainer.js";\n'
    hosts += "".join(f'import {{ {maker(kind)} }} from "./{kind}.js";\n' for kind in parts)
    modules = ",\n".join(f'["{name}", {text}]' for name, text in program.items())
    own = ", ".join(f"{kind}: {maker(kind)}" for kind in parts)
    render = f"export default {{ render: (widget) => renderFigure(widget, PROGRAM, {{ {own} }}) }};"
    return f"{joined_js(hosts)}const PROGRAM = makeProgram([{modules}]);\n{render}\n"


def sample_module(program: str, parts: Iterable[str] = ()) -> str:
    """The ES module of an interactive sample, with these of `PARTS`; `program` is the text of a JavaScript function."""
    hosts = 'import { renderSample } from "./interactive_sample.js";\n'
    hosts += "".join(f'import {{ {maker(kind)} }} from "./{kind}.js";\n' for kind in parts)
    own = ", ".join(f"{kind}: {maker(kind)}" for kind in parts)
    render = f"export default {{ render: (widget) => renderSample(widget, PROGRAM, {{ {own} }}) }};"
    return f"{joined_js(hosts)}const PROGRAM = {program};\n{render}\n"


def style(parts: Iterable[str] = STYLES) -> str:
    """The style sheet of all hosts, or some parts of it."""
    return "\n".join((HERE / f"{name}.css").read_text(encoding="utf-8") for name in parts)


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
    text = _INDENT.sub("", text)  # no text that a module writes needs it
    return _Module(text, taken, names, given | {name for exported, name in tops if exported})
