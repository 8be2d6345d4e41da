"""The chapter's default run with several thresholds, shared by claims on SGD, the proximal step and Stage 3.

All branches of a block of seeds continue the same Stage 1, on the same samples.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scb import models
from hal.chapters.scb.runs.algorithm import learn, output_step, stack
from hal.claims import seed_block
from lib import optim
from lib.models import scb
from lib.sampling import generators
from lib.train import Trajectory, train

LR, BATCH, SWITCH, STEPS = 0.02, 64, 300, 700  # the chapter's default run, T = 1024, ring task
RUNS = 6
LATE = (0, 200, 250, 300, 350, 400)  # recorded steps of Stage 2


def seeds(block: int) -> range:
    """Six seeds, each of a task and its samples."""
    return seed_block(block, RUNS)


def later(block: int) -> list[int]:
    """Seeds of the samples of Stage 2."""
    return [1_000_000 + seed for seed in seeds(block)]


@lru_cache(maxsize=2)
def tasks(block: int) -> scb.Task:
    """Six ring tasks that differ in the positions of Q."""
    return stack([scb.ring_task(rng=generators([seed], 1)[0]) for seed in seeds(block)])


@lru_cache(maxsize=2)
def stage1(block: int) -> scb.Params:
    """Where the six runs stand after Stage 1."""
    return learn(tasks(block), seeds(block), lr=LR, batch=BATCH, steps=SWITCH, record={}, record_at=[0, SWITCH]).params


def squares(task: scb.Task) -> dict:
    """Records of squared lengths, mirrored runs flipped: |V - P|, |A - Q|, |Delta_A|."""
    return {
        "V": lambda p: scb.distance_V(models.unmirror(p, task), task) ** 2,
        "A": lambda p: scb.distance_A(models.unmirror(p, task), task) ** 2,
        "beside": lambda p: scb.mu_norm_rows(scb.delta_A(p, task), task.mu) ** 2,
    }


@lru_cache(maxsize=8)
def stage2(block: int, ratio: float) -> Trajectory:
    """Stage 2 with threshold `ratio` times the rate; the records of `squares` at the steps `LATE` after Stage 1."""
    task = tasks(block)
    return learn(
        task,
        later(block),
        lr=LR,
        batch=BATCH,
        steps=STEPS - SWITCH,
        switch=0,
        threshold=ratio * LR,
        record=squares(task),
        record_at=LATE,
        start=stage1(block),
    )


@lru_cache(maxsize=2)
def weight_decay(block: int) -> Trajectory:
    """Stage 2 with weight decay: useful weights near 1/2 shrink as fast as under the threshold 0.05 lr."""
    task, decay = tasks(block), 0.05 * LR / 0.5
    rate = (1 - decay) * LR / task.K_P  # decay is that of the new entries, a step
    optimiser = optim.per_field(
        V=output_step(task, LR / task.K_Q),
        A=optim.chain(
            optim.precondition(1 / task.mu[..., :, None]),
            optim.project_affine(-1),
            optim.add_decayed_weights(decay / rate),
            optim.scale_by_learning_rate(rate),
            optim.restore_affine(1.0, -1),
        ),
    )
    model, rngs = scb.LinearTransformer(task), generators(later(block))
    return train(model, stage1(block), optimiser, STEPS - SWITCH, BATCH, rngs, squares(task), LATE)


def root_mean(run: Trajectory, name: str) -> NDArray[np.float64]:
    """Root of the mean over the runs of a record of `squares`, at each recorded step."""
    return np.sqrt(run[name].mean(axis=0))
