r"""The best block of which something is cut: without $\alpha$, without the mask, or without both.

Chapter `linear_block`. Source: ours. For isotropic tasks, $H = I$ and $\Psi = \psi I$, with u the direction of the
mean, the search is among blocks with $\alpha = au$, $v = bu$, $c = 1$, $Q = gI + kuu^\top$, $q = su$. Given b the
output is linear in (a, g, k, s), so its risk is quadratic in them, and one linear system has its minimum; b is searched
for. That no other block is better is tested, not proved.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize_scalar

from lib.errors import require

from .._arrays import Array
from .moments import Task, label_variance
from .parts import unmasked_cost
from .risks import Effective, block_risk


class Cut(NamedTuple):
    """The best block of its kind."""

    risk: float
    block: Effective  #: without leading axes


def best_cut(task: Task, alpha: bool = True, mask: bool = True) -> Cut:
    """The best block with what is left.

    Args:
        task: isotropic, of at least two features.
        alpha: whether the query's residual copy reaches the output, which takes residual and MLP.
        mask: whether the query is kept from being a key and a value.

    Raises:
        InputError: if the task is not isotropic or has one feature only.

    Example:
        >>> from lib.models.linear_block import power_task
        >>> round(best_cut(power_task(d=8, M=20, sigma=0.5, norm=3.0), alpha=False).risk, 3)
        4.319
    """
    d = len(task.H)
    require(d >= 2, "task", "at least 2 features", d)
    require(np.array_equal(task.H, np.eye(d)), "H", "the identity", task.H)
    require(np.array_equal(task.Psi, task.Psi[0, 0] * np.eye(d)), "Psi", "a multiple of the identity", task.Psi)
    norm = float(np.linalg.norm(task.mean))
    u = task.mean / norm if norm > 0 else np.full(d, d**-0.5)
    free = np.eye(4)[0 if alpha else 1 :]

    def at(b: float) -> tuple[float, Array]:
        return _least(task, u, b, free, mask)

    reach = max(norm, np.sqrt(label_variance(task)))
    grid = np.linspace(-norm - reach, -norm + 3 * reach, 33)
    middle = int(np.clip(np.argmin([at(b)[0] for b in grid]), 1, 31))
    b = float(minimize_scalar(lambda b: at(b)[0], bracket=grid[middle - 1 : middle + 2], options={"xtol": 1e-11}).x)
    risk, found = at(b)
    return Cut(risk, Effective(*(part[0] for part in _blocks(u, b, found[None]))))


def _blocks(u: Array, b: float, points: Array) -> Effective:
    """Blocks at points (K, 4) of a, g, k, s."""
    a, g, k, s = points.T
    Q = g[:, None, None] * np.eye(len(u)) + k[:, None, None] * np.outer(u, u)
    return Effective(a[:, None] * u, np.tile(b * u, (len(a), 1)), np.ones(len(a)), Q, s[:, None] * u)


def _least(task: Task, u: Array, b: float, free: Array, mask: bool) -> tuple[float, Array]:
    """The least risk for a b, and where, (4,), from the quadratic's values at 0, at the free axes and at their sums."""
    n = len(free)
    pairs = free[:, None] + free[None]
    points = np.concatenate([np.zeros((1, 4)), free, pairs.reshape(-1, 4)])
    blocks = _blocks(u, b, points)
    values = block_risk(task, blocks) + (0.0 if mask else unmasked_cost(task, blocks))
    flat, axes, sums = values[0], values[1 : n + 1], values[n + 1 :].reshape(n, n)
    half = (sums - axes[:, None] - axes[None] + flat) / 2  # G: the risk is flat + 2 r'x + x'Gx
    r = (axes - flat - np.diag(half)) / 2
    x = np.linalg.solve(half, -r)
    return float(flat + r @ x), x @ free
