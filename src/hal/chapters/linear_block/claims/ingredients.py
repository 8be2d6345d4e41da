"""Claim LTB-37: which ingredient of GPT-2 makes the MLP matter.

Chapter `linear_block`. Source: the question of arXiv 2402.14951, Table 1; recorded runs of ours.
"""

import numpy as np

from hal.chapters.linear_block.runs import recorded_ingredients
from hal.chapters.linear_block.runs.ingredients import SEEDS, TASK
from hal.claims import Part, Result, claim, result
from lib.theory import linear_block as theory


@claim(
    "LTB-37",
    where="beyond the paper; recorded runs",
    says=(
        "A trained read-out does for the linear block what the MLP does: both end near the best risk. Behind it "
        "softmax leaves the MLP idle; LayerNorm makes it matter: without it the median error is at least 1.5 times as "
        "large, in two blocks of five runs (d = 3, M = 12, mean of length 4)."
    ),
    control={"readout": False},
    breaks="the linear block without a read-out",
)
def _check_37(readout: bool = True) -> Result:
    errors = recorded_ingredients()
    parts, half = [], SEEDS // 2
    linear = "a read-out" if readout else "the linear block"
    for i, runs in enumerate((slice(0, half), slice(half, SEEDS))):
        ends = {key: float(np.median(found[runs])) for key, found in errors.items()}
        where = f"block {i + 1} of runs"
        for added, with_mlp in ((linear, False), ("the linear block", True)):
            name = f"median error of {added}, {'with' if with_mlp else 'without'} an MLP, {where}"
            parts.append(Part(name, ends[added, with_mlp], theory.best_risk(TASK), 0.03, "relative"))
        softmax, norm = (
            ends[f"read-out, {what}", False] / ends[f"read-out, {what}", True]
            for what in ("softmax", "LayerNorm at both")
        )
        parts.append(Part(f"softmax: median error without an MLP over that with one, {where}", softmax, 1.0, 0.05))
        parts.append(Part(f"LayerNorm: the same ratio, {where}", norm, 1.5, 0, "at least"))
    return result(*parts, seeds=range(SEEDS))
