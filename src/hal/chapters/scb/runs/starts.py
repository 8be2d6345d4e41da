"""Random starts of V or of attention, of several sizes and contexts: positions, sign, and the steps of Stage 1.

Chapter `scb`, beyond the paper (arXiv 2410.23438 starts at V = mu 1^T and uniform attention).
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr

from hal.chapters.scb.runs.algorithm import learn
from hal.chapters.scb.runs.beyond import first_reach, random_start
from hal.results import path_of
from hal.results.rows import recorded_rows
from lib.errors import require
from lib.models import scb
from lib.sampling import generators
from lib.theory import scb as theory

COMMAND = "python -m hal.chapters.records scb starts"
RECORD = path_of("scb", "starts")
SEEDS, LR, BATCH, LEVEL = range(9100, 9132), 0.02, 64, 0.1
PARTS = ("V", "A")
LENGTHS = (64, 256, 1024)
SIZES = {"V": (0.0, 0.01, 0.03, 0.1, 0.3, 1.0), "A": (0.25, 1.0, 4.0, 16.0)}
LARGE = (0.01, 0.03, 0.1)  # entries of attention that do not fall with T
GRID = [
    *({"part": part, "unit": "own", "size": size, "T": T} for T in LENGTHS for part in PARTS for size in SIZES[part]),
    *({"part": "A", "unit": "entry", "size": size, "T": T} for T in LENGTHS for size in LARGE),
]


def deviation(part: str, unit: str, size: float, task: scb.Task) -> float:
    """Of a random entry of attention; of V its length over that of the true signal. In the unit "own", attention is
    measured by 1 / (K_Q T).

    Raises:
        InputError: if there is no such part, or the size is negative.
    """
    require(part in PARTS, "part", f"one of {', '.join(PARTS)}", repr(part))
    require(size >= 0, "size", "a number of at least 0", size)
    return size / float(task.K_Q * task.T) if part == "A" and unit == "own" else size


def start(task: scb.Task, part: str, deviation: float, seeds: Sequence[int]) -> scb.Params:
    """The paper's start plus a random part of V, or of attention (independent normal entries, rows keep their sum)."""
    if part == "V":
        return random_start(task, seeds, deviation)
    V, A = scb.LinearTransformer(task).init(len(seeds))
    noise = np.stack([rng.standard_normal((task.N, task.T)) for rng in generators(seeds, 2)])
    return scb.Params(V, A + deviation * (noise - noise.mean(axis=-1, keepdims=True)))


def law(task: scb.Task, part: str, deviation: ArrayLike, lr: float = LR, batch: int = BATCH) -> NDArray[np.float64]:
    """z of the chance Phi(z) of the true sign: 1 / z^2 = s^2 / (2 G) + v / d^2, where v is the variance of the signal
    at the start and d = 1 / (K_Q T) the drift. Noise and start add up, because both grow with the same mode.

    Args:
        task: one task.
        part, deviation: of the random start, see `start`; numbers or arrays.
        lr, batch: base step and samples a step.
    """
    size = np.asarray(deviation, float)
    R = task.Q - 1 / task.T
    own = 1 / (task.N - 1) ** 2 if part == "V" else np.sum(task.mu[:, None] ** 2 * R**2) / float(task.K_Q) ** 2
    s2 = theory.constants(task.mu, task.P, task.Q).s2
    noise = s2 / (2 * theory.control_number(batch, lr, task.T))
    return np.asarray(1 / np.sqrt(noise + own * np.square(size * task.K_Q * task.T)))


def cell(part: str, unit: str, size: float, T: int, seeds: Sequence[int] = SEEDS, batch: int = BATCH) -> dict[str, Any]:
    """Stage 1 on the standard task, N = 4 and Q = 2, a quarter longer than from the paper's start.

    Returns:
        law, the chance Phi(z) of the true sign, and ratio, z^2 / 2; upright, own, support and lost, 1 for each seed
        that has at the end the true sign, that of its start, the true positions (up to the mirror), or has diverged;
        escape, steps until both signals are 0.1, of each seed (None: never, or from the beginning).

    Raises:
        InputError: if a setting is out of range.
    """
    task = scb.ring_task(T, rng=0)
    spread = deviation(part, unit, size, task)
    begun, steps = start(task, part, spread, seeds), round(1.25 * float(theory.escape_time(0.3, LR, task.K_Q, T)))
    record = {"V": lambda p: scb.alpha_V(p, task), "A": lambda p: scb.alpha_A(p, task)}
    at = np.unique(np.r_[np.arange(0, min(steps, 80), 2), np.linspace(0, steps, 80).astype(int)])
    run = learn(task, seeds, lr=LR, batch=batch, steps=steps, start=begun, record=record, record_at=at)
    lost = run.diverged_at >= 0
    sign = np.where(lost, 0, np.sign(run["V"][:, -1]))
    first = np.sign(run["V"][:, 0] + run["A"][:, 0])
    escape = first_reach(run.steps, np.minimum(np.abs(run["V"]), np.abs(run["A"])), LEVEL)
    told = {"upright": sign > 0, "own": sign * first > 0, "lost": lost,
            "support": scb.support_recovered(run.params, task) & ~lost}  # fmt: skip
    z = float(law(task, part, spread, LR, batch))
    return {
        "ratio": z * z / 2,
        "law": float(ndtr(z)),
        **{name: found.astype(int).tolist() for name, found in told.items()},
        "escape": [None if gone or np.isnan(x) else round(float(x), 1) for x, gone in zip(escape, lost, strict=True)],
    }


def recorded_starts(path: Path | str = RECORD) -> dict[tuple, dict[str, Any]]:
    """The record: (part, unit, size, T) -> what `cell` returned.

    Raises:
        InputError: if there is no record, or it lacks a row.
    """
    return recorded_rows(path, "the recorded starts", COMMAND, GRID)
