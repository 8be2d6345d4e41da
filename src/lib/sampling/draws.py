"""Where draws come from: a generator a seed, its raw bits, and laws on finitely many outcomes."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lib.errors import require, whole


def generators(seeds: Sequence[int], purpose: int = 0) -> list[np.random.Generator]:
    """One generator for each of R seeds.

    Args:
        seeds: R whole numbers of at least 0.
        purpose: separates streams (0 tokens, 1 task, 2 start), so that none is used twice.
    """
    for seed in seeds:
        whole("seed", seed)
    # SFC64 fills memory with raw words faster than the default generator, and sampling is half of a step.
    return [np.random.Generator(np.random.SFC64(np.random.SeedSequence(int(s), spawn_key=(purpose,)))) for s in seeds]


def raw_words(rng: np.random.Generator, count: int) -> NDArray[np.uint64]:
    """`count` random 64-bit words, the cheapest exact source: each byte of a word is an independent draw."""
    source = rng.bit_generator
    if isinstance(source, np.random.MT19937):  # the one generator of NumPy whose raw words have 32 random bits
        return rng.integers(0, 2**64 - 1, size=count, dtype=np.uint64, endpoint=True)
    return source.random_raw(count)


def check_distribution(name: str, p: NDArray[np.float64], axis: int = -1) -> None:
    """Refuse an array that is no probability distribution along `axis`, where it must sum to 1 within 1e-9."""
    require(np.all(np.isfinite(p)), name, "finite probabilities", "a value that is not finite")
    require(np.all(p >= 0), name, "probabilities of at least 0", f"a smallest of {p.min():g}")
    sums = p.sum(axis=axis)
    worst = sums.flat[np.argmax(np.abs(sums - 1))]
    require(abs(worst - 1) <= 1e-9, name, "probabilities that sum to 1", f"a sum of {worst:.12g}")


def choose(cumulative: NDArray[np.float64], uniform: NDArray[np.float64]) -> NDArray[np.intp]:
    """The first of K indices (...) whose cumulative probability exceeds a number in [0, 1).

    Args:
        cumulative: (..., K) cumulative probabilities; the last is taken to be 1 whatever its rounding.
        uniform: (...) the numbers.
    """
    if cumulative.shape[-1] > 8:
        return np.add.reduce(uniform[..., None] >= cumulative[..., :-1], axis=-1)
    # For few choices one pass a choice is faster than many sums of a few terms.
    index = np.zeros(uniform.shape, dtype=np.intp)
    for n in range(cumulative.shape[-1] - 1):
        index += uniform >= cumulative[..., n]
    return index
