"""Points that crowd around one axis: data without the symmetry that leaves two numbers of the matrix.

Chapter `one_nn`, beyond the paper (Li et al. 2024, arXiv 2411.10830).
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.models import one_nn as model
from lib.sampling import Rngs

Array = NDArray[np.float64]


def crowded(points: Array, kappa: float) -> Array:
    """Points of the sphere with their first coordinate stretched, of length 1 again: no longer uniform."""
    moved = points * np.where(np.arange(points.shape[-1]) == 0, kappa, 1.0)
    return moved / np.linalg.norm(moved, axis=-1, keepdims=True)


class Crowded(model.FullMatrix):
    """The whole matrix on prompts whose points are `crowded`."""

    def __init__(self, task: model.Task, kappa: float, sigma: ArrayLike = 3.0) -> None:
        super().__init__(task, sigma)
        self.kappa = kappa

    def sample(self, batch: int, rngs: Rngs, step: int = 0) -> model.Prompts:
        """Fresh prompts, their points moved."""
        prompts = super().sample(batch, rngs, step)
        return prompts._replace(x=crowded(prompts.x, self.kappa), query=crowded(prompts.query, self.kappa))
