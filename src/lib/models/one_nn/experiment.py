"""A ready experiment for `lib.sweep`: softmax attention that learns the nearest neighbour, in two numbers.

Chapter `one_nn`. Source: arXiv 2411.10830, gradient descent from W_33 = -sigma; the two numbers are our own, see
`lib.models.one_nn.fast`.
"""

from lib import optim
from lib.models.experiments import column, curves
from lib.models.one_nn import ReducedPair
from lib.sampling import generators
from lib.sweep.vectorise import Point, Results, vectorised
from lib.train import train

__all__ = ["learn"]


@vectorised(
    *("d", "N", "batch", "steps"),
    defaults={"d": 8, "N": 16, "sigma": 3.0, "lr": 2.0, "batch": 256, "steps": 1000},
)
def learn(points: list[Point]) -> list[Results]:
    """Train on fresh inner products, labels averaged out: gradient descent on the whole matrix at rate lr.

    Settings: d (dimension), N (examples of a prompt), sigma (self-penalty at the start), lr, batch and steps, and the
    seed of the prompts; runs of one call differ in sigma, lr and seed.

    Returns:
        steps (K,), xi1 and xi2 (K,), the loss of the batch (K,), and diverged_at.
    """
    first, lr = points[0], column(points, "lr")
    problem = ReducedPair(first["d"], first["N"], column(points, "sigma"))
    optimiser = optim.per_field(xi1=optim.sgd(lr / first["d"]), xi2=optim.sgd(lr))  # d equal entries share a slope
    record = {"xi1": lambda params: params.xi1, "xi2": lambda params: params.xi2}
    rngs = generators([point["seed"] for point in points])
    return curves(train(problem, None, optimiser, first["steps"], first["batch"], rngs, record))
