"""Claim LTB-27: with and without an MLP, from the linear block towards a transformer.

Chapter `linear_block`. Source: arXiv 2402.14951, Table 1, at a size that trains in seconds.
"""

from __future__ import annotations

from lib.chapters.linear_block.runs import small_block_errors
from lib.claims import Part, Result, claim, result, seed_block
from lib.models.linear_block import power_task
from lib.theory import linear_block as theory


@claim(
    "LTB-27",
    where="Table 1, reduced to one block without LayerNorm",
    says=(
        "With a prior mean of length 10 one block with softmax attention is at least five times worse without an MLP "
        "than with a linear one; with linear attention and no MLP training ends within a tenth of the best attention's "
        "risk, eleven times the best block's (d = 4, M = 20)."
    ),
    control={"norm": 0.0},
    breaks="a prior mean of zero",
)
def _check_27(norm: float = 10.0, block: int = 0) -> Result:
    seeds, task = seed_block(block, 2), power_task(d=4, M=20, sigma=0.5, norm=norm)
    without, with_mlp = (small_block_errors(seeds, "softmax", mlp, norm).mean() for mlp in ("none", "linear"))
    linear = small_block_errors(seeds, "linear", "none", norm).mean()
    best = theory.best_attention(task).risk
    return result(
        Part("error without an MLP over that with one, softmax attention", without / with_mlp, 5, 0, "at least", 0.5),
        Part("error of linear attention without an MLP", linear, best, 0.1, "relative", 0.5),
        Part("the best attention's risk over the best block's", best / theory.best_risk(task), 11.1, 0.05),
        seeds=seeds,
    )
