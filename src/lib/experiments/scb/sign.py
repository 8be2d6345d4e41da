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


@vectorised("T", "lr", "batch", defaults={"T": 256, "lr": 0.04, "batch": 8, "c": 0.7})
def signs(points: list[dict[str, Any]]) -> list[dict[str, NDArray]]:
    """Sixty independent Stage 1 runs a point: the share with the right sign, and 24 of their paths.

    Args:
        points: settings T, lr, batch, c (strength of the transition) and seed; N is 4 and Q is 2.

    Returns:
        For each point: time (24, K); true_paths and mirror_paths (24, K), alpha_V of the runs that end with either
        sign (a diverged run counts as mirrored); share, its standard error, G and law as numbers; log_G,
        share_point (1,), bar_G, bar (2,) to draw them; log_ratios and law_curve (M,), the law over log10 of G;
        diverged_at (60,).

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
        error = float(np.sqrt(max(share * (1 - share), 1 / RUNS) / RUNS))
        G = float(theory.control_number(batch, lr, t.T))
        out.append(
            {
                "steps": at,
                "time": np.repeat(at[None], SHOWN, axis=0),
                "true_paths": _only(paths[:SHOWN], paths[:SHOWN, -1] > 0),
                "mirror_paths": _only(paths[:SHOWN], ~(paths[:SHOWN, -1] > 0)),
                "share": np.asarray(share),
                "error": np.asarray(error),
                "law": np.asarray(theory.sign_probability(batch, lr, s2, t.T)),
                "G": np.asarray(G),
                "log_G": np.log10([G]),
                "share_point": np.array([share]),
                "bar_G": np.log10([G, G]),
                "bar": np.array([share - error, share + error]),
                "log_ratios": np.log10(ratios),
                "law_curve": theory.sign_probability(ratios, 1.0, s2, 1.0),
                "diverged_at": run.diverged_at[rows],
            }
        )
    return out


def _only(paths: NDArray, which: NDArray) -> NDArray:
    """The paths (S, K) with those outside `which` (S,) blanked."""
    return np.where(which[:, None], paths, np.nan)
