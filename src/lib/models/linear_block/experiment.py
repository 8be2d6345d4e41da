"""A ready experiment for `lib.sweep`: the block that regresses in context, with or without its MLP.

Chapter `linear_block`. Source: arXiv 2402.14951, Assumption 3.1 for the task; training from a random start is ours. A
setting out of range is refused (`InputError`).
"""

from lib import optim
from lib.models.experiments import column, curves
from lib.models.linear_block import LinearBlock, block_output, effective_of, power_task, squared_error
from lib.sampling import generators
from lib.sweep.vectorise import Point, Results, vectorised
from lib.train import train

__all__ = ["learn"]

TESTS = 200  # fresh prompts that measure a run


@vectorised(
    *("d", "M", "sigma", "norm", "decay", "mlp", "batch", "steps"),
    defaults={
        **{"d": 4, "M": 16, "sigma": 1.0, "norm": 3.0, "decay": 0.0, "mlp": True},
        **{"lr": 0.01, "batch": 64, "steps": 500},
    },
)
def learn(points: list[Point]) -> list[Results]:
    """Train the six matrices by Adam on fresh prompts, from a start near the identity; measure on other prompts.

    Settings: d (dimension), M (examples of a prompt), sigma (of the noise), norm (of the prior mean), decay (of the
    spectrum), mlp, lr, batch and steps, and the seed of start and prompts; runs of one call differ in lr and seed.

    Returns:
        steps (K,), error (K,), the mean squared error of the query's label, the loss of the batch (K,), and
        diverged_at; 11 records.
    """
    first, seeds = points[0], [point["seed"] for point in points]
    task, mlp = power_task(*(first[name] for name in ("d", "M", "sigma", "norm", "decay"))), first["mlp"]
    problem, fresh = LinearBlock(task, mlp, "near identity"), task.sample(TESTS, generators(seeds, 1))
    record = {"error": lambda params: squared_error(block_output(effective_of(params, mlp), fresh), fresh)}
    at = sorted({first["steps"] * k // 10 for k in range(11)})
    start, optimiser = problem.init(len(points), generators(seeds, 2)), optim.adam(column(points, "lr"))
    rngs = generators(seeds)
    return curves(train(problem, start, optimiser, first["steps"], first["batch"], rngs, record, at))
