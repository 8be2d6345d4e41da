"""Random bits as they come from the generator: the cheapest exact source of draws."""

import numpy as np
from numpy.typing import NDArray


def raw_words(rng: np.random.Generator, count: int) -> NDArray[np.uint64]:
    """`count` random 64-bit words, the cheapest exact source: each byte of a word is an independent draw."""
    source = rng.bit_generator
    if isinstance(source, np.random.MT19937):  # the one generator of NumPy whose raw words have 32 random bits
        return rng.integers(0, 2**64 - 1, size=count, dtype=np.uint64, endpoint=True)
    return source.random_raw(count)
