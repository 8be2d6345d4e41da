"""Claim GS-28: the edge of stability of the population, over groups and variables.

Chapter `group_sparse`. Source: beyond arXiv 2504.08638, whose Theorem 3.1 asks for a learning rate of order one.
"""

import numpy as np

from hal.chapters.group_sparse.runs.edge import Setting, pair_edge, six_edge
from hal.claims import Part, Result, claim, result, seed_block
from lib.theory import group_sparse as theory


@claim(
    "GS-28",
    where="Theorem 3.1, the learning rate; beyond the paper",
    says=(
        "The largest learning rate at which no step raises the population's loss is that at which the first step does, "
        "for D from 2 to 64: lr D is 17.1 at D = 2, 9.4 at 8, 8.2 at 64. With contents it is the same for 2 variables "
        "in a group as for 8."
    ),
    control={"gap": 1.0},
    breaks="attention leans towards the group from the beginning, by a logit gap of 1",
)
def _check_28(gap: float = 0.0, block: int = 0) -> Result:
    """`gap`: of the logit at first."""
    seeds, parts = seed_block(block, 16), []
    for D in (2, 8, 64):
        parts.append(
            Part(f"lr D at the edge, two scalars, D = {D}", pair_edge(D)[0], theory.first_edge(D), 0.01, "relative")
        )
    for D in (3, 6):
        for d in (2, 8):
            found = [six_edge(Setting(D, d), seed, gap, 1024) for seed in seeds]
            mean = float(np.mean([edge for edge, _ in found]))
            word = f"D = {D}, d = {d}"
            parts.append(
                Part(f"lr D at the edge, six scalars, {word}", mean, theory.first_edge(D), 0.05, "relative", 0.05)
            )
            others = sum(step != 1 for _, step in found)
            parts.append(
                Part(f"samples of 16 whose first rise is not step 1, {word}", float(others), 0, 0, "at most", 1.0)
            )
    return result(*parts, seeds=seeds)
