"""Speed of chapter `atlas`: five learning rates of the read-out and many seeds in one call against one call a seed."""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before NumPy: one thread for everybody

import sys

import numpy as np
from parts.race import Entry, main

from hal.chapters.atlas.runs import fan

SEEDS, STEPS = range(8), 200
SIZE = "40 runs together"
SAME = 0.0  # bit for bit
LEAST = 1.0


def together(steps: int) -> np.ndarray:
    return fan(SEEDS, steps=steps).step


def alone(steps: int) -> np.ndarray:
    return np.concatenate([fan([seed], steps=steps).step for seed in SEEDS])


def entries(steps: int = STEPS) -> dict[str, Entry]:
    """Who takes part."""

    def gap() -> float:
        return 0.0 if np.array_equal(together(steps), alone(steps), equal_nan=True) else float("inf")

    return {"ours": Entry(together, steps, lambda: 0.0), "alone": Entry(alone, steps, gap)}


if __name__ == "__main__":
    sys.exit(main("atlas", SIZE, entries, SAME, LEAST))
