"""Claims NN-5 to NN-8, NN-13: how training starts, how it ends, and the law of the inner products behind both.

Chapter `one_nn`. Source: arXiv 2411.10830, the convergence theorem; the laws at both ends are derived in the chapter.
"""

import numpy as np

from hal.chapters.one_nn.claims._shared import LONG, TIMES, Array, flows, predicted, slope_of_logs
from hal.chapters.one_nn.models import Population, crowded, weighted_rows
from hal.chapters.one_nn.runs import reduced_flow
from hal.claims import Part, Result, claim, result, seed_block
from lib.models import one_nn as model
from lib.sampling import generators
from lib.theory import one_nn as theory
from lib.train import Flow


@claim(
    "NN-5",
    where="beyond the paper (how training begins)",
    says="At initialisation xi_1 grows by E z_* / (d N) per unit of time, and the loss is (1 - 1/N) / 2.",
    control={"any_target": True},
    breaks="the answer is the label of any example, not of the nearest",
)
def _check_5(any_target: bool = False, block: int = 0) -> Result:
    """Measure slope and loss at the start; with `any_target` the answer is that of the first example."""
    seeds, parts = seed_block(block, 1), []
    for d, N in LONG:
        problem = model.ReducedPair(d, N, 12.0)
        rows = problem.sample(40_000, generators(seeds))
        if any_target:
            rows = rows._replace(nearest=rows.z[:, 0])
        loss, slope = problem.loss_and_gradient(problem.init(), rows)
        parts += [
            Part(f"slope of xi_1, d = {d}, N = {N}", -slope.xi1[0] / d, theory.start_slope(d, N), 0.012, "relative"),
            Part(f"loss, d = {d}, N = {N}", loss[0], theory.start_loss(N), 1e-4),
        ]
    return result(*parts, seeds=seeds)


class Apart(Population):
    """The control: in every prompt the second nearest lies at least 0.1 behind the nearest, in inner product."""

    def __init__(self, d: int, N: int, seed: int) -> None:
        super().__init__(d, N, rng=generators([seed])[0])
        z = np.minimum(self.rows.z, self.rows.nearest[:, None] - 0.1)
        z[:, 0] = self.rows.nearest
        self.rows = self.rows._replace(z=z)


def _rows(d: int, N: int, seed: int, apart: bool, count: int = 4096) -> model.Rows:
    """So many weighted rows that stand for the population, or those of `Apart`."""
    return Apart(d, N, seed).rows if apart else weighted_rows(d, N, count, generators([seed])[0])


@claim(
    "NN-6",
    where="beyond the paper (the end of training)",
    says="Late, only the gap between the two nearest examples matters: L = rho (ln 2 - 1/2) / xi_1, with rho the "
    "density of that gap at 0.",
    control={"apart": True},
    breaks="no prompt has a gap below 0.1",
)
def _check_6(apart: bool = False, block: int = 0) -> Result:
    """Measure the loss at three pulls; `apart`: on rows of `Apart`."""
    (seed,) = seeds = seed_block(block, 1)
    parts = []
    for d, N in LONG:
        rows = _rows(d, N, seed, apart)
        for xi1 in (40.0, 80.0, 160.0):
            loss, _ = model.pair_loss_and_gradient(model.Pair(np.array([xi1]), np.array([np.inf])), rows)
            expected, tolerance = float(theory.late_loss(xi1, d, N)), 3.5 / xi1 + 0.01
            parts.append(Part(f"L at xi_1 = {xi1:g}, d = {d}, N = {N}", loss[0], expected, tolerance, "relative"))
    return result(*parts, seeds=seeds)


def _flow(d: int, N: int, apart: bool, block: int) -> Flow:
    if not apart:
        return flows(d, N, block=block)
    return reduced_flow(d, N, TIMES, population=Apart(d, N, seed_block(block, 1)[0]))


@claim(
    "NN-7",
    where="the convergence theorem, whose rate is poly(N, d) / log t in the public text",
    says="The true rate is a power. With the ratio r = xi_2 / xi_1 of the flow, which moves slowly and to 2, xi_1 is "
    "(3 rho (ln 2 - 1/2) t / (d + r^2))^(1/3) and the loss rho (ln 2 - 1/2) / xi_1 (1 + r / ((d + r^2) lambda)), "
    "lambda = f_* / F_* at 1 - r: both within 2% at t = 1e8.",
    control={"apart": True},
    breaks="no prompt has a gap below 0.1: then xi_1 grows as log t",
)
def _check_7(apart: bool = False, block: int = 0) -> Result:
    """Fit the powers of t along flows; `apart`: on rows of `Apart`."""
    parts, late = [], (TIMES >= 1e5) & (TIMES <= 1.01e7)
    for d, N in LONG:
        run, exact, name = _flow(d, N, apart, block), predicted(d, N), f"d = {d}, N = {N}"
        xi1 = run.params.xi1
        parts += [
            Part(f"power of t in xi_1, 1e5 to 1e7, {name}", slope_of_logs(TIMES[late], xi1[late]), 1 / 3, 0.03),
            Part(f"power of t in L, 1e5 to 1e7, {name}", slope_of_logs(TIMES[late], run.loss[late]), -1 / 3, 0.03),
            Part(f"xi_1 at 1e7, {name}", xi1[56], exact.xi1[7], 0.03, "relative"),
            Part(f"L at 1e5, {name}", run.loss[40], exact.loss[5], 0.03, "relative"),
        ]
    for d, N in ((3, 2), *LONG):
        run, name = _flow(d, N, apart, block), f"d = {d}, N = {N}"
        ratio = 2.0 if N == 2 else run.params.xi2[-1] / run.params.xi1[-1]  # with two examples it has come so far
        law = float(theory.late_xi1(1e8, d, N, ratio))
        parts += [
            Part(f"xi_1 at 1e8, the law, {name}", run.params.xi1[-1], law, 0.02, "relative"),
            Part(
                f"L at 1e8, the law, {name}", run.loss[-1], float(theory.late_loss(law, d, N, ratio)), 0.02, "relative"
            ),
        ]
    return result(*parts, seeds=seed_block(block, 1))


