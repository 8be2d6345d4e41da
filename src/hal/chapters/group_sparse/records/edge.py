"""`python -m hal.chapters.records group_sparse edge`: the edge of stability over groups and variables.

Chapter `group_sparse`, beyond the paper (arXiv 2504.08638). Some minutes of one core.
"""

from pathlib import Path

from hal.chapters.group_sparse.runs import edge
from hal.results.rows import record_rows


def record(path: Path, jobs: int = 1, cache: str | None = None) -> str:
    """Run everything, and write it after each setting; it goes on where it was. `jobs` and `cache` are of no use.

    Returns:
        How many settings the file holds.
    """
    return record_rows(
        path, edge.COMMAND, [one._asdict() for one in edge.GRID], lambda one: edge.cell(edge.Setting(**one))
    )
