"""Explorer `scb-stages`: one real training run with its three stages marked and its attention map over time.

Chapter `scb`. Source: arXiv 2410.23438, Algorithm 1 and Figure 1 (settings ours, see the chapter).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lib.experiments.scb.algorithm import finish, learn, signals, stack
from lib.experiments.scb.flow import make_task
from lib.models import scb
from lib.sweep import vectorised
from lib.theory import scb as theory

# Positions drawn in the map: all useful ones first, then as many others; a map of 512 columns shows nothing.
COLUMNS = 40
FRAMES = 15


@vectorised("T", "lr", "batch", defaults={"T": 128, "Q": 2, "lam": 0.05, "skew": 0.0, "lr": 0.02, "batch": 32})
def stage_run(points: list[dict[str, Any]]) -> list[dict[str, NDArray]]:
    """One run a point: Stage 1 (plain), Stage 2 (soft threshold lam * lr), Stage 3 (round, freeze A, train V).

    Args:
        points: settings T, Q, lam (threshold in units of lr), skew, lr, batch and seed; N is 4.

    Returns:
        For each point: steps (K,); distance_V, distance_A, alpha_V, alpha_A (K,); rounded_A (K,), the distance of
        A after rounding a copy; attention (frames, 4, columns) at frame_steps (frames,); position (columns,);
        useful (4, columns), true where Q has weight; switch and end, the steps at which Stages 2 and 3 begin;
        mirrored; diverged_at (1,).

    Raises:
        InputError: if a setting is out of range.
    """
    first = points[0]
    lr, batch = first["lr"], first["batch"]
    tasks = [make_task(p, p.get("seed", 0)) for p in points]
    task = stack(tasks)
    # 20 percent after alpha = 0.2 by theory at K_Q = 1, the largest there is: one time for every Q of a call.
    switch = int(1.2 * float(theory.escape_time(0.2, lr, 1.0, first["T"])))
    end = switch + round(5 / lr)
    extra = round(2 / lr)
    at = np.unique(np.r_[np.linspace(0, end, 49).astype(int), switch])
    picks = np.stack([columns(t) for t in tasks])
    record = {**signals(task), "attention": lambda p: np.take_along_axis(p.A, picks[:, None, :], -1)}
    record["rounded_A"] = lambda p: rounded_distance(p, task)
    seeds = [2 * p.get("seed", 0) for p in points]
    shrink = np.array([p["lam"] * lr for p in points])
    run = learn(
        task, seeds, lr=lr, batch=batch, steps=end, switch=switch, threshold=shrink, record=record, record_at=at
    )
    last = finish(
        task, run.params, seeds, lr=lr, batch=batch, steps=extra, record_at=np.linspace(0, extra, 11).astype(int)
    )
    final = np.take_along_axis(last.params.A, picks[:, None, :], -1)
    frames = np.linspace(0, len(at) - 1, FRAMES).astype(int)
    out = []
    for i in range(len(points)):
        joined = {
            name: np.concatenate([run.arrays[name][i], last.arrays[name][i]])
            for name in ("distance_V", "distance_A", "alpha_V", "alpha_A")
        }
        out.append(
            {
                "steps": np.r_[at, end + last.steps],
                **joined,
                "rounded_A": np.r_[run.arrays["rounded_A"][i], last.arrays["distance_A"][i]],
                "attention": np.concatenate([run.arrays["attention"][i][frames], final[i][None]]),
                "frame_steps": np.r_[at[frames], end + extra],
                "position": picks[i],
                "useful": tasks[i].Q[:, picks[i]] > 0,
                "switch": np.asarray(switch),
                "end": np.asarray(end),
                "mirrored": np.asarray(scb.mirrored(run.params)[i]),
                "diverged_at": run.diverged_at[i : i + 1],
            }
        )
    return out


def rounded_distance(params: scb.Params, task: scb.Task) -> NDArray:
    """||A - Q||_mu after rounding and normalising a copy, mirrored runs flipped first; shape (R,).

    At the start attention is uniform, nothing is rounded away, and the value is that of uniform attention.
    """
    A = scb.round_attention(scb.unmirror(params, task).A)
    return scb.distance_A(scb.Params(params.V, A), task)


def columns(task: scb.Task) -> NDArray[np.intp]:
    """Positions to draw, (columns,): the useful ones, then others, in the order of the context."""
    useful = np.flatnonzero(task.Q.any(axis=0))
    other = np.flatnonzero(~task.Q.any(axis=0))
    room = min(COLUMNS, task.T) - useful.size
    return np.sort(np.r_[useful, other[np.linspace(0, other.size - 1, room).astype(int)]])
