"""How large the noise of plain SGD gets: attention alone with V = P, and runs of different T, batch and rate.

Chapter `scb`, beyond the paper; the algorithm is Stage 1 and 2 of arXiv 2410.23438, Algorithm 1, without threshold.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hal.chapters.scb.runs.algorithm import Record, learn, preconditioned, signals
from lib.models import scb
from lib.sampling import generators
from lib.theory import scb as theory
from lib.train import Trajectory, train

# Equal G = batch / (lr T) = 3.1: rates, lengths and batches differ by factors of 4 and 16.
EQUAL_G = ((256, 16, 0.02), (512, 64, 0.04), (1024, 64, 0.02), (1024, 256, 0.08))


def attention_alone(
    task: scb.Task,
    seeds: Sequence[int],
    *,
    lr: ArrayLike,
    batch: int,
    steps: int,
    lr_V: float = 0.0,
    start: scb.Params | None = None,
    record: Record | None = None,
    record_at: Sequence[int] | None = None,
) -> Trajectory:
    """Train the attention with V = P given: where SGD settles there is the noise floor of the attention.

    Args:
        task, seeds, batch, steps, record, record_at: as in `learn`.
        lr: base step of the attention, eta_A = lr / K_P; number or (R,).
        lr_V: base step of V; 0 freezes it.
        start: where to start; default the solution (P, Q).

    Returns:
        The trajectory of R runs; a run whose step is far above the critical one diverges and is marked.

    Raises:
        InputError: if a rate is negative or not finite.
    """
    runs = len(seeds)
    if start is None:
        start = scb.Params(
            np.broadcast_to(task.P, (runs, task.N, task.N)).copy(),
            np.broadcast_to(task.Q, (runs, task.N, task.T)).copy(),
        )
    rate = np.broadcast_to(np.asarray(lr, float), (runs,))
    optimiser = preconditioned(task, lr_V / task.K_Q, rate / task.K_P)
    record = signals(task) if record is None else record
    model = scb.LinearTransformer(task)
    return train(model, start, optimiser, steps, batch, generators(seeds), record, record_at, {"lr": lr})


def collapse(
    settings: Sequence[tuple[int, int, float]] = EQUAL_G, seeds: Sequence[int] = range(6), after: float = 8.7
) -> dict[str, NDArray]:
    """Plain SGD, all runs stopped at the same stage: after Stage 1 each trains for lr * steps = `after`.

    The settings are (T, batch, lr) of each point; medians over the seeds, mirrored runs flipped.

    Returns:
        G, distance_A, distance_V, closure_A (predicted distance_A), steps; each (len(settings),).

    Raises:
        InputError: if a setting is out of range.
    """
    rows = []
    for T, batch, lr in settings:
        task = scb.ring_task(T, rng=0)
        constants = theory.constants(task.mu, task.P, task.Q)
        steps = int(theory.collapse_steps(lr, task.K_Q, T, after))
        run = learn(task, seeds, lr=lr, batch=batch, steps=steps, record={}, record_at=[0, steps], keep_mean=True)
        end = scb.unmirror(run.params, task)
        predicted = theory.closure(constants, lr, batch, steps, record_at=[steps]).error_A[0]
        G = float(theory.control_number(batch, lr, T))
        rows.append([G, np.median(scb.distance_A(end, task)), np.median(scb.distance_V(end, task)), predicted, steps])
    return dict(zip(("G", "distance_A", "distance_V", "closure_A", "steps"), np.array(rows).T, strict=True))
