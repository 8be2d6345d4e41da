"""Each chapter's ready experiment, many seeds a call, beside a plain function that does one seed a call."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from lib.sweep import sweep
from parts.report import seconds

SEEDS, ROUNDS = 32, 3
SMALL: dict[str, dict[str, Any]] = {  # settings beside the defaults: short contexts, few examples
    "scb": {"T": 32, "batch": 8},
    "scan_snap": {"L": 31, "batch": 16},
    "one_nn": {"batch": 16},
    "group_sparse": {"D": 3, "n": 50},
    "random_walk": {"N": 12, "n": 60},
    "linear_block": {"batch": 16},
}


def compared(slug: str, settings: dict[str, Any]) -> dict[str, float]:
    """Seconds of processor time a run, fastest of rounds taken in turns."""
    learn = import_module(f"lib.models.{slug}.experiment").learn

    def plain(seed: int) -> dict[str, Any]:
        return dict(learn(**settings, seed=seed))

    took = {"together": np.inf, "alone": np.inf}
    for _ in range(ROUNDS):
        for name, run, point in (("together", learn, settings), ("alone", plain, {})):
            took[name] = min(took[name], seconds(lambda run=run, p=point: sweep(run, [p], range(SEEDS))) / SEEDS)
    return took
