"""Claim SCB-45: the sign, the positions and Stage 1 from random starts, a piece of the record on other seeds.

Chapter `scb`. Beyond arXiv 2410.23438, which starts at V = mu 1^T and uniform attention.
"""

import numpy as np

from hal.chapters.scb.runs import starts
from hal.claims import Part, Result, claim, result, seed_block


def _middle(found: dict) -> float:
    """Median steps until both signals are 0.1; a run that never is counts as slower than all."""
    return float(np.median([np.inf if x is None else x for x in found["escape"]]))


@claim(
    "SCB-45",
    where="beyond the paper (initialisation)",
    says="From a random initialisation the true sign has the probability $\\Phi(z)$ with $1/z^2=s^2/(2G)+v/d^2$: the "
    "variance $v$ of the first signal, over the squared drift, adds to the noise. A random $V$ as long as the true "
    "signal finds its positions, and its Stage 1 takes as many steps at $T=512$ as at $T=64$.",
    control={"scale": 0.0},
    breaks="the random part is left out, and the drift decides again",
)
def _check_45(scale: float = 1.0, block: int = 0) -> Result:
    """`scale`: of the random part, 1 for what the law is told."""
    seeds, few = seed_block(block, 192), seed_block(block, 16)
    parts = []
    for part, size in (("V", 0.06), ("A", 1.0)):
        said = starts.cell(part, "own", size, 128, few[:1])["law"]
        found = starts.cell(part, "own", scale * size, 128, seeds)
        words = f"{part} random, size {size}" + (" over 1/(K_Q T)" if part == "A" else " of the signal")
        parts.append(Part(f"share with the true sign, {words}", float(np.mean(found["upright"])), said, 0.13))
    short, long = (starts.cell("V", "own", scale, T, few) for T in (64, 512))
    return result(
        *parts,
        Part("steps of Stage 1 from random V, T = 512 over T = 64", _middle(long) / _middle(short), 1.0, 0.35),
        Part("share that finds its positions, T = 512", float(np.mean(long["support"])), 0.75, 0, "at least"),
        seeds=seeds,
    )
