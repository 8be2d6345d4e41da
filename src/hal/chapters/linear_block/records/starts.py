"""`python -m hal.chapters.records linear_block starts`: train blocks from many starts, and record where they end.

Chapter `linear_block`. Source: ours. Seven minutes of one core.
"""

from pathlib import Path

from hal.chapters.linear_block.runs import starts
from hal.chapters.linear_block.runs.rows import record_rows


def record(path: Path, jobs: int = 1, cache: str | None = None) -> str:
    """Train everything, and write it after each setting; it goes on where it was.

    Args:
        path: the JSON file.
        jobs: not used: the runs of a setting are one array.
        cache: not used: the file itself holds what is done.

    Returns:
        How many settings it holds.
    """
    seeds = range(starts.SEEDS)
    settings = [setting._asdict() for setting in starts.GRID]
    return record_rows(
        path, starts.COMMAND, settings, lambda one: {"ends": starts.ends_of_starts(starts.Setting(**one), seeds)}
    )
