"""A ready experiment for `lib.sweep`: the linear transformer on the ring, by the paper's first stage.

Chapter `scb`. Source: arXiv 2410.23438, Algorithm 1, equations (4) to (6), without threshold. A setting out of range is
refused (`InputError`).
"""

from functools import partial

from lib import optim
from lib.models.experiments import column, curves
from lib.models.scb import LinearTransformer, alpha_A, alpha_V, distance_A, distance_V, ring_task
from lib.sampling import generators
from lib.sweep.vectorise import Point, Results, vectorised
from lib.train import train

__all__ = ["learn"]


@vectorised(
    *("T", "N", "c", "skew", "batch", "steps"),
    defaults={"T": 256, "N": 4, "c": 0.75, "skew": 0.0, "lr": 0.02, "batch": 32, "steps": 400},
)
def learn(points: list[Point]) -> list[Results]:
    """Train from V = mu 1^T and even attention, at steps lr / K_Q of V and lr / K_P of A, kept on the affine sets.

    Settings: T (tokens), N (vocabulary), c (strength of the ring), skew (of mu), lr, batch and steps, and the seed of
    the samples; runs of one call differ in lr and seed.

    Returns:
        steps (K,), the signals alpha_V and alpha_A (K,), distance_V and distance_A in the norm of mu (K,), the loss of
        the batch (K,), and diverged_at.
    """
    first = points[0]
    task = ring_task(first["T"], first["N"], first["c"], skew=first["skew"])
    lr, measures = column(points, "lr"), (alpha_V, alpha_A, distance_V, distance_A)
    V = optim.chain(optim.precondition(1 / task.mu), optim.sgd(lr / float(task.K_Q)))
    steps = [optim.precondition(1 / task.mu[:, None]), optim.sgd(lr / float(task.K_P)), optim.project_affine(-1)]
    return curves(
        train(
            LinearTransformer(task),
            None,
            optim.per_field(V=V, A=optim.chain(*steps)),
            first["steps"],
            first["batch"],
            generators([point["seed"] for point in points]),
            {measure.__name__: partial(measure, task=task) for measure in measures},
        )
    )
