"""Two more tasks over the library's: one common token alone, and a token that is partly common.

Chapter `scan_snap`. Tokens of a class and of all classes, M and L are as in `lib.models.scan_snap.base_task`.
"""

import numpy as np

from lib.errors import require
from lib.models.scan_snap.fast import Queries, Task, task_from


def single_common_task(K: int, rho: float, M: int, distinct: int = 5, L: int | None = None) -> Task:
    """One common token whose weight makes any two classes correlate by `rho` at the start, 0 < rho < 1; one query for
    all; distinct tokens of weights 1 / distinct .. 1. The setting of the paper's Theorem 4 (arXiv 2305.16380, Section
    6); weights are ours.
    """
    require(0 < rho < 1, "rho", "a correlation in (0, 1)", rho)
    weights = np.arange(1, distinct + 1) / distinct
    shared = np.sqrt(rho / (1 - rho) * (weights**2).sum())
    return task_from(np.array([[shared]]), weights, K, "shared", M, L)


def partly_common_task(
    kappa: float, weight: float = 0.1, common: int = 10, queries: Queries = "shared", M: int | None = None
) -> Task:
    """Two mirror-symmetric classes of infinite length with ten distinct tokens each; token 0, of this weight in class 0
    (common tokens have weight 1), is kappa times, at least once, as frequent there as in class 1, token 1 the reverse.
    Then tokens are ordered as in `base_task`. Beyond the paper.
    """
    require(np.isfinite(kappa) and kappa >= 1, "kappa", "a finite ratio of at least 1", kappa)
    require(np.isfinite(weight) and weight > 0, "weight", "a finite positive number", weight)
    partly = weight * np.array([[1.0, 1 / kappa], [1 / kappa, 1.0]])
    return task_from(np.hstack([partly, np.ones((2, common))]), np.linspace(0.1, 1, 10), 2, queries, M, None)
