"""Claim NN-20: Adam in place of plain SGD.

Chapter `one_nn`, beyond the paper.
"""

from collections.abc import Callable

import numpy as np

from hal.chapters.one_nn.claims._shared import slope_of_logs
from hal.chapters.one_nn.models import Population
from hal.chapters.one_nn.runs import descent, learn_pair
from hal.claims import Part, Result, claim, result, seed_block
from lib import optim
from lib.sampling import generators


@claim(
    "NN-20",
    where="beyond the paper (Adam in place of SGD)",
    says="Adam does not slow down as the slopes shrink: xi_1 first grows by the rate each step, and late as the steps "
    "to a power above 1/2, where gradient descent has 1/3.",
    control={"optimiser": lambda lr: descent(8, 100 * lr)},
    breaks="gradient descent",
)
def _check_20(optimiser: Callable[[float], optim.Transform] = optim.adam, block: int = 0) -> Result:
    """Train on the population; `optimiser` makes one of the rate."""
    (seed,) = seeds = seed_block(block, 1)
    lr, at = 0.05, np.array([0, 20, 1000, 1414, 2000, 2828, 4000])
    population = Population(8, 16, rows=1024, rng=generators([seed])[0])
    run = learn_pair([seed], optimiser=optimiser(lr), steps=4000, record_at=at, problem=population)
    xi1 = run["xi1"][0]
    return result(
        Part("xi_1 after 20 steps", xi1[1], 20 * lr, 0.05, "relative"),
        Part("power of the steps in xi_1, 1000 to 4000", slope_of_logs(at[2:], xi1[2:]), 0.5, 0, "at least"),
        seeds=seeds,
    )
