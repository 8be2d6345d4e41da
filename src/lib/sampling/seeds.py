"""Seeds to generators, in one way for every chapter."""

from collections.abc import Sequence

import numpy as np

from lib.errors import whole


def generators(seeds: Sequence[int], purpose: int = 0) -> list[np.random.Generator]:
    """One generator a seed; `purpose` separates streams (0 tokens, 1 task, 2 start), so none is used twice.

    Args:
        seeds: R whole numbers of at least 0.
        purpose: index of the child stream.

    Returns:
        R generators.

    Raises:
        InputError: if a seed is negative or not whole.
    """
    for seed in seeds:
        whole("seed", seed)
    # SFC64 fills memory with raw words faster than the default generator, and sampling is half of a step.
    return [np.random.Generator(np.random.SFC64(np.random.SeedSequence(int(s), spawn_key=(purpose,)))) for s in seeds]
