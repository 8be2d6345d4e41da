"""A ready experiment for `lib.sweep`: the layer that learns where a walk on a circle goes next.

Chapter `random_walk`. Source: arXiv 2511.23239, Sections 2 and 5. A setting out of range is refused (`InputError`).
"""

from lib.models.experiments import column, curves
from lib.models.random_walk import MinimalTransformer, Walk, accuracy, divergence
from lib.sampling import generators
from lib.sweep.vectorise import Point, Results, vectorised
from lib.train import GivenBatches, train

__all__ = ["learn"]

TESTS = 200  # fresh walks that measure a run


@vectorised(
    *("K", "N", "p", "n", "steps"),
    defaults={"K": 6, "N": 97, "p": 0.5, "n": 500, "lr": 1.0, "steps": 50},
)
def learn(points: list[Point]) -> list[Results]:
    """Train on n walks from zero, each step on all of them; measure on fresh ones.

    Settings: K (nodes), N (nodes that a walk visits), p (of a clockwise step), n, lr (of V and W) and steps, and the
    seed of the walks; runs of one call differ in lr and seed.

    Returns:
        steps (K,), accuracy, divergence (nats, from the law of the next node) and parent (attention on the node before
        the target), each (K,), the loss on the walks (K,), and diverged_at; 11 records.
    """
    first, seeds = points[0], [point["seed"] for point in points]
    walk = Walk(first["K"], first["N"], first["p"])
    model, fresh = MinimalTransformer(K=walk.K, N=walk.N), walk.sample(TESTS, generators(seeds, 3))
    given, law = GivenBatches(model, [walk.sample(first["n"], generators(seeds))]), walk.next_law(fresh.s)
    record = {
        "accuracy": lambda params: accuracy(model.output(params, fresh), fresh),
        "divergence": lambda params: divergence(model.output(params, fresh), law, fresh.weight),
        "parent": lambda params: model.attention(params, fresh)[..., -2].mean(axis=1),
    }
    at = sorted({first["steps"] * k // 10 for k in range(11)})
    start, optimiser = model.init(len(points)), model.optimiser(column(points, "lr"))
    return curves(train(given, start, optimiser, first["steps"], record=record, record_at=at))
