"""`python -m hal.chapters.records scb starts`: Stage 1 from random starts.

Chapter `scb`, beyond the paper (arXiv 2410.23438). About four minutes of one core.
"""

from pathlib import Path

from hal.chapters.scb.runs.starts import COMMAND, GRID, cell
from hal.results.rows import record_rows


def record(path: Path, jobs: int = 1, cache: str | None = None) -> str:
    """Run everything, and write it after each setting; it goes on where it was. `jobs` and `cache` are of no use.

    Returns:
        How many settings the file holds.
    """
    return record_rows(path, COMMAND, GRID, lambda one: cell(**one))
