"""Positions that are not orthogonal: which place wins on the ridge of the deterministic walk.

Chapter `random_walk`, beyond arXiv 2511.23239. There every token's score has the same slope, and the empty token's
makes the sum zero. So W moves along the sum of the tokens' positions less N - 1 times the last one, and the score of a
place by its overlap with that; orthogonal positions of one length make all overlaps equal.
"""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def overlaps(P: Array) -> Array:
    """What the first step of W adds to the tokens' scores, up to a factor above 0, (R, N - 1), for P (R, N, M).

    Source: beyond the paper.
    """
    tokens, last = P[:, :-1], P[:, -1]
    pull = tokens.sum(axis=1) - tokens.shape[1] * last
    return (tokens @ pull[..., None])[..., 0]
