"""Explorer `scan_snap-attention`: training runs on sampled sequences, with the attention of both classes over time.

Chapter `scan_snap`. Source: arXiv 2305.16380, Section 6 and Figure 4 (Syn-Small), settings as released.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lib import optim
from lib.chapters.scan_snap.explorers._shared import TIME_LABEL, sliders
from lib.chapters.scan_snap.runs.learning import learn, rates
from lib.errors import require
from lib.explorer import Explorer, Line, bars, heatmap, lines
from lib.models import scan_snap as ss
from lib.sweep import vectorised
from lib.train import Trajectory

# The scan is over within some ten steps, so the first ones are all recorded and fill half of the film.
STEPS = np.r_[0:11, 12:21:2, 25:101:5]
FRAMES = np.array([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 20, 30, 50, 70, 100])

# the setting "optimiser" -> the optimiser of a layer from its rate
OPTIMISERS = {"sgd": optim.sgd, "momentum": optim.momentum, "adam": optim.adam}

_DEFAULTS = {"T": 128, "common": 10, "lr_Y": 1.0, "lr_Z": 1.0, "optimiser": "momentum"}


@vectorised("T", "common", "optimiser", "seed", defaults=_DEFAULTS)
def attention_run(points: list[dict[str, Any]]) -> list[dict[str, NDArray]]:
    """One run of 100 steps a point: two classes with a query each, ten distinct tokens a class, zero start, batch 128.

    Args:
        points: settings T (tokens of a sequence, its query included, so L = T - 1), common (tokens), lr_Y and lr_Z
            (rates per step), optimiser ("sgd", "momentum", "adam") and seed; T, common, optimiser and seed agree
            within a call. All its points see the same sequences.

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
    lr_Y, lr_Z = (np.array([p[key] for p in points], dtype=float) for key in ("lr_Y", "lr_Z"))
    run = learn(
        task,
        [first["seed"]] * len(points),
        rates(lr_Y, lr_Z, OPTIMISERS[first["optimiser"]]),
        steps=int(STEPS[-1]),
        shared=True,
        record=record,
        record_at=STEPS,
    )
    return [_seen(task, run.run(r)) for r in range(len(points))]


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


def panels() -> list[Any]:
    """Attention of both classes, attention on one class's distinct tokens now and over time, loss and entropy."""
    return [
        heatmap(
            "attention",
            xlabel="common tokens, of A, of B (token number)",
            ylabel="class (no unit)",
            clabel="attention (fraction)",
            title="Attention c_n",
            frames="frame_steps",
            idea="A",
            xticks="token",
            yticks=("A", "B"),
            outline="own",
            outline_label="distinct tokens of the class",
            vmin=0,
            height=150,
            wide=True,
        ),
        bars(
            x="rank",
            y=[Line("start", "before training", idea="theory"), Line("profile", "now", idea="distinct")],
            frames="frame_steps",
            xlabel="distinct token of class A, rarest first (rank)",
            ylabel="attention (fraction)",
            title="Who wins",
            bits=7,
        ),
        lines(
            x="steps",
            y=[
                Line("common_mass", "all common tokens together", idea="common"),
                Line("distinct", "each distinct token of class A", idea="distinct", each=True),
            ],
            xlabel=TIME_LABEL,
            ylabel="attention (fraction)",
            title="Scan, then snap",
            ylim=(0, None),
            bits=7,
        ),
        lines(
            x="steps",
            y=[Line("loss", "loss", idea="V"), Line("entropy", "entropy on distinct tokens", idea="A")],
            xlabel=TIME_LABEL,
            ylabel="loss and entropy (nats)",
            title="The decoder learns, attention follows",
            ylim=(0, None),
            bits=7,
            height=150,
            wide=True,
        ),
    ]


def reading(settings: Mapping[str, Any], data: Mapping[str, NDArray]) -> str:
    """Where attention ends: on common tokens, on the winner, and how spread over distinct ones."""
    if not np.isfinite(data["entropy"][-1]):
        return f"The run diverged at step {int(data['diverged_at'][0])}."
    own, mass, entropy = data["distinct"], data["common_mass"], data["entropy"]
    winner = int(np.argmax(own[:, -1]))
    place = "the most frequent" if winner == len(own) - 1 else f"number {winner + 1} of ten, counted from the rarest,"
    first = f"common tokens go from {100 * mass[0]:.0f} % to {100 * mass[-1]:.0f} % of attention"
    first = (
        f"In 100 steps {first}" if settings["common"] else "Without common tokens only sampling noise moves attention"
    )
    return (
        f"{first}; of class A's distinct tokens {place} ends in front, at {100 * own[winner, -1]:.0f} % after "
        f"{100 * own[winner, 0]:.0f} %; entropy goes from {entropy[0]:.2f} to {entropy[-1]:.2f} nats."
    )


def explorer() -> Explorer:
    """The explorer `scan_snap-attention`, as the chapter shows it."""
    return Explorer(
        attention_run,
        name="scan_snap-attention",
        title="Attention leaves what is common",
        grid=dict(
            T=[32, 128, 512],
            common=[0, 2, 10, 30],
            lr_Y=[0.3, 1.0, 10.0],
            lr_Z=[0.3, 1.0, 3.0],
            optimiser=["sgd", "momentum", "adam"],
            seed=[0, 1],
        ),
        default=dict(T=128, common=10, lr_Y=1.0, lr_Z=1.0, optimiser="momentum", seed=0),
        sliders=sliders("T", "common", "lr_Y", "lr_Z", "optimiser", "seed"),
        reading=reading,
        panels=panels(),
    )
