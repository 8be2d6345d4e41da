"""Laws on finitely many outcomes: the check that an array is one, and the draw from its cumulative form."""

import numpy as np
from numpy.typing import NDArray

from lib.errors import require


def check_distribution(name: str, p: NDArray[np.float64], axis: int = -1) -> None:
    """Refuse an array whose entries along `axis` are not a probability distribution.

    Args:
        name: the argument's name, for the message.
        p: the array.
        axis: the axis that must sum to 1 (within 1e-9) with entries that are finite and not negative.

    Raises:
        InputError: saying which of the three failed, and by how much.
    """
    require(np.all(np.isfinite(p)), name, "finite probabilities", "a value that is not finite")
    require(np.all(p >= 0), name, "probabilities of at least 0", f"a smallest of {p.min():g}")
    sums = p.sum(axis=axis)
    worst = sums.flat[np.argmax(np.abs(sums - 1))]
    require(abs(worst - 1) <= 1e-9, name, "probabilities that sum to 1", f"a sum of {worst:.12g}")


def choose(cumulative: NDArray[np.float64], uniform: NDArray[np.float64]) -> NDArray[np.intp]:
    """Inverse of a cumulative distribution: the first index whose cumulative probability exceeds `uniform`.

    Args:
        cumulative: (..., K) cumulative probabilities; the last is taken to be 1 whatever its rounding.
        uniform: (...) numbers in [0, 1).

    Returns:
        (...) indices in 0 .. K - 1.
    """
    if cumulative.shape[-1] > 8:
        return np.add.reduce(uniform[..., None] >= cumulative[..., :-1], axis=-1)
    # For few choices one pass a choice is faster than many sums of a few terms.
    index = np.zeros(uniform.shape, dtype=np.intp)
    for n in range(cumulative.shape[-1] - 1):
        index += uniform >= cumulative[..., n]
    return index
