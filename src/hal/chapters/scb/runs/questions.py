"""Runs to compare with: softmax against linear attention, and a flow at large sizes.

Chapter `scb`, on questions that arXiv 2410.23438 raises; the measurements are ours.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from hal.chapters.scb import theory as beyond
from hal.chapters.scb.runs.algorithm import learn
from hal.chapters.scb.runs.beyond import learn_softmax
from lib.models import scb
from lib.theory import scb as theory


def softmax_against_linear(
    T: int, seeds: Sequence[int], *, lr: float = 0.02, lr_w: float = 6.0, batch: int = 64, steps: int = 2500
) -> dict[str, Any]:
    """The linear and the softmax model on one task and the same samples, plain SGD both.

    V moves by lr / K_Q in both models, the softmax logits by steps of `lr_w`, in nats.

    Returns:
        "linear" and "softmax", trajectories with distance_V, distance_A, alpha_V and alpha_A; "escape", the step at
        which theory expects the softmax model to leave the start.

    Source: arXiv 2410.23438, Section 5.2 and Figure 2; the escape time is beyond the paper.
    """
    task = scb.ring_task(T, rng=0)
    at = np.linspace(0, steps, 101).astype(int)
    linear = learn(task, seeds, lr=lr, batch=batch, steps=steps, record_at=at)
    softmax = learn_softmax(task, seeds, lr=lr, lr_w=lr_w, batch=batch, steps=steps, record_at=at)
    escape = beyond.softmax_escape_time(T, lr / task.K_Q, lr_w, task.K_P, task.Q.max())
    return {"linear": linear, "softmax": softmax, "escape": float(escape)}


def large_flow(T: int, N: int, Q: int, lr: float = 0.02, steps: int = 700) -> theory.PopulationPath:
    """The population flow of the ring task of these sizes, to draw under `simulation`."""
    task = scb.ring_task(T, N, weights=scb.even_weights(Q), rng=0)
    return theory.population_run(task.K_P, task.K_Q, T, lr, steps)
