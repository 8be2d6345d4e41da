"""A GPT-style model with and without MLPs, at two prior means.

Chapter `linear_block`. Source: arXiv 2402.14951, Table 1, at a size that one core trains in minutes; all settings are
ours: d = 3, M = 10, no noise, width 32, one layer, four heads, batch 64, 16,000 steps of Adam at 0.005 (200 to warm up,
then a cosine).
What is out of range, or is not there, raises InputError.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hal.chapters.linear_block.models.gpt import GptBlocks
from hal.results import path_of
from hal.results.rows import recorded_rows
from lib import optim
from lib.errors import require
from lib.models import linear_block as lb
from lib.sampling import generators
from lib.train import train

__all__ = ["BLOCKS", "MEANS", "SEEDS", "STEPS", "gpt_errors", "recorded_errors"]

COMMAND = "python -m hal.chapters.records linear_block gpt"
RECORD = path_of("linear_block", "gpt")
MEANS, STEPS, BATCH, TESTS = (0.0, 10.0), 16_000, 64, 4000
SEEDS = 5  # of a block
BLOCKS = ((10.0, 0), (0.0, 0), (10.0, 1))  # prior mean, block of seeds: bounds are set on block 0 and tried on block 1
SETTINGS = [{"mean": mean, "block": block, "mlp": mlp} for mean, block in BLOCKS for mlp in (True, False)]


def gpt_errors(
    mean: float, mlp: bool, seeds: Sequence[int], steps: int = STEPS, stop: int | None = None
) -> dict[str, Any]:
    """Train, and measure on fresh prompts along the way.

    Args:
        mean: every entry of the prior mean.
        mlp: whether the layer has an MLP.
        seeds: R seeds.
        steps: of the whole schedule, more than 200.
        stop: step at which to stop before its end, for a test that remakes the beginning of a record.

    Returns:
        steps (K,), and error (R, K), the mean squared error of the query's label on 4000 prompts.
    """
    task = lb.Task(np.eye(3), np.eye(3), np.full(3, mean), 0.0, 10)
    problem, rngs = GptBlocks(task, mlp), generators(list(seeds))
    tests = task.sample(TESTS, generators(list(seeds), 3))
    record = {"error": lambda params: lb.squared_error(problem.output(params, tests), tests)}
    at = [step for step in range(0, steps + 1, 500) if stop is None or step <= stop]
    adam = optim.adam(optim.cosine(0.005, steps, warmup=200))
    start = problem.init(len(seeds), generators(list(seeds), 2))
    run = train(problem, start, adam, at[-1], BATCH, rngs, record=record, record_at=at)
    return {"steps": run.steps, "error": run["error"]}


def recorded_errors(mean: float, mlp: bool, block: int = 0, path: Path = RECORD) -> np.ndarray:
    """Errors (R, K) of the record at a setting, one of `BLOCKS`."""
    require((mean, block) in BLOCKS, "mean, block", f"one of {BLOCKS}", (mean, block))
    found = recorded_rows(path, "the recorded GPT-style runs", COMMAND, SETTINGS)
    return np.array(found[mean, block, mlp]["error"])
