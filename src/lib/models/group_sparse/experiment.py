"""A ready experiment for `lib.sweep`: the layer that finds the group which decides, on a fixed set of examples.

Chapter `group_sparse`. Source: arXiv 2504.08638, Sections 2 and 5.
"""

from lib import optim
from lib.models.experiments import column, curves
from lib.models.group_sparse import GroupTransformer, Task, accuracy, cosine, mean_attention
from lib.sampling import generators
from lib.sweep.vectorise import Point, Results, vectorised
from lib.train import GivenBatches, train

__all__ = ["learn"]

TESTS = 200  # fresh examples that measure a run


@vectorised(
    *("D", "d", "sigma", "flips", "n", "steps"),
    defaults={"D": 6, "d": 4, "sigma": 1.0, "flips": 0.0, "n": 500, "lr": 0.1, "steps": 300},
)
def learn(points: list[Point]) -> list[Results]:
    """Train on n examples from zero, each step on all of them; measure on fresh ones.

    Settings: D (groups), d (variables of a group), sigma (of a variable), flips (share of labels turned over), n, lr
    and steps, and the seed of the examples; runs of one call differ in lr and seed.

    Returns:
        steps (K,), attention on the group that decides, accuracy and cosine (of v with the direction that decides),
        each (K,), the loss on the examples (K,), and diverged_at; 13 records.
    """
    first, seeds = points[0], [point["seed"] for point in points]
    task = Task(first["D"], first["d"], sigma_x=first["sigma"], flips=first["flips"])
    model, fresh = GroupTransformer(task), task.sample(TESTS, generators(seeds, 1))
    given = GivenBatches(model, [task.sample(first["n"], generators(seeds))])
    record = {
        "attention": lambda params: mean_attention(params, model, fresh.X),
        "accuracy": lambda params: accuracy(model.output(params, fresh.X), fresh.y),
        "cosine": lambda params: cosine(params, task),
    }
    at = sorted({first["steps"] * k // 12 for k in range(13)})
    start, optimiser = model.init(len(points)), optim.sgd(column(points, "lr"))
    return curves(train(given, start, optimiser, first["steps"], record=record, record_at=at))
