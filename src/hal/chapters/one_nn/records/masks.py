"""`python -m hal.chapters.records one_nn masks`: losses from many self-attention masks, flows and trained matrices.

Chapter `one_nn`, beyond the paper (arXiv 2411.10830). Some minutes of one core.
"""

from pathlib import Path

from hal.chapters.one_nn.runs import masks
from hal.results.rows import record_rows


def record(path: Path, jobs: int = 1, cache: str | None = None) -> str:
    """Run everything, and write it after each setting; it goes on where it was. `jobs` and `cache` are of no use.

    Returns:
        How many settings the file holds.
    """
    return record_rows(
        path, masks.COMMAND, [one._asdict() for one in masks.GRID], lambda one: masks.cell(masks.Setting(**one))
    )
