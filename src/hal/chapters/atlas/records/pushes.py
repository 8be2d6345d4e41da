"""`python -m hal.chapters.records atlas pushes`: the clock of two pushes in Sentences, at seven rates of the decoder.

Chapter `atlas`. Source: ours. A minute of one core.
"""

from pathlib import Path

from hal.chapters.atlas.runs.pushes import COMMAND, GRID, cell
from hal.results.rows import record_rows


def record(path: Path, jobs: int = 1, cache: str | None = None) -> str:
    """Train everything, and write it after each setting; it goes on where it was. `jobs` and `cache` are of no use.

    Returns:
        How many settings the file holds.
    """
    return record_rows(path, COMMAND, GRID, lambda one: cell(**one))
