"""What both translators share as data: refusals, vocabulary, prelude; and the script of the page's translator."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import lib.portable
from hal.explorer.assets import joined
from lib.portable.translation import kinds, modules, refusal, vocabulary
from lib.portable.translation.vocabulary import Primitive

JS = Path(lib.portable.__file__).parent / "js"
_ENTRY = (
    'import { translate } from "./modules.js";\nimport { parse } from "./parser.js";\nreturn { parse, translate };\n'
)


def rules() -> dict[str, Any]:
    """The tables of the translator, as JSON has them. No rule of the language is in them."""
    return {
        "syntax": refusal.SYNTAX,
        "calls": refusal.CALLS,
        "reserved": sorted(refusal.RESERVED),
        "builtins": _ways(vocabulary.BUILTINS),
        "primitives": _ways(vocabulary.PRIMITIVES),
        "constants": vocabulary.CONSTANTS,
        "prelude": vocabulary.PRELUDE,
        "checked": vocabulary.CHECKED,
        "simple": sorted(kinds.SIMPLE),
        "element": kinds.ELEMENT,
        "notInThePage": list(modules.NOT_IN_THE_PAGE),
    }


def script() -> str:
    """JavaScript of an expression: {parse, translate}, without anything else of the page."""
    given = json.dumps(rules(), ensure_ascii=False, separators=(",", ":"))
    return f'(() => {{\n"use strict";\nconst RULES = {given};\n{joined(JS, _ENTRY)}}})()'


def _ways(table: Mapping[str, Primitive]) -> dict[str, Any]:
    return {
        name: {"ways": known.ways, "code": known.code, "checked": known.checked, "minusZero": known.minus_zero}
        for name, known in table.items()
    }