_STEPPED = 1e-6  # how far the integrator's own error may move a difference of neighbouring records


@claim(
    "NN-8",
    where="the convergence theorem; rate O(poly(N, d) / log t) in the public text",
    says="From a positive self-penalty both scalars grow at all times and the loss falls at all times, faster"
    " than 1 / log t: the bound is true, and loose by an ever larger factor.",
    control={"sigma": -6.0},
    breaks="a start at which the query attends to itself, sigma = -6",
)
def _check_8(sigma: float = 3.0, block: int = 0) -> Result:
    """Find the largest steps the wrong way along flows from the self-penalty `sigma`."""
    parts = []
    for d, N in LONG:
        run, name = flows(d, N, sigma, block), f"d = {d}, N = {N}"
        late = TIMES >= 0.99e4
        scaled = run.loss[late] * np.log(TIMES[late])
        by_xi1, by_xi2 = (np.diff(values).min() for values in run.params)
        parts += [
            Part(f"smallest step of xi_1 between records, {name}", by_xi1, 0, 1e-6, "at least", _STEPPED),
            Part(f"smallest step of xi_2, {name}", by_xi2, 0, 1e-6, "at least", _STEPPED),
            Part(f"largest step of L, {name}", np.diff(run.loss).max(), 0, 1e-6, "at most", _STEPPED),
            Part(f"largest step of L log t after 1e4, {name}", np.diff(scaled).max(), 0, 0, "at most"),
            Part(f"L log t at 1e8 over that at 1e4, {name}", scaled[-1] / scaled[0], 0.15, 0, "at most"),
        ]
    return result(*parts, seeds=seed_block(block, 1))


@claim(
    "NN-13",
    where="the setting; P(1 - z_* >= a) >= 1/e is a lemma of the public text",
    says="Inner products of uniform points have the density (1 - z^2)^((d-3)/2), the gap of the two nearest has "
    "density rho at 0, and the nearest is no closer than a = (2 N sqrt d)^(-2/(d-3)) with probability F(1 - a)^N, "
    "which is 1/e at least.",
    control={"squeeze": 2.0},
    breaks="points that crowd around one axis",
)
def _check_13(squeeze: float = 1.0, block: int = 0) -> Result:
    """Measure the law of inner products; `squeeze`: of points as `crowded` has them."""
    (seed,) = seeds = seed_block(block, 1)
    parts = []
    for d, N in ((8, 16), (16, 32)):
        prompts = model.sample_prompts(model.Task(d, N), 40_000, generators([seed]))
        z = _inner(prompts, squeeze)
        name = f"d = {d}, N = {N}"
        some = np.sort(z[:, 0])
        distance = np.abs(theory.cdf(some, d) - (np.arange(len(some)) + 0.5) / len(some)).max()
        a = theory.typical_distance(d, N)
        far = np.mean(1 - z.max(axis=1) >= a)
        first, second = np.partition(z, -2, axis=1)[:, [-1, -2]].T
        dense = 200.0 * np.mean(np.exp(-200.0 * (first - second)))
        parts += [
            Part(f"largest difference of the cumulative law, {name}", distance, 0.012, 0, "at most"),
            Part(f"P(1 - z_* >= a), {name}", far, np.exp(-1), 0, "at least"),
            Part(f"the same is F(1 - a)^N, {name}", far, float(theory.cdf(1 - a, d)) ** N, 0.015),
            Part(f"density of the gap, on the scale 1/200, {name}", dense, theory.gap_density(d, N), 0.15, "relative"),
        ]
    return result(*parts, seeds=seeds)


@claim(
    "NN-23",
    where="beyond the paper (time to a given loss)",
    says="Halving the loss takes eight times as long; the time to a loss L is (d + r^2) (rho (ln 2 - 1/2))^2 (1 + r "
    "/ ((d + r^2) lambda))^3 / (3 L^3), with r and lambda as in NN-7, within 5% at L = 0.01.",
    control={"apart": True},
    breaks="no prompt has a gap below 0.1",
)
def _check_23(apart: bool = False, block: int = 0) -> Result:
    """Measure times to a loss along flows; `apart`: on rows of `Apart`."""
    parts = []
    for d, N in LONG:
        run, name = _flow(d, N, apart, block), f"d = {d}, N = {N}"
        at = np.exp(np.interp(-np.log([0.02, 0.01]), -np.log(run.loss), np.log(TIMES)))
        ratio = np.interp(at[1], TIMES, run.params.xi2 / run.params.xi1)
        parts += [
            Part(f"time to L = 0.01 over that to 0.02, {name}", at[1] / at[0], 8.0, 0.4),
            Part(f"time to L = 0.01, {name}", at[1], float(theory.time_to_loss(0.01, d, N, ratio)), 0.05, "relative"),
        ]
    return result(*parts, seeds=seed_block(block, 1))


def _inner(prompts: model.Prompts, squeeze: float) -> Array:
    """(B, N)"""
    return np.einsum("bnd,bd->bn", crowded(prompts.x[0], squeeze), crowded(prompts.query[0], squeeze))
