"""`python -m hal.chapters.records linear_block starts`: train blocks from many starts, and record where they end.

Chapter `linear_block`. Source: ours. Seven minutes of one core.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hal.chapters.linear_block.runs import starts
from hal.results.rows import record_rows


def record(path: Path, jobs: int = 1, cache: str | None = None) -> str:
    """Train everything, and write it after each setting; it goes on where it was. Returns how many settings it holds.

    `jobs` is not used: the runs of a setting are one array. Nor is `cache`: the file itself holds what is done.
    """

    def trained(one: Mapping[str, Any]) -> dict[str, dict]:
        return {"ends": starts.ends_of_starts(starts.Setting(**one), range(starts.SEEDS))}

    return record_rows(path, starts.COMMAND, [one._asdict() for one in starts.GRID], trained)
