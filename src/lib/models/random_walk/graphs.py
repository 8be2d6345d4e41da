"""Walks on graphs other than the circle: from a uniform node, each step to a neighbour drawn from a matrix of chances.

Chapter `random_walk`, beyond arXiv 2511.23239.
"""

import numpy as np

from lib.errors import require, whole
from lib.models.random_walk.walks import Array, Nodes, Walks
from lib.sampling import Rngs

__all__ = ["GraphWalk", "path_steps", "regular_steps", "uneven"]


def path_steps(K: int) -> Array:
    """Chances of a step on a path of K nodes, (K, K): to either neighbour alike, back at the ends.

    Raises:
        InputError: if K < 3.
    """
    K = whole("K", K, 3)
    edges = np.eye(K, k=1) + np.eye(K, k=-1)
    return edges / edges.sum(axis=1, keepdims=True)


def regular_steps(K: int, degree: int, seed: int) -> Array:
    """Chances of a step on a random connected graph of K nodes with `degree` neighbours each, (K, K).

    Pairs of loose ends are drawn until they make a simple connected graph (the configuration model).

    Args:
        K: nodes, more than `degree`.
        degree: neighbours of a node, at least 3; K times degree must be even.
        seed: of the graph.

    Raises:
        InputError: if there is no such graph.
    """
    degree, K = whole("degree", degree, 3), whole("K", K, 4)
    require(degree < K, "K", f"more than {degree} nodes", K)
    require(K * degree % 2 == 0, "K", "an even number of ends, K times degree", K * degree)
    rng = np.random.default_rng(seed)
    while True:
        ends = rng.permutation(np.repeat(np.arange(K), degree)).reshape(-1, 2)
        edges = np.zeros((K, K))
        np.add.at(edges, (ends[:, 0], ends[:, 1]), 1)
        edges += edges.T
        reached = np.linalg.matrix_power(edges + np.eye(K), K) > 0
        if edges.max() == 1 and np.trace(edges) == 0 and reached.all():
            return edges / degree


def uneven(steps: Array, seed: int) -> Array:
    """Other chances of a step along the same edges, (K, K): numbers between 1/4 and 1, drawn, over their row's sum.

    Args:
        steps: chances of a step, (K, K).
        seed: of the draw.
    """
    drawn = np.where(steps > 0, np.random.default_rng(seed).uniform(0.25, 1, size=steps.shape), 0)
    return drawn / drawn.sum(axis=1, keepdims=True)


class GraphWalk:
    """The task: predict where a walk on a graph goes next.

    Args:
        steps: chances of a step, (K, K), row by row; rows sum to 1.
        N: nodes that a walk visits, the target included, at least 2.

    Raises:
        InputError: if the rows are no chances, or N is out of range.
    """

    def __init__(self, steps: Array, N: int) -> None:
        square = steps.ndim == 2 and steps.shape[0] == steps.shape[1]
        require(square, "steps", "a square matrix", steps.shape)
        fair = bool((steps >= 0).all()) and np.allclose(steps.sum(axis=1), 1, rtol=0, atol=1e-12)
        require(fair, "steps", "rows of chances with sum 1", steps.sum(axis=1))
        self.steps, self.K, self.N = steps, len(steps), whole("N", N, 2)

    def sample(self, n: int, rngs: Rngs) -> Walks:
        """n walks for each generator, all of weight 1/n; run r depends on rngs[r] alone.

        Raises:
            InputError: if n < 1 or there is no generator.
        """
        n = whole("n", n, 1)
        require(len(rngs) > 0, "rngs", "at least one generator", "none")
        upto = np.cumsum(self.steps, axis=1)[:, :-1]
        s = np.empty((len(rngs), n, self.N), dtype=np.intp)
        for walks, rng in zip(s, rngs, strict=True):
            walks[:, 0] = rng.integers(self.K, size=n)
            for j, drawn in enumerate(rng.random((self.N - 1, n))):
                walks[:, j + 1] = (drawn[:, None] >= upto[walks[:, j]]).sum(axis=1)
        return Walks(s, np.full((len(rngs), n), 1 / n))

    def next_law(self, s: Nodes) -> Array:
        """The true law of the target given the node before it, (R or 1, n, K), of walks s (R or 1, n, N)."""
        return self.steps[s[..., -2]]
