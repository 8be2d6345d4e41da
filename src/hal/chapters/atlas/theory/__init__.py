"""What is common to the six tasks, over arrays; it knows nothing of models and training.

Chapter `atlas`. Source: our own; derived in the chapter. What is out of range raises `InputError`.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hal.chapters.atlas.theory import portable
from lib.errors import require
from lib.portable import lift

half_clock = lift(portable.half_clock)


def hearing(gradient: ArrayLike) -> NDArray[np.float64]:
    """Share of a read-out gradient that softmax attention can use: what differs between tokens, squared norms.

    Args:
        gradient: (..., outputs, tokens), not zero.

    Returns:
        (...), between 0, where every output's row is constant, and 1.

    Source: our own; the part common to all tokens drops out of softmax attention, Lemma 1 of the chapter.
    """
    G = np.asarray(gradient, dtype=np.float64)
    require(G.ndim >= 2, "gradient", "outputs and tokens as the last two axes", G.shape)
    whole = np.square(G).sum(axis=(-2, -1))
    require(np.all(whole > 0), "gradient", "numbers other than zero", "zero")
    return np.asarray(np.square(G - G.mean(axis=-1, keepdims=True)).sum(axis=(-2, -1)) / whole)
