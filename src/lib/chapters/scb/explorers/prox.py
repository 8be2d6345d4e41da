"""Explorer `scb-prox`: proximal descent against plain SGD on the same tokens, with the closure's prediction for SGD.

Chapter `scb`. Source: arXiv 2410.23438, Section 5.1 and Figure 1; the closure is beyond the paper.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lib.chapters.scb.explorers._shared import TIME_LABEL, sliders
from lib.chapters.scb.runs.algorithm import learn
from lib.chapters.scb.runs.tasks import make_task, stack
from lib.explorer import Explorer, Line, Mark, lines
from lib.models import scb
from lib.sweep import vectorised
from lib.theory import scb as theory
from lib.train import record_points

SEEDS = 3


@vectorised("T", "lr", "batch", defaults={"T": 256, "lr": 0.02, "batch": 32, "lam": 0.05})
def prox_run(points: list[dict[str, Any]]) -> list[dict[str, NDArray]]:
    """Distances to P and Q under SGD and under the proximal step, three seeds each, mirrored runs flipped.

    Args:
        points: settings T, lr, batch, lam (threshold in units of lr) and seed; N is 4 and Q is 2.

    Returns:
        For each point: steps (K,), sgd_V, sgd_A, prox_V, prox_A (seeds, K), closure_V, closure_A (K,), switch,
        mirrored (number of the three SGD runs), diverged_at (seeds,).

    Raises:
        InputError: if a setting is out of range.
    """
    first = points[0]
    lr, batch = first["lr"], first["batch"]
    tasks = [make_task(p, p.get("seed", 0)) for p in points]
    # SGD does not know lam: points that differ in lam alone share one SGD run.
    kinds = sorted({p.get("seed", 0) for p in points})
    plain_tasks = [tasks[[p.get("seed", 0) for p in points].index(seed)] for seed in kinds]
    switch = int(1.2 * float(theory.escape_time(0.2, lr, tasks[0].K_Q, tasks[0].T)))
    steps = switch + round(6 / lr)
    at = record_points(steps, 60)

    def distances(tasks: list[scb.Task], seeds: list[int], **settings: Any) -> Any:
        task = stack([task for task in tasks for _ in range(SEEDS)])
        record = {
            "V": lambda p: scb.distance_V(_upright(p, task), task),
            "A": lambda p: scb.distance_A(_upright(p, task), task),
        }
        many = [SEEDS * seed + s for seed in seeds for s in range(SEEDS)]
        return learn(
            task, many, lr=lr, batch=batch, steps=steps, record=record, record_at=at, keep_mean=True, **settings
        )

    sgd = distances(plain_tasks, kinds)
    shrink = np.repeat([p["lam"] * lr for p in points], SEEDS)
    prox = distances(tasks, [p.get("seed", 0) for p in points], switch=switch, threshold=shrink)
    out = []
    for i, p in enumerate(points):
        j = kinds.index(p.get("seed", 0))
        a, b = slice(j * SEEDS, (j + 1) * SEEDS), slice(i * SEEDS, (i + 1) * SEEDS)
        constants = theory.constants(tasks[i].mu, tasks[i].P, tasks[i].Q)
        predicted = theory.closure(constants, lr, batch, steps, record_at=at)
        out.append(
            {
                "steps": at,
                "sgd_V": sgd.arrays["V"][a],
                "sgd_A": sgd.arrays["A"][a],
                "prox_V": prox.arrays["V"][b],
                "prox_A": prox.arrays["A"][b],
                "closure_V": predicted.error_V,
                "closure_A": predicted.error_A,
                "switch": np.asarray(switch),
                "mirrored": np.asarray(int(scb.mirrored(sgd.params)[a].sum())),
                "diverged_at": np.maximum(sgd.diverged_at[a], prox.diverged_at[b]),
            }
        )
    return out


def _upright(params: scb.Params, task: scb.Task) -> scb.Params:
    """Mirrored runs flipped, by the sign of their signal: near the start the attention shows no sign yet."""
    return scb.unmirror(params, task, scb.alpha_A(params, task) < 0)


def panels() -> list[Any]:
    """Distances of V and A under both methods, with the closure."""

    def one(letter: str, target: str) -> Any:
        return lines(
            x="steps",
            y=[
                Line(f"sgd_{letter}", "SGD", idea="sgd"),
                Line(f"prox_{letter}", "proximal", idea="prox"),
                Line(f"closure_{letter}", "SGD predicted (closure)", theory=True),
            ],
            marks=[Mark("switch", "threshold on")],
            xlabel=TIME_LABEL,
            ylabel=f"‖{letter} − {target}‖ (no unit)",
            title=f"Distance of {letter} to {target}",
            ylim=(0, None),
        )

    return [one("V", "P"), one("A", "Q")]


def reading(settings: Mapping[str, Any], data: Mapping[str, NDArray]) -> str:
    """Final distance of both methods and what the closure says."""
    sgd, prox = (float(np.median(data[name][:, -1])) for name in ("sgd_A", "prox_A"))
    better = "the threshold wins" if prox < sgd else "SGD wins"
    flips = int(data["mirrored"])
    turned = f" {flips} of 3 runs took the mirrored sign and are shown flipped." if flips else ""
    said = float(data["closure_A"][-1])
    ends = f"‖A − Q‖ ends at {sgd:.2f} with SGD (predicted {said:.2f}) and at {prox:.2f} with the threshold"
    return f"{ends}: {better}.{turned}"


def explorer() -> Explorer:
    """The explorer `scb-prox`, as the chapter shows it."""
    return Explorer(
        prox_run,
        name="scb-prox",
        title="A threshold against the noise",
        grid=dict(T=[64, 128, 256, 512], lr=[0.02, 0.03, 0.04], batch=[8, 16, 32, 64], lam=[0.02, 0.05, 0.1, 0.2]),
        default=dict(T=256, lr=0.02, batch=32, lam=0.05),
        sliders=sliders("T", "lr", "batch", "lam"),
        reading=reading,
        panels=panels(),
    )
