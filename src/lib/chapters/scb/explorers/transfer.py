"""Explorer `scb-transfer`: one large-batch attention step from a transferred start instead of Stage 1.

Chapter `scb`. Source: arXiv 2410.23438, Section 4 and Theorem 4.1; the batch law is beyond the paper.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lib.chapters.scb.explorers._shared import columns, sliders
from lib.chapters.scb.runs.large_batch import first_step
from lib.chapters.scb.runs.tasks import make_task
from lib.errors import require
from lib.explorer import Explorer, Line, Mark, heatmap, lines
from lib.models import scb
from lib.sampling import generators
from lib.sweep import vectorised
from lib.theory import scb as theory

SEEDS = 6
# Small chunks stay in the cache: a slider move must be answered within half a second.
_CHUNK = 256
BATCHES = tuple(2**p for p in range(6, 15))


@vectorised("T", "rho", "N", "Q", "seed", defaults={"T": 256, "rho": 0.5, "samples": 1024, "N": 4, "Q": 2})
def transfer_run(points: list[dict[str, Any]]) -> list[dict[str, NDArray]]:
    """Scores of all positions after one attention step, and how often they find the support, by batch size.

    Args:
        points: settings T, rho (correlation of the old transition with the new), samples (batch of the one step),
            N, Q and seed; all but samples agree within a call, and look at the same samples.

    Returns:
        For each point: score (N, columns), |A - 1/T| over its largest entry in the row, at the point's batch;
        position (columns,); useful (N, columns), true where Q has weight; here, the batch; batches (9,) and
        share (9,), the share of six seeds whose support is found; found (of six) at the point's batch; law, the
        batch for one half.

    Raises:
        InputError: if a setting is out of range.
    """
    for p in points:
        require(p["samples"] >= 1, "samples", "at least 1", p["samples"])
    point, seed = points[0], points[0]["seed"]
    task = make_task(point, seed)
    R_hat = scb.correlated_signal(task, point["rho"], generators([seed], 2)[0])
    start, seeds = task.mu[:, None] + R_hat, [SEEDS * seed + s for s in range(SEEDS)]
    batches = list(BATCHES)
    scores = first_step(task, start, batches, seeds, chunk=_CHUNK)
    # A batch between the stops gets samples of its own: it must not change those of the curve.
    for batch in sorted({int(p["samples"]) for p in points} - set(BATCHES)):
        scores = np.concatenate([scores, first_step(task, start, [batch], seeds, chunk=_CHUNK)])
        batches.append(batch)
    found = np.array([scb.support_recovered(scb.Params(R_hat, s + 1 / task.T), task) for s in scores])
    picks = columns(task)
    s2 = theory.constants(task.mu, task.P, task.Q).s2
    law = theory.one_step_batch(point["rho"], s2, task.T, task.mu.min(), task.Q[task.Q > 0].min())
    out = []
    for p in points:
        here = batches.index(int(p["samples"]))
        score = np.abs(scores[here, 0])
        out.append(
            {
                "score": (score / score.max(axis=-1, keepdims=True))[:, picks],
                "useful": task.Q[:, picks] > 0,
                "here": np.asarray(p["samples"]),
                "position": picks,
                "batches": np.array(BATCHES),
                "share": found[[batches.index(b) for b in BATCHES]].mean(axis=-1),
                "found": np.asarray(int(found[here].sum())),
                "law": np.asarray(law),
            }
        )
    return out


def panels() -> list[Any]:
    """Scores of the positions after one step, and the share of seeds whose support is found, by batch."""
    return [
        heatmap(
            "score",
            xlabel="position in the context (token)",
            ylabel="last token k (token)",
            clabel="score (fraction of the row's largest)",
            title="Scores after one step",
            xticks="position",
            outline="useful",
            outline_label="true positions",
            vmin=0,
            vmax=1,
            wide=True,
        ),
        lines(
            x="batches",
            y=[Line("share", "support found, of six seeds", idea="transfer")],
            marks=[Mark("law", "law: one half"), Mark("here", "this batch")],
            xlabel="batch of the one step (samples)",
            ylabel="share of runs (fraction)",
            title="How large a batch it takes",
            xlog=True,
            ylim=(0, 1),
            wide=True,
        ),
    ]


def reading(settings: Mapping[str, Any], data: Mapping[str, NDArray]) -> str:
    """How many seeds found the support and what the law asks for."""
    return (
        f"With {settings['samples']} samples {int(data['found'])} of 6 runs find the support in one step; "
        f"the law asks for {float(data['law']):.0f}."
    )


def explorer() -> Explorer:
    """The explorer `scb-transfer`, as the chapter shows it."""
    return Explorer(
        transfer_run,
        name="scb-transfer",
        title="One step instead of Stage 1",
        grid=dict(
            T=[64, 256, 1024],
            rho=[0.1, 0.2, 0.3, 0.5, 0.7, 1.0],
            samples=[64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384],
        ),
        default=dict(T=256, rho=0.5, samples=1024),
        sliders=sliders("T", "rho", "samples"),
        reading=reading,
        panels=panels(),
    )
