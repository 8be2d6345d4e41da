"""Explorer `scb-stages`: one real training run with its three stages marked and its attention map over time.

Chapter `scb`. Source: arXiv 2410.23438, Algorithm 1 and Figure 1 (settings ours, see the chapter).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lib.chapters.scb.explorers._shared import TIME_LABEL, columns, sliders
from lib.chapters.scb.runs.algorithm import finish, learn, signals
from lib.chapters.scb.runs.tasks import make_task, stack
from lib.explorer import Explorer, Line, Mark, heatmap, lines
from lib.models import scb
from lib.sweep import vectorised
from lib.theory import scb as theory

FRAMES = 15


@vectorised("T", "lr", "batch", defaults={"T": 128, "Q": 2, "lam": 0.05, "skew": 0.0, "lr": 0.02, "batch": 32})
def stages_run(points: list[dict[str, Any]]) -> list[dict[str, NDArray]]:
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


def panels() -> list[Any]:
    """Attention map over time, and distances with the stages marked."""
    return [
        heatmap(
            "attention",
            xlabel="position in the context (token)",
            ylabel="last token k (token)",
            clabel="attention (fraction)",
            title="Attention A",
            frames="frame_steps",
            xticks="position",
            outline="useful",
            outline_label="true positions",
            diverging=True,
            vmin=-0.6,
            vmax=0.6,
            wide=True,
        ),
        lines(
            x="steps",
            y=[
                Line("distance_V", "‖V − P‖", idea="V"),
                Line("distance_A", "‖A − Q‖", idea="A"),
                Line("rounded_A", "‖A − Q‖ after rounding a copy", idea="prox"),
            ],
            marks=[Mark("switch", "Stage 2"), Mark("end", "Stage 3")],
            xlabel=TIME_LABEL,
            ylabel="distance (no unit)",
            title="Distance to the answer",
            ylim=(0, None),
        ),
        lines(
            x="steps",
            y=[Line("alpha_V", "α_V", idea="V"), Line("alpha_A", "α_A", idea="A")],
            marks=[Mark("switch", "Stage 2"), Mark("end", "Stage 3")],
            xlabel=TIME_LABEL,
            ylabel="signal (no unit)",
            title="Signal",
        ),
    ]


def reading(settings: Mapping[str, Any], data: Mapping[str, NDArray]) -> str:
    """Where Stage 2 begins and what is left at the end."""
    end = f"‖V − P‖ = {data['distance_V'][-1]:.2f} and ‖A − Q‖ = {data['distance_A'][-1]:.2f}"
    turned = " The run is mirrored; Stage 3 flips it." if bool(data["mirrored"]) else ""
    return f"Stage 2 begins at step {int(data['switch'])}; after Stage 3, {end}.{turned}"


def explorer() -> Explorer:
    """The explorer `scb-stages`, as the chapter shows it."""
    return Explorer(
        stages_run,
        name="scb-stages",
        title="One training run, from uniform attention to the answer",
        grid=dict(T=[64, 128, 256], Q=[1, 2, 3], lam=[0.0, 0.02, 0.05, 0.1, 0.2, 0.5], seed=[0, 1, 2]),
        default=dict(T=128, Q=2, lam=0.05, seed=0),
        sliders=sliders("T", "Q", "lam", "seed"),
        reading=reading,
        panels=panels(),
    )
