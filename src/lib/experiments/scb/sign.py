"""Explorer `scb-sign`: how often a run takes the right sign, against the sign law.

Chapter `scb`, beyond the paper; the drift that decides is that of arXiv 2410.23438, equation (9).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lib.experiments.scb.algorithm import generators, learn, stack
from lib.models import scb
from lib.sweep import vectorised
from lib.theory import scb as theory
from lib.train import record_points

RUNS = 60
SHOWN = 24


@vectorised("T", "lr", "batch", defaults={"T": 128, "lr": 0.04, "batch": 4, "c": 0.75})
def signs(points: list[dict[str, Any]]) -> list[dict[str, NDArray]]:
    """Sixty independent Stage 1 runs a point: the share with the right sign, and 24 of their paths.

    Args:
        points: settings T, lr, batch, c (strength of the transition) and seed; N is 4 and Q is 2.

    Returns:
        For each point: steps (K,), alpha_V (24, K), share and its standard error, law (predicted share), ratios (M,)
        and law_curve (M,): the law over the control number G = batch / (lr T), G of the point, diverged_at.

    Raises:
        InputError: if a setting is out of range.
    """
    first = points[0]
    lr, batch = first["lr"], first["batch"]
    tasks = [scb.ring_task(p["T"], c=p["c"], rng=generators([p.get("seed", 0)], 1)[0]) for p in points]
    steps = int(1.25 * float(theory.escape_time(0.3, lr, tasks[0].K_Q, tasks[0].T)))
    at = record_points(steps, 30)
    seeds = [RUNS * p.get("seed", 0) + s for p in points for s in range(RUNS)]
    task = stack([t for t in tasks for _ in range(RUNS)])
    record = {"alpha_V": lambda p: scb.alpha_V(p, task)}
    run = learn(task, seeds, lr=lr, batch=batch, steps=steps, record=record, record_at=at, keep_mean=True)
    ratios = np.geomspace(0.05, 50, 61)
    out = []
    for i, t in enumerate(tasks):
        rows = slice(i * RUNS, (i + 1) * RUNS)
        paths = run.arrays["alpha_V"][rows]
        s2 = theory.constants(t.mu, t.P, t.Q).s2
        share = float((paths[:, -1] > 0).mean())
        out.append(
            {
                "steps": at,
                "alpha_V": paths[:SHOWN],
                "share": np.asarray(share),
                "error": np.asarray(np.sqrt(max(share * (1 - share), 1 / RUNS) / RUNS)),
                "law": np.asarray(theory.sign_probability(batch, lr, s2, t.T)),
                "G": np.asarray(theory.control_number(batch, lr, t.T)),
                "ratios": ratios,
                "law_curve": theory.sign_probability(ratios, 1.0, s2, 1.0),
                "diverged_at": run.diverged_at[rows],
            }
        )
    return out
