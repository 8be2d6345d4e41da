"""A ready experiment for `lib.sweep`: one attention layer on classes with common and distinct tokens.

Chapter `scan_snap`. Source: arXiv 2305.16380, Section 8; momentum 0.9, batch 128 and 100 steps from the authors'
released settings.
"""

from lib import optim
from lib.models.experiments import column, curves
from lib.models.scan_snap import Transformer, attention, base_task, entropy, mass_on
from lib.sampling import generators
from lib.sweep.vectorise import Point, Results, vectorised
from lib.train import train

__all__ = ["learn"]


@vectorised(
    *("L", "K", "common", "distinct", "batch", "steps"),
    defaults={
        **{"L": 127, "K": 2, "common": 10, "distinct": 10},
        **{"lr_Y": 1.0, "lr_Z": 1.0, "batch": 128, "steps": 100},
    },
)
def learn(points: list[Point]) -> list[Results]:
    """Train from zero on fresh sequences, each layer at its own rate.

    Settings: L (contextual tokens of a sequence), K (classes, each with its own query), common and distinct (tokens),
    lr_Y (of the decoder), lr_Z (of attention), batch and steps, and the seed of the samples; runs of one call differ in
    rates and seed. Results: steps (k,), entropy (k, K) in nats and common_mass (k, K) of the attention of each class,
    the loss of the batch (k,), and diverged_at; k records. A setting out of range is refused with an `InputError`.
    """
    first = points[0]
    task = base_task(first["K"], first["common"], first["distinct"], L=first["L"])
    rates = {name: optim.momentum(column(points, f"lr_{name}")) for name in ("Y", "Z")}
    record = {
        "entropy": lambda params: entropy(params, task),
        "common_mass": lambda params: mass_on(attention(params, task), task.common),
    }
    rngs = generators([point["seed"] for point in points])
    problem = Transformer(task)
    start = problem.init(len(points))
    return curves(train(problem, start, optim.per_field(**rates), first["steps"], first["batch"], rngs, record))
