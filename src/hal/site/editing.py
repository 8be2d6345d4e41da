"""Budgets of the editor, in which readers change a model: bytes on the click, and waits.

The numbers come from a browser: `python benchmarks/browser/editor.py` records them in hal/results/site/editor.json.
"""

import gzip
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hal import results

COMMAND = "python benchmarks/browser/editor.py"
RECORD = results.path_of("site", "editor")

#: Most bytes, gzip, that come on the click: editor, translator, and the module that is shown first; and with the first
#: key: the other modules that a figure trains.
EDITOR, REST = 40_000, 22_000
#: Longest from the click to the editor, and from the last key to the first new curve, in ms.
READY_MS, CURVE_MS = 300, 350

FIGURE = re.compile(
    r'data-explorer="([^"]+)"[^>]*? data-editor="([^"]+)"[^>]*? data-model="([^"]+)" data-rest="([^"]+)"'
)


def weights(site: Path, page: str) -> dict[str, dict[str, int]]:
    """Bytes, gzip, that the editor of each figure of a page of the built site brings, on the click and later.

    Args:
        site: the folder of the built site.
        page: "book/scb.html".
    """
    folder = site / "_static" / "explorers"

    def size(key: str) -> int:
        return len(gzip.compress((folder / f"{key}.js").read_bytes(), 9))

    found = FIGURE.findall((site / page).read_text(encoding="utf-8"))
    return {name: {"bytes": size(code) + size(model), "rest_bytes": size(rest)} for name, code, model, rest in found}


def missed(record: Mapping[str, Any]) -> list[str]:
    """What a record has over the limits, a sentence each."""
    said = []
    for name, one in record["figures"].items():
        for what, key, most in (
            ("bytes on the click", "bytes", EDITOR),
            ("bytes with the first key", "rest_bytes", REST),
            ("ms to begin", "ready_ms", READY_MS),
            ("ms to the first new curve", "curve_ms", CURVE_MS),
        ):
            if one[key] > most:
                said.append(f"{name}: {one[key]} {what}, at most {most}")
    return said
