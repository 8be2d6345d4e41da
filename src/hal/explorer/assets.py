"""What a browser gets of the explorer: a classic script for the page, ES modules for widgets, the style sheet.

Each host has an entry, which imports from `js/` what it needs; `hal.explorer.modules` joins what follows from it.
"""

import functools
from pathlib import Path

from hal.explorer.modules import joined

HERE = Path(__file__).parent
#: Parts of the style sheet.
STYLES = ("explorer", "panels", "poke", "sphere", "groups", "regression")


@functools.cache
def joined_js(entry: str) -> str:
    """The modules of `js/` that an entry needs, and the entry, as one text.

    Args:
        entry: lines such as `import { start } from "./page.js";`, and what is done with these names.
    """
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
