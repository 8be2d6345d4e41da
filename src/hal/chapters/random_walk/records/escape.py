"""`python -m hal.chapters.records random_walk escape`: how long random starts stay on the knife edge, recorded.

Chapter `random_walk`. Source: ours. Some minutes of one core.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hal.chapters.random_walk.runs import escape
from hal.results.rows import record_rows


def record(path: Path, jobs: int = 1, cache: str | None = None) -> str:
    """Train everything, and write it after each setting; it goes on where it was. Returns how many settings it holds.

    `jobs` is not used: the runs of a setting are one array. Nor is `cache`: the file itself holds what is done.
    """

    def trained(one: Mapping[str, Any]) -> dict[str, Any]:
        return escape.escapes(escape.Setting(**one), escape.SEEDS)

    return record_rows(path, escape.COMMAND, [one._asdict() for one in escape.GRID], trained)
