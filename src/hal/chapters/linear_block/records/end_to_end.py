"""`python -m hal.chapters.records linear_block end_to_end`: train on few and many prompts, and record what it costs.

Chapter `linear_block`. Source: ours. Some minutes of one core.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hal.chapters.linear_block.runs import end_to_end
from hal.results.rows import record_rows


def record(path: Path, jobs: int = 1, cache: str | None = None) -> str:
    """Train everything, and write it after each setting; it goes on where it was. Returns how many settings it holds.

    `jobs` is not used: the runs of a setting are one array. Nor is `cache`: the file itself holds what is done.
    """

    def trained(one: Mapping[str, Any]) -> dict[str, Any]:
        return end_to_end.cell(end_to_end.Setting(**one))

    return record_rows(path, end_to_end.COMMAND, [one._asdict() for one in end_to_end.GRID], trained)
