"""`python -m hal.chapters.records scan_snap adam_text`: which words Adam attends to.

Chapter `scan_snap`, beyond the paper (arXiv 2305.16380). Some minutes of one core.
"""

from pathlib import Path

from hal.chapters.scan_snap.runs.adam_text import COMMAND, GRID, cell
from hal.results.rows import record_rows


def record(path: Path, jobs: int = 1, cache: str | None = None) -> str:
    """Train everything, and write it after each setting; it goes on where it was. `jobs` and `cache` are of no use.

    Returns:
        How many settings the file holds.
    """
    return record_rows(path, COMMAND, GRID, lambda one: cell(**one))
