"""`python -m hal.chapters.records atlas grid`: four optimisers on every task, recorded in hal/results/.

Chapter `atlas`. Source: ours. Fifteen minutes of one core.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hal.chapters.atlas.runs.grid import COMMAND, GRID, cell
from hal.results.rows import record_rows


def record(path: Path, jobs: int = 1, cache: str | None = None) -> str:
    """Train everything, and write it after each row and optimiser; it goes on where it was.

    Args:
        path: the JSON file; a row has the tables of `runs.grid.cell`.
        jobs: processes; "seconds" are of this one's processor, so that they count all work with one process alone.
        cache: directory of finished runs, to go on within a row.

    Returns:
        How many settings the file holds.
    """

    def trained(one: Mapping[str, Any]) -> dict[str, Any]:
        return cell(**one, cache=cache, jobs=jobs)

    return record_rows(path, COMMAND, GRID, trained)
