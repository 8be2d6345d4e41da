"""`python -m hal.chapters.records group_sparse cost`: examples of the new task until 5% are wrong, at many settings.

Chapter `group_sparse`, beyond the paper (arXiv 2504.08638, Section 4). Some minutes of one core.
"""

from pathlib import Path

from hal.chapters.group_sparse.runs import cost
from hal.results.rows import record_rows


def record(path: Path, jobs: int = 1, cache: str | None = None) -> str:
    """Run everything, and write it after each setting; it goes on where it was. `jobs` and `cache` are of no use.

    Returns:
        How many settings the file holds.
    """
    return record_rows(
        path, cost.COMMAND, [one._asdict() for one in cost.GRID], lambda one: cost.cell(cost.Setting(**one))
    )
