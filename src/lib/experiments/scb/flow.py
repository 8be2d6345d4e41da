"""Explorer `scb-flow`: the two-dimensional population flow, with measured runs projected onto its plane.

Chapter `scb`. Source: arXiv 2410.23438, Section 3.1, equation (8), and Appendix C.
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

SEEDS = 3
# Training time in units of 1/lr: Stage 1 takes about log(0.2 K_Q T) of them, learning the rest.
_TIME = 12.0


def make_task(point: dict[str, Any], seed: int = 0) -> scb.Task:
    """The ring task of an explorer's settings T, N, Q, skew and (where it has one) strength c.

    Args:
        point: settings; T tokens, N tokens in the vocabulary, Q positions.
        seed: seed of the positions.

    Raises:
        InputError: if a setting is out of range, among them Q > T.
    """
    return scb.ring_task(
        point["T"],
        point.get("N", 4),
        point.get("c", 0.75),
        scb.even_weights(point.get("Q", 2)),
        point.get("skew", 0.0),
        rng=generators([seed], 1)[0],
    )


@vectorised("T", "N", "lr", "batch", defaults={"T": 256, "N": 4, "Q": 2, "skew": 0.0, "lr": 0.02, "batch": 32})
def flow(points: list[dict[str, Any]]) -> list[dict[str, NDArray]]:
    """Signal coordinates of three measured runs of plain SGD, and of the population process of the same task.

    Args:
        points: settings T, N, Q, skew, lr, batch and seed; T, N, lr and batch agree within a call.

    Returns:
        For each point: steps (K,), alpha_V, alpha_A, off_flow (seeds, K), their predictions flow_V, flow_A and the
        early law early_V, early_A (K,), tau (steps until alpha = 0.1 by theory), mirrored (seeds,), diverged_at.

    Raises:
        InputError: if a setting is out of range.
    """
    lr, batch = points[0]["lr"], points[0]["batch"]
    steps = round(_TIME / lr)
    at = record_points(steps, 48)
    tasks = [make_task(p, p.get("seed", 0)) for p in points]
    seeds = [SEEDS * p.get("seed", 0) + s for p in points for s in range(SEEDS)]
    run = learn(
        stack([task for task in tasks for _ in range(SEEDS)]), seeds, lr=lr, batch=batch, steps=steps, record_at=at
    )
    out = []
    for i, task in enumerate(tasks):
        rows = slice(i * SEEDS, (i + 1) * SEEDS)
        path = theory.population_run(task.K_P, task.K_Q, task.T, lr, steps, record_at=at)
        d = theory.drift_number(task.K_Q, task.T)
        early = theory.early_growth(at, lr, d)
        alphas = {name: run.arrays[name][rows] for name in ("alpha_V", "alpha_A", "off_flow")}
        out.append(
            {
                "steps": at,
                **alphas,
                "flow_V": path.alpha_V,
                "flow_A": path.alpha_A,
                "early_V": np.where(early[0] < 1, early[0], np.nan),
                "early_A": np.where(early[1] < 1, early[1], np.nan),
                "tau": np.asarray(theory.escape_time(0.1, lr, task.K_Q, task.T)),
                "reached": first_reach(at, alphas["alpha_V"], 0.1),
                "mirrored": alphas["alpha_A"][:, -1] < 0,
                "diverged_at": run.diverged_at[rows],
                **_background(float(d)),
            }
        )
    return out


def _background(d: float) -> dict[str, NDArray]:
    """The flow's arrows on a grid, the valley on both sides, and the two solutions."""
    x, y = np.linspace(-1.4, 1.4, 15), np.linspace(-1.8, 1.8, 15)
    u, v = theory.velocity(x[None, :], y[:, None], d)
    valley = np.linspace(0.55, 1.4, 40)
    return {
        "field_x": x,
        "field_y": y,
        "field_u": u,
        "field_v": v,
        "valley_V": valley,
        "valley_A": theory.hyperbola(valley),
        "mirror_V": -valley,
        "mirror_A": theory.hyperbola(-valley),
        "solution_V": np.array([1.0, -1.0]),
        "solution_A": np.array([1.0, -1.0]),
    }


def first_reach(steps: NDArray, values: NDArray, level: float) -> NDArray:
    """First recorded step at which |values| (seeds, K) reaches the level, interpolated; NaN if it never does."""
    found = np.full(len(values), np.nan)
    for s, row in enumerate(np.abs(values)):
        above = np.flatnonzero(row >= level)
        if above.size and above[0] > 0:
            j = above[0]
            found[s] = np.interp(level, [row[j - 1], row[j]], [steps[j - 1], steps[j]])
    return found
