"""The chapter's default run with several thresholds, shared by the claims on the proximal step and on Stage 3."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from lib.chapters.scb.runs import learn
from lib.chapters.scb.runs.tasks import stack
from lib.models import scb
from lib.sampling import generators

LR, BATCH, SWITCH, STEPS = 0.02, 64, 300, 700  # the chapter's default run, T = 1024, ring task
SEEDS = range(6)
RATIOS = (0.0, 0.05, 0.2, 1.0)  # threshold over lr


@lru_cache(maxsize=1)
def tasks() -> scb.Task:
    """Six ring tasks that differ in the positions of Q."""
    return stack([scb.ring_task(rng=generators([seed], 1)[0]) for seed in SEEDS])


def _one(params: scb.Params, which: int) -> scb.Params:
    """The six runs of one threshold."""
    rows = slice(which * len(SEEDS), (which + 1) * len(SEEDS))
    return scb.Params(params.V[rows], params.A[rows])


@lru_cache(maxsize=1)
def thresholds() -> dict[float, scb.Params]:
    """End of the default run for each threshold, on the same tokens; six seeds each, mirrored runs flipped."""
    task = tasks()
    many = scb.Task(*(np.concatenate([m] * len(RATIOS)) for m in (task.mu, task.P, task.Q)))
    run = learn(
        many,
        list(SEEDS) * len(RATIOS),
        lr=LR,
        batch=BATCH,
        steps=STEPS,
        switch=SWITCH,
        threshold=np.repeat(RATIOS, len(SEEDS)) * LR,
        record={},
        record_at=[0, STEPS],
    )
    flipped = scb.unmirror(run.params, many)
    return {ratio: _one(flipped, i) for i, ratio in enumerate(RATIOS)}


def errors(params: scb.Params, task: scb.Task | None = None) -> tuple[float, float]:
    """Medians of |V - P| and |A - Q|."""
    task = tasks() if task is None else task
    return float(np.median(scb.distance_V(params, task))), float(np.median(scb.distance_A(params, task)))
