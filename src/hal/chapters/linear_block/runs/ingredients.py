"""Between the linear block and GPT-2: small blocks, and one ingredient at a time, with and without MLPs.

Chapter `linear_block`. Source: the question of arXiv 2402.14951, Table 1; all settings are ours. Ingredients have
d = 3, M = 12, noise 0.5, a mean of length 4, 4000 steps of Adam at 0.02 (100 to warm up, then a cosine) on 64 prompts.
What is out of range, or is not there, raises InputError.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hal.chapters.linear_block.models.stacks import Stack
from hal.results import path_of
from hal.results.rows import recorded_rows
from lib import optim
from lib.errors import require
from lib.models import linear_block as lb
from lib.sampling import generators
from lib.train import train

__all__ = ["INGREDIENTS", "SEEDS", "TASK", "ingredient_errors", "recorded_ingredients"]

COMMAND = "python -m hal.chapters.records linear_block ingredients"
RECORD = path_of("linear_block", "ingredients")
STEPS, BATCH, TESTS = 4000, 64, 20_000
SEEDS = 10  # bounds are set on the first five and tried on the others
TASK = lb.power_task(d=3, M=12, sigma=0.5, norm=4.0)
#: What is added to the linear block, in words, and as arguments of `hal.chapters.linear_block.models.stacks.Stack`.
INGREDIENTS: dict[str, dict[str, Any]] = {
    "the linear block": {},
    "a read-out": {"readout": True},
    "read-out, softmax": {"readout": True, "attention": "softmax"},
    "read-out, two layers": {"readout": True, "layers": 2},
    "read-out, LayerNorm inside": {"readout": True, "norm": "inside"},
    "read-out, LayerNorm at the end": {"readout": True, "norm": "end"},
    "read-out, LayerNorm at both": {"readout": True, "norm": "both"},
    "all of them": {"readout": True, "attention": "softmax", "layers": 2, "norm": "both"},
}
SETTINGS = [{"added": added, "mlp": mlp} for added in INGREDIENTS for mlp in (True, False)]


def ingredient_errors(
    added: str, mlp: bool, seeds: Sequence[int], steps: int = STEPS, stop: int | None = None
) -> NDArray[np.float64]:
    """Mean squared error (R,) of the query's label on 20,000 fresh prompts after training.

    Args:
        added: one of `INGREDIENTS`.
        mlp: with MLPs.
        seeds: R seeds.
        steps: of the whole schedule, more than 100.
        stop: step at which to stop before its end, for a test that remakes the beginning of a run.
    """
    require(added in INGREDIENTS, "added", f"one of {', '.join(INGREDIENTS)}", repr(added))
    problem = Stack(TASK, mlp, scale=0.2, **INGREDIENTS[added])
    adam = optim.adam(optim.cosine(0.02, steps, warmup=100))
    optimiser = optim.chain(optim.clip_by_global_norm(1.0), adam)
    start, rngs, last = problem.init(len(seeds), generators(list(seeds), 2)), generators(list(seeds)), stop or steps
    params: Any = train(problem, start, optimiser, last, BATCH, rngs, record_at=[0, last]).check().params
    tests = TASK.sample(TESTS, generators(list(seeds), 3))
    return lb.squared_error(problem.output(params, tests), tests)


def recorded_ingredients(path: str | Path = RECORD) -> dict[tuple[str, bool], NDArray[np.float64]]:
    """Errors (10,) of the record, by what was added and whether there is an MLP."""
    rows = recorded_rows(path, "the recorded ingredients", COMMAND, SETTINGS)
    return {(added, mlp): np.array(row["errors"]) for (added, mlp), row in rows.items()}
