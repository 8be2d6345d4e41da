"""Explorer `scan_snap-attention`: training runs on sampled sequences, with the attention of both classes over time.

Chapter `scan_snap`. Source: arXiv 2305.16380, Section 6 and Figure 4 (Syn-Small), settings as released.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lib.errors import require
from lib.experiments.scan_snap.learn import OPTIMISERS, learn
from lib.models import scan_snap as ss
from lib.sweep import vectorised
from lib.train import Trajectory

# The scan is over within some ten steps, so the first ones are all recorded and fill half of the film.
STEPS = np.r_[0:11, 12:21:2, 25:101:5]
FRAMES = np.array([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 20, 30, 50, 70, 100])

_DEFAULTS = {"T": 128, "common": 10, "lr_Y": 1.0, "lr_Z": 1.0, "optimiser": "momentum"}


@vectorised("T", "common", "optimiser", defaults=_DEFAULTS)
def attention_run(points: list[dict[str, Any]]) -> list[dict[str, NDArray]]:
    """One run of 100 steps a point: two classes with a query each, ten distinct tokens a class, zero start, batch 128.

    Args:
        points: settings T (tokens of a sequence, its query included, so L = T - 1), common (tokens), lr_Y and lr_Z
            (rates per step), optimiser ("sgd", "momentum", "adam") and seed; T, common and optimiser agree within a
            call. Points of one seed see the same sequences.

    Returns:
        For each point: steps (K,); loss and entropy (K,), nats; common_mass (K,); distinct (10, K), attention on the
        distinct tokens of class A, rarest first; attention (frames, 2, C) of both classes at frame_steps (frames,);
        token (C,), numbered from 1; own (2, C), true at a class's distinct tokens; profile (frames, 10) and start
        (10,), attention on those of class A and its value at the start; rank (10,); diverged_at (1,).

    Raises:
        InputError: if a setting is out of range.

    Source: arXiv 2305.16380, Section 6.1.
    """
    first = points[0]
    require(first["T"] >= 2, "T", "at least 2 tokens, the query among them", first["T"])
    require(first["optimiser"] in OPTIMISERS, "optimiser", f"one of {', '.join(OPTIMISERS)}", first["optimiser"])
    task = ss.base_task(common=first["common"], L=first["T"] - 1)
    record = {"attention": lambda p: ss.attention(p, task), "entropy": lambda p: ss.entropy(p, task)}
    out: list[dict[str, NDArray]] = [{} for _ in points]
    for seed in sorted({p["seed"] for p in points}):
        where = [i for i, p in enumerate(points) if p["seed"] == seed]
        lr_Y, lr_Z = (np.array([points[i][key] for i in where], dtype=float) for key in ("lr_Y", "lr_Z"))
        run = learn(
            task,
            [seed] * len(where),
            lr_Y,
            lr_Z,
            method=first["optimiser"],
            steps=int(STEPS[-1]),
            shared=True,
            record=record,
            record_at=STEPS,
        )
        for r, i in enumerate(where):
            out[i] = _seen(task, run.run(r))
    return out


def _seen(task: ss.Task, run: Trajectory) -> dict[str, NDArray]:
    """What is drawn of one run."""
    c = run["attention"][0]  # (K, 2, C)
    frames = np.searchsorted(STEPS, FRAMES)
    own = c[:, 0, task.distinct[0]]
    return {
        "steps": STEPS,
        "loss": run["loss"][0],
        "entropy": run["entropy"][0],
        "common_mass": c[..., task.common].sum(axis=-1).mean(axis=-1),
        "distinct": own.T,
        "attention": c[frames],
        "frame_steps": FRAMES,
        "token": np.arange(1, task.C + 1),
        "own": task.distinct,
        "profile": own[frames],
        "start": own[0],
        "rank": np.arange(1, own.shape[1] + 1),
        "diverged_at": run.diverged_at,
    }
