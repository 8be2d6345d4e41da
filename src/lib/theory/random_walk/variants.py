r"""Beyond arXiv 2511.23239: walks on any graph, and positions that are not orthogonal.

Chapter `random_walk`. With all attention on the parent an entry of V grows by
$\eta P(s_{N-1} = j, y = i)/(V_{ij} + \epsilon)$ a step, so $V_{ij}$ goes as the root of that joint law, not of the
law of a step alone: nodes that are visited more often weigh more. The chances of a step are (K, K), rows sum to 1.

On the ridge of the deterministic walk every token's score has the same slope, and the empty token's makes the sum zero.
So W moves along the sum of the tokens' positions less N - 1 times the last one, and the score of a place by its overlap
with that; orthogonal positions of one length make all overlaps equal.
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


def overlaps(P: Array) -> Array:
    """What the first step of W adds to the tokens' scores, up to a factor above 0, (R, N - 1), for P (R, N, M).

    Source: beyond the paper.
    """
    tokens, last = P[:, :-1], P[:, -1]
    pull = tokens.sum(axis=1) - tokens.shape[1] * last
    return (tokens @ pull[..., None])[..., 0]
