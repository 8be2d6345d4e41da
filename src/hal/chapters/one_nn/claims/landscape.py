"""Claim NN-16: a loss that is not convex.

Chapter `one_nn`. Source: arXiv 2411.10830, the remark on nonconvexity (d = N = 4).
"""

from collections.abc import Callable

import numpy as np

from hal.chapters.one_nn.claims._shared import Array
from hal.chapters.one_nn.models import Population
from hal.claims import Part, Result, claim, result, seed_block
from lib.models import one_nn as model
from lib.sampling import generators
from lib.theory import one_nn as theory


def _log_loss_slope(xi1: float, xi2: float, rows: model.Rows) -> Array:
    """Slopes in xi_1 and xi_2 of E[-log q_*], the cross-entropy of picking the nearest example."""
    z, weight = rows.z[0], np.asarray(rows.weight)[0]
    e, own = np.exp(xi1 * (z - 1)), np.exp(-xi2)
    total = e.sum(axis=0) + own
    return np.array([weight @ (((e * z).sum(axis=0) + own) / total - rows.nearest[0]), -(weight @ (own / total))])


def _loss_slope(xi1: float, xi2: float, rows: model.Rows) -> Array:
    """The same of the model's loss."""
    point = model.Pair(np.array([xi1]), np.array([xi2]))
    return np.concatenate(model.pair_loss_and_gradient(point, rows)[1])


def _curvature(slope: Callable[[float, float], Array], at: tuple[float, float], h: float) -> float:
    """Smallest eigenvalue of the matrix of second derivatives in (xi_1, xi_2), central differences of the slopes."""
    (xi1, xi2), steps = at, ((h, 0.0), (0.0, h))
    hessian = np.array([(slope(xi1 + a, xi2 + b) - slope(xi1 - a, xi2 - b)) / (2 * h) for a, b in steps])
    return float(np.linalg.eigvalsh((hessian + hessian.T) / 2)[0])


@claim(
    "NN-16",
    where="the public text: the reduced loss is not convex, shown for d = N = 4",
    says="The loss in the two scalars is not convex: on a grid its smallest curvature is clearly negative.",
    control={"log_loss": True},
    breaks="the cross-entropy -log q_* in place of the squared error: it is convex",
)
def _check_16(log_loss: bool = False, block: int = 0) -> Result:
    """Measure curvatures on a grid; with `log_loss` those of the cross-entropy."""
    (seed,) = seeds = seed_block(block, 1)
    rows = Population(4, 4, rows=16384, rng=generators([seed])[0]).rows
    grid = [(xi1, xi2) for xi1 in np.linspace(-2, 8, 11) for xi2 in np.linspace(-4, 6, 11)]
    slope = _log_loss_slope if log_loss else _loss_slope
    found = [_curvature(lambda a, b: slope(a, b, rows), at, 1e-4) for at in grid]
    lowest = [grid[i] for i in np.argsort(found)[:3]]
    exact = min(_curvature(lambda a, b: np.array(theory.reduced_gradient(a, b, 4, 4)[1:]), at, 1e-3) for at in lowest)
    return result(
        Part("smallest curvature on the grid, d = N = 4", min(found), exact, 0.03, "relative"),
        Part("the same, at most", min(found), -0.005, 0, "at most"),
        seeds=seeds,
    )
