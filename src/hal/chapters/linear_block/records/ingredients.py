"""`python -m hal.chapters.records linear_block ingredients`: what makes the MLP matter, recorded in hal/results/.

Chapter `linear_block`. Source: ours. Five minutes of one core.
"""

from pathlib import Path

import torch

from hal.chapters.linear_block.runs import ingredients
from hal.results.rows import record_rows


def record(path: Path, jobs: int = 1, cache: str | None = None) -> str:
    """Train everything, and write it after each setting; it goes on where it was. Returns how many settings it holds.

    `jobs` is not used: with several threads a sum may be cut differently, and training amplifies that. Nor is `cache`:
    the file itself holds what is done.
    """
    torch.set_num_threads(1)

    def trained(added: str, mlp: bool) -> dict[str, list]:
        errors = ingredients.ingredient_errors(added, mlp, range(ingredients.SEEDS))
        return {"errors": [round(float(e), 5) for e in errors]}

    return record_rows(path, ingredients.COMMAND, ingredients.SETTINGS, lambda one: trained(**one))
