r"""Beyond arXiv 2511.23239: walks on any graph.

Chapter `random_walk`. With all attention on the parent an entry of V grows by
$\eta P(s_{N-1} = j, y = i)/(V_{ij} + \epsilon)$ a step, so $V_{ij}$ goes as the root of that joint law, not of the
law of a step alone: nodes that are visited more often weigh more. The chances of a step are (K, K), rows sum to 1.
"""

import numpy as np

from lib.theory._arrays import Array


def parent_law(steps: Array, N: int) -> Array:
    """Chances (K,) of the node before the target, after N - 2 steps from a uniform one.

    Source: beyond the paper.
    """
    K = len(steps)
    return np.full(K, 1 / K) @ np.linalg.matrix_power(steps, N - 2)


def joint_root(steps: Array, N: int) -> Array:
    """Roots (K, K) of the chances that the parent is j and the target i, [i, j]: the direction that V turns to.

    Source: beyond the paper.
    """
    return np.sqrt(parent_law(steps, N)[:, None] * steps).T
