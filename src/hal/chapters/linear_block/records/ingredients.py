"""`python -m hal.chapters.records linear_block ingredients`: what makes the MLP matter, recorded in results/.

Chapter `linear_block`. Source: ours. Five minutes of one core.
"""

from pathlib import Path

import torch

from hal.chapters.linear_block.runs import ingredients
from hal.chapters.linear_block.runs.rows import record_rows


def record(path: Path, jobs: int = 1, cache: str | None = None) -> str:
    """Train everything, and write it after each setting; it goes on where it was.

    Args:
        path: the JSON file.
        jobs: not used: with several threads a sum may be cut differently, and training amplifies that.
        cache: not used: the file itself holds what is done.

    Returns:
        How many settings it holds.
    """
    torch.set_num_threads(1)
    settings = [{"added": added, "mlp": mlp} for added in ingredients.INGREDIENTS for mlp in (True, False)]
    seeds = range(ingredients.SEEDS)
    return record_rows(
        path,
        ingredients.COMMAND,
        settings,
        lambda one: {"errors": [round(float(e), 5) for e in ingredients.ingredient_errors(**one, seeds=seeds)]},
    )
