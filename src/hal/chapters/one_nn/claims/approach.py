"""Claim NN-30: how the ratio of the two numbers climbs to 2.

Chapter `one_nn`. Source: beyond arXiv 2411.10830.
"""

import numpy as np

from hal.chapters.one_nn.claims._shared import TIMES, flows
from hal.claims import Part, Result, claim, result, seed_block
from lib.theory import one_nn as theory

LAST = np.array([1e14, 1e16])


@claim(
    "NN-30",
    where="beyond the paper: how xi_2 / xi_1 approaches 2",
    says="xi_2 / xi_1 climbs to 2 as 2 - r ~ t^(-1/(3p)), p = N (d - 1) / 2 - 1: from -1/6 with three examples in "
    "three dimensions to -1/15 with four in four. From t = 1e6 to 1e8 drawn prompts and the two late equations agree.",
    control={"sigma": 2000.0},
    breaks="a self-attention mask so strong that no query ever attends to itself",
)
def _check_30(sigma: float = 3.0, block: int = 0) -> Result:
    """Follow drawn prompts from the mask `sigma`, and the late equations on to 1e16."""
    parts = []
    for d, N in ((3, 3), (4, 4), (4, 8)):
        run, at = flows(d, N, sigma, block), TIMES >= 0.99e6
        measured, late = (run.params.xi2 / run.params.xi1)[at], theory.late_ratio(TIMES[at], d, N)
        parts.append(Part(f"largest gap of r, 1e6 to 1e8, d = {d}, N = {N}", np.abs(measured - late).max(), 0.0, 0.02))
    for d, N in ((3, 3), (3, 4), (4, 4)):
        first, last = 2 - theory.late_ratio(LAST, d, N)
        power = float(np.log(last / first) / np.log(LAST[1] / LAST[0]))
        parts.append(
            Part(f"power of t in 2 - r, d = {d}, N = {N}", power, theory.approach_exponent(d, N), 0.02, "relative")
        )
    return result(*parts, seeds=seed_block(block, 1))
