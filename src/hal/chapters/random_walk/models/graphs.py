"""Walks on other graphs than a circle, beyond arXiv 2511.23239 (chapter `random_walk`).

What is out of range, or is not there, raises InputError.
"""

import numpy as np

from lib.errors import require, whole
from lib.models.random_walk.fast import Array, Nodes, Walks
from lib.sampling import Rngs


class GraphWalk:
    """The task: predict where a walk on a graph goes next, from a uniform node, each step to a neighbour.

    Args:
        steps: chances of a step, (K, K), row by row; rows sum to 1.
        N: nodes that a walk visits, the target included, at least 2.
    """

    def __init__(self, steps: Array, N: int) -> None:
        square = steps.ndim == 2 and steps.shape[0] == steps.shape[1]
        require(square, "steps", "a square matrix", steps.shape)
        fair = bool((steps >= 0).all()) and np.allclose(steps.sum(axis=1), 1, rtol=0, atol=1e-12)
        require(fair, "steps", "rows of chances with sum 1", steps.sum(axis=1))
        self.steps, self.K, self.N = steps, len(steps), whole("N", N, 2)

    def sample(self, n: int, rngs: Rngs) -> Walks:
        """`n` >= 1 walks for each of one or more generators, all of weight 1/n; run r depends on rngs[r] alone."""
        upto = np.cumsum(self.steps, axis=1)[:, :-1]

        def draw(rng: np.random.Generator) -> Nodes:
            s = np.empty((n, self.N), dtype=np.intp)
            s[:, 0] = rng.integers(self.K, size=n)
            for j, drawn in enumerate(rng.random((self.N - 1, n))):
                s[:, j + 1] = (drawn[:, None] >= upto[s[:, j]]).sum(axis=1)
            return s

        return Walks(np.stack([draw(rng) for rng in rngs]), np.full((len(rngs), n), 1 / n))

    def next_law(self, s: Nodes) -> Array:
        """The true law of the target given the node before it, (R or 1, n, K), of walks s (R or 1, n, N)."""
        return self.steps[s[..., -2]]
