r"""The best block of which something is cut: without $\alpha$, without the mask, or without both.

Chapter `linear_block`. Source: beyond arXiv 2402.14951; the search is that of `portable_cut`, for isotropic tasks,
$H = I$ and $\Psi = \psi I$.
"""

from typing import NamedTuple

import numpy as np

from lib.errors import require
from lib.theory.linear_block import portable_cut
from lib.theory.linear_block.moments import Task
from lib.theory.linear_block.risks import Effective


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

    Source: beyond the paper.
    """
    d, psi = len(task.H), float(task.Psi[0, 0])
    require(d >= 2, "task", "at least 2 features", d)
    require(np.array_equal(task.H, np.eye(d)), "H", "the identity", task.H)
    require(np.array_equal(task.Psi, psi * np.eye(d)), "Psi", "a multiple of the identity", task.Psi)
    norm = float(np.linalg.norm(task.mean))
    u = task.mean / norm if norm > 0 else np.full(d, d**-0.5)
    found = portable_cut.best_cut(d, float(task.M), psi, task.sigma, norm, int(alpha), int(mask))
    a, b, g, k, s = found.numbers
    return Cut(found.risk, Effective(a * u, b * u, np.array(1.0), g * np.eye(d) + k * np.outer(u, u), s * u))
