"""Claims LTB-28 and LTB-37: with and without an MLP, from the linear block towards a transformer.

Chapter `linear_block`. Source: arXiv 2402.14951, Table 1, at sizes that train in seconds, and in minutes.
"""

import numpy as np

from hal.chapters.linear_block.runs import gpt, ingredients, recorded_errors, recorded_ingredients
from hal.chapters.linear_block.runs.table1 import PUBLISHED
from hal.claims import Part, Result, claim, result
from lib.theory import linear_block as theory


@claim(
    "LTB-28",
    where="Table 1, reduced to one GPT-style layer; recorded runs",
    says=(
        "With every entry of the prior mean at 10, a GPT-style model without an MLP ends with 682 times the error of "
        "one with it (8.871 against 0.013, six layers)."
    ),
    control={"mean": 0.0},
    breaks="a prior mean of zero",
    verdict="not reproduced",
    regime=(
        "The order is the paper's, the factor is not: one layer ends with a median error some two times as large "
        "without an MLP as with one, at least half as large again in both blocks of five runs (d = 3, M = 10, 16,000 "
        "steps)."
    ),
)
def _check_28(mean: float = 10.0) -> Result:
    ends = [np.concatenate([recorded_errors(mean, mlp, block)[:, -1] for known, block in gpt.BLOCKS if known == mean])
            for mlp in (False, True)]  # fmt: skip
    published = PUBLISHED[10.0, False] / PUBLISHED[10.0, True]
    ratio = float(np.median(ends[0]) / np.median(ends[1]))
    parts = [Part("error without an MLP over that with one", ratio, published, 0.5, "relative", published=True)]
    for block in [block for known, block in gpt.BLOCKS if known == mean]:
        without, with_mlp = (np.median(recorded_errors(mean, mlp, block)[:, -1]) for mlp in (False, True))
        name = f"median error without an MLP over that with one, block {block + 1} of runs"
        parts.append(Part(name, float(without / with_mlp), 1.5, 0, "at least"))
    return result(*parts, seeds=range(gpt.SEEDS * (len(parts) - 1)))


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
    parts, half = [], ingredients.SEEDS // 2
    linear = "a read-out" if readout else "the linear block"
    for i, runs in enumerate((slice(0, half), slice(half, ingredients.SEEDS))):
        ends = {key: float(np.median(found[runs])) for key, found in errors.items()}
        where = f"block {i + 1} of runs"
        for added, with_mlp in ((linear, False), ("the linear block", True)):
            name = f"median error of {added}, {'with' if with_mlp else 'without'} an MLP, {where}"
            parts.append(Part(name, ends[added, with_mlp], theory.best_risk(ingredients.TASK), 0.03, "relative"))
        softmax, norm = (
            ends[f"read-out, {what}", False] / ends[f"read-out, {what}", True]
            for what in ("softmax", "LayerNorm at both")
        )
        parts.append(Part(f"softmax: median error without an MLP over that with one, {where}", softmax, 1.0, 0.05))
        parts.append(Part(f"LayerNorm: the same ratio, {where}", norm, 1.5, 0, "at least"))
    return result(*parts, seeds=range(ingredients.SEEDS))
