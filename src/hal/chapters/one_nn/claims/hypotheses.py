"""Claim NN-29: whether training needs a large self-penalty and many examples, as the convergence theorem asks.

Chapter `one_nn`. Source: arXiv 2411.10830, the hypotheses sigma = Omega(poly(d)) and N = Omega(sqrt(d) log d).
"""

from hal.chapters.one_nn.claims._shared import TIMES, flows, slope_of_logs
from hal.chapters.one_nn.models import Population
from hal.chapters.one_nn.runs import reduced_flow
from hal.claims import Part, Result, claim, result, seed_block
from lib.sampling import generators
from lib.theory import one_nn as theory

#: (d, N, sigma): a negative, no and a large self-penalty at one size; then fewer examples than sqrt(16) ln 16 = 11
TRIED = ((8, 16, -4.0), (8, 16, 0.0), (8, 16, 20.0), (16, 2, 3.0), (16, 4, 3.0))


def _any_target(d: int, N: int, sigma: float, seed: int) -> Population:
    """The control: the target is the label of an example that is not the nearest."""
    population = Population(d, N, sigma, rng=generators([seed])[0])
    population.rows = population.rows._replace(nearest=population.rows.z[:, 1])
    return population


@claim(
    "NN-29",
    where="the convergence theorem: sigma = Omega(poly(d)) and N = Omega(sqrt(d) log d)",
    says="In measurement neither hypothesis is needed: with the self-penalty at -4, 0 or 20, and with 2 or 4 "
    "examples in 16 dimensions, the loss falls as t^(-1/3) to the value of NN-7 at t = 1e8; a worse "
    "self-penalty costs time.",
    control={"any_target": True},
    breaks="the answer is the label of an example that is not the nearest",
)
def _check_29(any_target: bool = False, block: int = 0) -> Result:
    """Follow flows outside the hypotheses; with `any_target` towards the label of another example."""
    (seed,) = seeds = seed_block(block, 1)
    parts, late = [], TIMES >= 0.99e6
    for d, N, sigma in TRIED:
        wrong = _any_target(d, N, sigma, seed) if any_target else None
        nearest = flows(d, N, sigma, block)  # the law is that of the nearest example, under the control as well
        run = reduced_flow(d, N, TIMES, sigma, population=wrong) if any_target else nearest
        ratio = min(2.0, nearest.params.xi2[-1] / nearest.params.xi1[-1])
        law = float(theory.late_loss(theory.late_xi1(1e8, d, N, ratio), d, N, ratio))
        name = f"d = {d}, N = {N}, mask {sigma:g}"
        parts += [
            Part(f"L at 1e8, {name}", run.loss[-1], law, 0.03, "relative"),
            Part(f"power of t in L, 1e6 to 1e8, {name}", slope_of_logs(TIMES[late], run.loss[late]), -1 / 3, 0.01),
        ]
    return result(*parts, seeds=seeds)
