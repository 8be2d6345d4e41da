"""Claim GS-27: a piece of the recorded costs of a new task, on other seeds.

Chapter `group_sparse`. Source: arXiv 2504.08638, Section 4; the law without a free parameter is beyond the paper.
"""

import numpy as np

from hal.chapters.group_sparse.runs.cost import Setting, cell, predicted
from hal.claims import Part, Result, claim, result, seed_block

_MARGINS = (0.1, 0.4)


@claim(
    "GS-27",
    where="Section 4, the downstream theorem; the formulas are beyond the paper",
    says=(
        "Examples until 5% are wrong, of a layer whose value and attention learn on and of logistic regression, are "
        "those of formulas without a free parameter; from the margin 0.1 to 0.4 both fall like its inverse, and not "
        "like its inverse square as the theorem's bound does."
    ),
    control={"group": 1},
    breaks="the layer attends to another group than the one that decides",
)
def _check_27(group: int = 2, block: int = 0) -> Result:
    """`group`: the one that the layer attends to; the new task is on 2."""
    seeds, found, parts = seed_block(block, 32), {}, []
    for D, d, gamma in ((8, 4, _MARGINS[0]), (8, 4, _MARGINS[1]), (4, 4, 0.2)):
        size = Setting(D, d, gamma, 0.9, 0)
        row, known = cell(size, seeds, group), predicted(size, 0.9)
        for name, law, near in (("tuned", "layer", 0.3), ("linear", "linear", 0.2)):
            counted = found[D, gamma, name] = row[name][0] or 1e6  # not within those that were drawn
            word = f"{name}, (d, D) = ({d}, {D}), margin {gamma:g}"
            parts.append(Part(f"examples for 5 % error, {word}", counted, known[law], near, "relative", 1.0))
    for name in ("tuned", "linear"):
        power = float(np.log(found[8, 0.4, name] / found[8, 0.1, name]) / np.log(4))
        parts.append(Part(f"power of the margin, {name}, (d, D) = (4, 8)", power, -1.05, 0.3, drift=0.02))
    return result(*parts, seeds=seeds)
