"""`python -m hal.chapters.records scb skip`: one attention step from old tasks of every correlation.

Chapter `scb`, arXiv 2410.23438, Section 4. About a minute of one core.
"""

from pathlib import Path

from hal.chapters.scb.runs.skip import COMMAND, GRID, cell
from hal.results.rows import record_rows


def record(path: Path, jobs: int = 1, cache: str | None = None) -> str:
    """Train everything, and write it after each setting; it goes on where it was. `jobs` and `cache` are of no use.

    Returns:
        How many settings the file holds.
    """
    return record_rows(path, COMMAND, GRID, lambda one: cell(**one))
