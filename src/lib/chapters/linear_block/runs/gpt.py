"""`python -m lib.chapters.linear_block.runs.gpt`: a GPT-style model with and without MLPs, at two prior means.

Chapter `linear_block`. Source: arXiv 2402.14951, Table 1, at a size that one core trains in minutes; all settings are
ours: d = 3, M = 10, no noise, width 32, one layer, four heads, batch 64, 16,000 steps of Adam at 0.005 (200 to warm up,
then a cosine).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from lib import optim
from lib.models import linear_block as lb
from lib.results import provenance, read, write
from lib.sampling import generators
from lib.train import train

__all__ = ["MEANS", "STEPS", "gpt_errors", "record", "recorded_errors"]

COMMAND = "python -m lib.chapters.linear_block.runs.gpt"
RECORD = Path("results", "linear_block", "gpt.json")
MEANS, STEPS, SEEDS, BATCH, TESTS = (0.0, 10.0), 16_000, range(5), 64, 4000


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
    problem, rngs = lb.GptBlocks(task, mlp), generators(list(seeds))
    tests = task.sample(TESTS, generators(list(seeds), 3))
    record = {"error": lambda params: lb.squared_error(problem.output(params, tests), tests)}
    at = [step for step in range(0, steps + 1, 500) if stop is None or step <= stop]
    adam = optim.adam(optim.cosine(0.005, steps, warmup=200))
    start = problem.init(len(seeds), generators(list(seeds), 2))
    run = train(problem, start, adam, at[-1], BATCH, rngs, record=record, record_at=at)
    return {"steps": run.steps, "error": run["error"]}


def record(path: Path = RECORD) -> str:
    """Train everything (half an hour of one core), and write it after each setting; it goes on where it was.

    Args:
        path: the JSON file.

    Returns:
        How many settings it holds.
    """
    found: dict[str, Any] = json.loads(path.read_text()) if path.is_file() else {"runs": []}
    done = [(run["mean"], run["mlp"]) for run in found["runs"]]
    for mean, mlp in [(mean, mlp) for mean in reversed(MEANS) for mlp in (True, False)]:
        if (mean, mlp) in done:
            continue
        begun = process_time()
        run = gpt_errors(mean, mlp, SEEDS)
        errors = [[round(float(e), 5) for e in row] for row in run["error"]]
        seconds = round(process_time() - begun, 1)
        new = {"mean": mean, "mlp": mlp, "seconds": seconds, "steps": run["steps"].tolist(), "error": errors}
        found = {"runs": [*found["runs"], new], "provenance": provenance(COMMAND)}
        path.parent.mkdir(parents=True, exist_ok=True)
        write(path, json.dumps(found, separators=(",", ":")).replace('},{"mean"', '},\n{"mean"'))
    return f"{len(found['runs'])} settings"


def recorded_errors(mean: float, mlp: bool, path: Path = RECORD) -> np.ndarray:
    """Errors (R, K) of the record at a setting.

    Raises:
        InputError: if there is no record.
    """
    runs = read(path, "the recorded GPT-style runs", COMMAND)["runs"]
    return np.array(next(run["error"] for run in runs if (run["mean"], run["mlp"]) == (mean, mlp)))


if __name__ == "__main__":
    print(f"{RECORD}: {record()}")
