"""Other starts than the paper's: a random output layer, random attention. What happens to Stage 1 and to the sign.

Chapter `scb`, beyond the paper; the algorithm is that of arXiv 2410.23438, Section 2.3.
"""

from collections.abc import Sequence

import numpy as np

from hal.chapters.scb.runs.algorithm import learn
from hal.chapters.scb.runs.escape import first_reach
from lib.errors import require
from lib.models import scb
from lib.sampling import generators
from lib.train import Trajectory, record_points


def random_start(
    task: scb.Task, seeds: Sequence[int], size_V: float = 1.0, size_A: float = 0.0, dirichlet: bool = False
) -> scb.Params:
    """V = mu 1^T + a random centred matrix, A uniform plus noise; run r depends on seeds[r] alone.

    Args:
        task: one task.
        seeds: R seeds.
        size_V: norm of the random part of V, in units of sqrt(K_P), the norm of the true signal.
        size_A: standard deviation of Gaussian attention entries, before their mean is taken off.
        dirichlet: draw the attention rows from Dirichlet(1) instead.

    Raises:
        InputError: if the task has a run axis or a size is negative.
    """
    require(task.mu.ndim == 1, "task", "a single task without a run axis", f"mu of shape {task.mu.shape}")
    require(size_V >= 0 and size_A >= 0, "size_V, size_A", "numbers of at least 0", (size_V, size_A))
    V, A = scb.LinearTransformer(task).init(len(seeds))
    for r, rng in enumerate(generators(seeds, 2)):
        G = scb.centred(rng.standard_normal((task.N, task.N)), task.mu)
        V[r] += size_V * np.sqrt(task.K_P) / scb.mu_norm(G, task.mu) * G
        if dirichlet:
            A[r] = rng.dirichlet(np.ones(task.T), size=task.N)
        noise = size_A * rng.standard_normal((task.N, task.T))
        A[r] += noise - noise.mean(axis=-1, keepdims=True)
    return scb.Params(V, A)


def learn_from(
    task: scb.Task,
    start: scb.Params | None,
    seeds: Sequence[int],
    *,
    lr: float = 0.02,
    batch: int = 64,
    steps: int = 300,
    level: float = 0.1,
) -> tuple[Trajectory, np.ndarray, np.ndarray, np.ndarray]:
    """Plain SGD from any start: when it escapes, which sign it takes, whether the support can be read off.

    Args:
        task: one task.
        start: R starts; None is the paper's.
        seeds: R seeds of the samples.
        lr: base step.
        batch: samples a step.
        steps: number of steps.
        level: |alpha_A| that counts as escaped.

    Returns:
        The trajectory, then for each run: escape (steps, NaN if never), mirrored, and support (true where
        |A - 1/T| is largest exactly on the support of Q); each (R,).

    Raises:
        InputError: if sizes disagree.
    """
    record = {"alpha_A": lambda p: scb.alpha_A(p, task), "alpha_V": lambda p: scb.alpha_V(p, task)}
    run = learn(
        task,
        seeds,
        lr=lr,
        batch=batch,
        steps=steps,
        start=start,
        record=record,
        record_at=record_points(steps, steps // 5),
        keep_mean=True,
    )
    escape = first_reach(run.steps, run["alpha_A"], level)
    return run, escape, run["alpha_A"][:, -1] < 0, scb.support_recovered(run.params, task)
