"""The chart module, put together from its parts: an ES module for the live host, a classic script for the page.

The parts are plain script text without imports, so that no build step stands between an author and the page.
"""

from __future__ import annotations

import functools
from pathlib import Path

HERE = Path(__file__).parent
# Order matters only for reading: functions are hoisted, constants are in the first part.
PARTS = (
    *("tools", "curves", "axes", "tooltip", "handle"),
    *("lines", "bars", "heatmap", "regions", "plane", "cloud", "table", "csv", "code"),
    *("sentences", "controls", "timebar", "spoken", "toolrow", "tour", "dock", "layout", "view"),
)
# Kinds of pictures to poke: NAME.js, which enters itself in `pokeKinds`, and NAME.css.
POKES = ("poke", "sphere", "groups", "regression")
# What a figure that computes needs besides: its program, the trainer, from named numbers to what panels draw, the host.
COMPUTING = ("program", "trainer", "binding", "holds", "computing")


def _read(*names: str) -> str:
    return "\n".join((HERE / "js" / f"{name}.js").read_text(encoding="utf-8") for name in names)


@functools.cache
def _parts() -> str:
    return (HERE / "vendor" / "d3.min.js").read_text(encoding="utf-8") + "\n" + _read(*PARTS)


def module() -> str:
    """The ES module of the widget."""
    return f"{_parts()}\n{_read('live')}"


def computing_module(program: dict[str, str]) -> str:
    """The ES module of a widget that computes; `program` has its modules, see `lib.explorer.program`."""
    parts = ",\n".join(f'["{name}", {text}]' for name, text in program.items())
    host = _read("kernel", "compared", "computing_live")
    return f"{_parts()}\n{_read(*COMPUTING)}\nconst PROGRAM = makeProgram([{parts}]);\n{host}"


def poke_module(program: str) -> str:
    """The ES module of a sample to poke; `program` is the text of a JavaScript function."""
    return f"{_read('tools', *POKES)}\nconst PROGRAM = {program};\n{_read('poke_live')}"


def script() -> str:
    """The classic script of the static page: works from `file://`, where module scripts do not load."""
    extra = _read("store", "address", *COMPUTING, "phrases", "page", *POKES, "poke_page")
    return f"(() => {{\n{_parts()}\n{extra}\n}})();\n"


def style() -> str:
    """The style sheet of both hosts."""
    names = ("explorer", "panels", *POKES)
    return "\n".join((HERE / f"{name}.css").read_text(encoding="utf-8") for name in names)
