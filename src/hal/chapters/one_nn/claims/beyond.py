"""Claims NN-19 to NN-21: temperature and Adam in place of plain SGD, and the best rule without a softmax.

Chapter `one_nn`, beyond the paper.
"""

from collections.abc import Callable

import numpy as np

from hal.chapters.one_nn.claims._shared import LONG, Array, slope_of_logs
from hal.chapters.one_nn.runs import descent, learn_pair, reduced_flow
from hal.claims import Part, Result, claim, result, seed_block
from lib import optim
from lib.models import one_nn as model
from lib.sampling import generators
from lib.theory import one_nn as theory


class _Tempered(model.ReducedPair):
    """The two numbers with all scores divided by a temperature before the softmax."""

    def __init__(self, d: int, N: int, sigma: float, temperature: float) -> None:
        super().__init__(d, N, sigma)
        self.temperature = temperature

    def loss_and_gradient(self, params: model.Pair, batch: model.Rows) -> tuple[Array, model.Pair]:
        """By the chain rule."""
        loss, slope = super().loss_and_gradient(model.Pair(*(x / self.temperature for x in params)), batch)
        return loss, model.Pair(*(x / self.temperature for x in slope))


@claim(
    "NN-19",
    where="beyond the paper (temperature)",
    says="A temperature T in the softmax is a change of learning rate and initialisation: SGD with learning rate lr "
    "from sigma is, in xi / T, SGD without it at learning rate lr / T^2 from sigma / T. Cold attention learns "
    "faster, and nothing else changes.",
    control={"optimiser": lambda d, lr: optim.adam(lr / 10)},
    breaks="Adam, whose steps do not grow with the slope",
)
def _check_19(optimiser: Callable[[int, float], optim.Transform] = descent, block: int = 0) -> Result:
    """Train with and without temperature; `optimiser` makes one of dimension and rate."""
    seeds, d, N, T, lr = seed_block(block, 1), 8, 16, 0.6, 0.5
    problem = _Tempered(d, N, 3.0, T)
    warm = learn_pair(seeds, d=d, N=N, batch=32, steps=400, optimiser=optimiser(d, lr), problem=problem).params
    plain = learn_pair(seeds, d=d, N=N, sigma=3.0 / T, batch=32, steps=400, optimiser=optimiser(d, lr / T**2)).params
    return result(
        *(
            Part(f"{name} / T less {name} without temperature", (a / T - b)[0], 1e-9, kind="rounding")
            for name, a, b in zip(plain._fields, warm, plain, strict=True)
        ),
        Part("xi_1: it has moved", plain.xi1[0], 1.0, 0, "at least"),
        seeds=seeds,
    )


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
    population = model.Population(8, 16, rows=1024, rng=generators([seed])[0])
    run = learn_pair([seed], optimiser=optimiser(lr), steps=4000, record_at=at, problem=population)
    xi1 = run["xi1"][0]
    return result(
        Part("xi_1 after 20 steps", xi1[1], 20 * lr, 0.05, "relative"),
        Part("power of the steps in xi_1, 1000 to 4000", slope_of_logs(at[2:], xi1[2:]), 0.5, 0, "at least"),
        seeds=seeds,
    )


@claim(
    "NN-21",
    where="beyond the paper (kernel predictors on the same prompts)",
    says="The best kernel predictor without normalisation, f = sum k(z_j) y_j, has k = F^(N-1) and the loss "
    "(N - 1) / (2 (2N - 1)), almost 1/4 in every dimension. The layer passes it early and ends far below: dividing by "
    "the sum is what makes a nearest neighbour of it.",
    control={"divided": True},
    breaks="weights divided by their sum, as the softmax does",
)
def _check_21(divided: bool = False, block: int = 0) -> Result:
    """Fit a rule and train the layer; `divided`: whether the fitted weights are divided by their sum."""
    (seed,) = seeds = seed_block(block, 1)
    (fit,), (test,) = generators([seed]), generators([seed], purpose=6)
    parts = []
    for d, N in LONG:
        loss = _fitted_loss(d, N, fit, test, divided)
        layer = reduced_flow(d, N, [1e3, 1e5], seed=seed, rows=1024).loss
        parts += [
            Part(f"loss of the fitted rule, d = {d}, N = {N}", loss, theory.best_kernel_loss(N), 0.03, "relative"),
            Part(f"loss of the layer at t = 1e5 over it, d = {d}, N = {N}", layer[1] / loss, 1 / 4, 0, "at most"),
        ]
    return result(*parts, seeds=seeds)


def _fitted_loss(d: int, N: int, fit: np.random.Generator, test: np.random.Generator, divided: bool) -> float:
    """Loss on fresh prompts of the step function k with the least loss on others, 200 steps."""
    steps = 200
    z = model.draw_products(d, (N, 40_000), fit)
    cuts = np.quantile(z, np.linspace(0, 1, steps + 1)[1:-1])
    place = np.digitize(z, cuts)
    wins = np.bincount(np.take_along_axis(place, z.argmax(axis=0)[None], axis=0)[0], minlength=steps)
    k = wins / np.bincount(place.ravel(), minlength=steps)
    z = model.draw_products(d, (N, 40_000), test)
    weights = k[np.digitize(z, cuts)]
    if divided:
        weights /= np.maximum(weights.sum(axis=0), 1e-12)
    nearest = np.take_along_axis(weights, z.argmax(axis=0)[None], axis=0)[0]
    return 0.5 * float(np.mean(1 - 2 * nearest + np.square(weights).sum(axis=0)))
