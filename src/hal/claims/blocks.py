"""Other seeds: a claim measured on blocks of seeds that nobody picked.

A tolerance is set with the first eight blocks in sight and then tried, once, on eight others. Where those fail, the
statement changes, not the tolerance.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hal.claims.base import Claim
from hal.claims.parts import Part, Result
from lib.errors import require

SETTING, TRIAL = range(8), range(8, 16)  # the blocks that tolerances are set with, those that they are tried on
BLOCKS = (*SETTING, *TRIAL)


@dataclass(frozen=True)
class Spread:
    """What a claim measured on several blocks of seeds.

    Attributes:
        blocks: how many there are.
        agree: in how many of them the verdict is the one that the claim declares.
        parts: lowest, median and highest value of each part, in the units of `value_of`, by the part's name.
    """

    blocks: int
    agree: int
    parts: dict[str, tuple[float, float, float]]


def spread(claim: Claim, blocks: Sequence[int] = BLOCKS) -> Spread:
    """Run the check of a claim that draws from seeds on each block; takes as many times longer as there are blocks.

    Raises:
        InputError: if the claim draws nothing, there is no block, or its parts have other names in another block.

    Example:
        >>> from hal import claims
        >>> claims.spread(claims.get("SCB-3"), blocks=[0, 1]).agree
        2
    """
    require(claim.random, "claim", "one whose check takes a block of seeds", claim.id)
    return summary(claim, [claim.check(block) for block in blocks])


def summary(claim: Claim, found: Sequence[Result]) -> Spread:
    """The spread of what a claim's check found on several blocks.

    Raises:
        InputError: if nothing was found, or the parts have other names in another block.
    """
    require(len(found) > 0, "blocks", "at least one", "none")
    names = [part.name for part in found[0].parts]
    for result in found:
        there = [part.name for part in result.parts]
        require(there == names, "parts", f"the same names in every block, {names}", there)
    values = np.array([[value_of(part) for part in result.parts] for result in found])  # (blocks, parts)
    three = np.stack([values.min(axis=0), np.median(values, axis=0), values.max(axis=0)], axis=-1).tolist()
    parts = {name: (low, middle, high) for name, (low, middle, high) in zip(names, three, strict=True)}
    return Spread(len(found), sum(result.verdict == claim.verdict for result in found), parts)


def value_of(part: Part) -> float:
    """What is compared between blocks: measured over expected, measured minus expected, or the measured number itself.

    The first for a part whose kind is "relative", the second for "absolute", the third for a bound.
    """
    if part.kind == "relative":
        return part.measured / part.expected
    return part.measured - part.expected if part.kind == "absolute" else part.measured


def check_block(ids: Sequence[str], block: int) -> dict[str, Result]:
    """The checks of several claims that draw on one block, in one process, so that they can share what they run."""
    from hal import claims  # a process of its own starts here

    return {id: claims.get(id).check(block) for id in ids}
