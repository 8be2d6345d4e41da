"""`python -m hal.chapters.records linear_block gpt`: train the GPT-style model and record its errors in hal/results/.

Chapter `linear_block`. Source: arXiv 2402.14951, Table 1, at our own size. Ten minutes of one core.
"""

from pathlib import Path

import torch

from hal.chapters.linear_block.runs import gpt
from hal.results.rows import record_rows


def record(path: Path, jobs: int = 1, cache: str | None = None) -> str:
    """Train everything, and write it after each setting; it goes on where it was. Returns how many settings it holds.

    `jobs` is not used: with several threads a sum may be cut differently, and training amplifies that. Nor is `cache`:
    the file itself holds what is done.
    """
    torch.set_num_threads(1)

    def trained(mean: float, block: int, mlp: bool) -> dict[str, list]:
        run = gpt.gpt_errors(mean, mlp, range(block * gpt.SEEDS, (block + 1) * gpt.SEEDS))
        return {"steps": run["steps"].tolist(), "error": [[round(float(e), 5) for e in row] for row in run["error"]]}

    return record_rows(path, gpt.COMMAND, gpt.SETTINGS, lambda one: trained(**one))
