"""How many of a hundred runs take the true sign, over the ranges of all settings; the cloud behind `scb-sign`.

Chapter `scb`, beyond the paper (arXiv 2410.23438). A setting out of range and a file that is missing are refused
(`InputError`).
"""

from pathlib import Path
from typing import Any

import numpy as np

from hal import results
from hal.chapters.scb.runs.algorithm import learn
from lib.models import scb
from lib.theory import scb as theory

COMMAND = "python -m hal.chapters.records scb sign_share"


def some_settings(count: int, seed: int = 0) -> list[dict[str, Any]]:
    """Settings T, N, skew, c, lr and batch, `count` of them, drawn from round values over the ranges of the sliders.

    Kept are those where the law leaves something to chance: G / s^2 from 0.08 to 8.
    """
    rng = np.random.default_rng(seed)
    values: dict[str, list[Any]] = {
        "T": [16, 32, 64, 128, 256, 512],
        "N": [2, 2, 3, 3, 4, 5, 6, 8],
        "skew": [0.0, 0.0, 0.5, 1.0],
        "c": [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0],
        "lr": [0.02, 0.03, 0.04, 0.06, 0.08],
        "batch": [1, 2, 4, 8, 16, 32, 64],
    }
    kept: list[dict[str, Any]] = []
    while len(kept) < count:
        chosen = {name: choices[int(rng.integers(len(choices)))] for name, choices in values.items()}
        task = scb.ring_task(chosen["T"], chosen["N"], chosen["c"], scb.even_weights(2), chosen["skew"])
        G = theory.control_number(chosen["batch"], chosen["lr"], chosen["T"])
        if 0.08 <= G / theory.constants(task.mu, task.P, task.Q).s2 <= 8:
            kept.append(chosen)
    return kept


def sign_share(T: int, N: int, skew: float, c: float, lr: float, batch: int, runs: int = 100) -> dict[str, Any]:
    """Stage 1 at one setting, with Q = 2, counted by the sign of alpha_V at the end of each run.

    Returns:
        ratio, G / s^2; law, the share it gives; upright, runs with the true sign; lost, runs that diverged and have
        no sign; runs.
    """
    task = scb.ring_task(T, N, c, scb.even_weights(2), skew, rng=0)
    constants = theory.constants(task.mu, task.P, task.Q)
    d = float(theory.drift_number(constants.K_Q, T))
    growth = np.log(2 * 0.3 / d) if d < 0.6 else 0.0
    steps = round(max(1.25 * growth, 2.0) / lr)
    record = {"alpha_V": lambda params: scb.alpha_V(params, task)}
    run = learn(task, range(runs), lr=lr, batch=batch, steps=steps, record=record, record_at=[0, steps])
    lost = run.diverged_at >= 0
    upright = (run.arrays["alpha_V"][:, -1] > 0) & ~lost
    return {
        "ratio": float(theory.control_number(batch, lr, T) / constants.s2),
        "law": float(theory.sign_probability(batch, lr, constants.s2, T)),
        "upright": int(upright.sum()),
        "lost": int(lost.sum()),
        "runs": runs,
    }


def recorded_shares(path: Path | str) -> list[dict[str, Any]]:
    """The recorded settings in a file, hal/results/scb/sign_share.json, each with what `sign_share` found there."""
    found: list[dict[str, Any]] = results.read(path, "the recorded shares of the true sign", COMMAND)["points"]
    return found
