"""`python -m hal.chapters.records linear_block gpt`: train the GPT-style model and record its errors in results/.

Chapter `linear_block`. Source: arXiv 2402.14951, Table 1, at our own size. Ten minutes of one core.
"""

import json
from pathlib import Path
from time import process_time
from typing import Any

import torch

from hal.chapters.linear_block.runs import gpt
from hal.results import provenance, write


def record(path: Path, jobs: int = 1, cache: str | None = None) -> str:
    """Train everything (ten minutes of one core), and write it after each setting; it goes on where it was.

    Args:
        path: the JSON file.
        jobs: not used: with several threads a sum may be cut differently, and training amplifies that.
        cache: not used: the file itself holds what is done.

    Returns:
        How many settings it holds.
    """
    torch.set_num_threads(1)
    found: dict[str, Any] = json.loads(path.read_text()) if path.is_file() else {"runs": []}
    done = [(run["mean"], run["block"], run["mlp"]) for run in found["runs"]]
    for mean, block, mlp in [(mean, block, mlp) for mean, block in gpt.BLOCKS for mlp in (True, False)]:
        if (mean, block, mlp) in done:
            continue
        begun = process_time()
        run = gpt.gpt_errors(mean, mlp, range(block * gpt.SEEDS, (block + 1) * gpt.SEEDS))
        errors = [[round(float(e), 5) for e in row] for row in run["error"]]
        which = {"mean": mean, "block": block, "mlp": mlp, "seconds": round(process_time() - begun, 1)}
        new = {**which, "steps": run["steps"].tolist(), "error": errors}
        found = {"runs": [*found["runs"], new], "provenance": provenance(gpt.COMMAND)}
        path.parent.mkdir(parents=True, exist_ok=True)
        write(path, json.dumps(found, separators=(",", ":")).replace('},{"mean"', '},\n{"mean"'))
    return f"{len(found['runs'])} settings"
