r"""What a layer that reads the parent learns of a walk on any graph.

Chapter `random_walk`, beyond arXiv 2511.23239. With all attention on the parent an entry of V grows by
$\eta P(s_{N-1} = j, y = i)/(V_{ij} + \epsilon)$ a step, so $V_{ij}$ goes as the root of that joint law, not of the
law of a step alone: nodes that are visited more often weigh more.
"""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def parent_law(steps: Array, N: int) -> Array:
    """Chances (K,) of the node before the target, after N - 2 steps from a uniform one, for steps (K, K).

    Source: beyond the paper.
    """
    K = len(steps)
    return np.full(K, 1 / K) @ np.linalg.matrix_power(steps, N - 2)


def joint_root(steps: Array, N: int) -> Array:
    """Roots (K, K) of the chances that the parent is j and the target i, [i, j]: the direction that V turns to.

    Source: beyond the paper.
    """
    return np.sqrt(parent_law(steps, N)[:, None] * steps).T


def joint_distance(steps: Array, N: int) -> float:
    """Distance between the directions of `joint_root` and of the law of a step, Frobenius norms.

    Source: beyond the paper.
    """
    root = joint_root(steps, N)
    return float(np.linalg.norm(root / np.linalg.norm(root) - steps.T / np.linalg.norm(steps)))


def graph_accuracy(steps: Array, N: int) -> float:
    """The largest share of right answers that there can be.

    Source: beyond the paper.
    """
    return float(parent_law(steps, N) @ steps.max(axis=1))
