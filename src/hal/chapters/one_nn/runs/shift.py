"""Test prompts along a run: loss and accuracy, separated by delta or uniform.

Chapter `one_nn`. Source: arXiv 2411.10830, the theorem on distribution shift and the right panel of its figure.
"""

from numpy.typing import ArrayLike

from lib.models import one_nn as model
from lib.models.one_nn import Scores
from lib.sampling import generators


def shift_scores(
    xi1: ArrayLike, xi2: ArrayLike, d: int, N: int, delta: float = 0.1, prompts: int = 20_000, seed: int = 0
) -> Scores:
    """Loss, accuracy and largest error of K pairs (xi_1, xi_2) on the same fresh prompts.

    Args:
        xi1: (K,).
        xi2: (K,); may be infinite.
        d: dimension, at least 2.
        N: examples in a prompt.
        delta: separation in squared distance; 0 for uniform prompts, whose points and labels are otherwise the same.
        prompts: how many.
        seed: of the prompts.

    Raises:
        InputError: if an argument is out of range.
    """
    (rng,) = generators([seed], purpose=3)
    return model.score(xi1, xi2, model.draw_contexts(d, N, prompts, rng, delta))
