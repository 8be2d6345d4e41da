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
        "With a prior mean of length 10 one block is at least seven times worse without an MLP than with a linear one, "
        "under softmax attention as under linear attention (d = 4, M = 20)."
    ),
    control={"norm": 0.0},
    breaks="a prior mean of zero",
)
def _check_27(norm: float = 10.0, block: int = 0) -> Result:
    seeds, parts = seed_block(block, 2), []
    for attention in ("softmax", "linear"):
        without, with_mlp = (small_block_errors(seeds, attention, mlp, norm).mean() for mlp in ("none", "linear"))
        name = f"error without an MLP over the error with one, {attention} attention"
        parts.append(Part(name, without / with_mlp, 7, 0, "at least", drift=0.5))
    task = power_task(d=4, M=20, sigma=0.5, norm=norm)
    known = theory.best_attention(task).risk
    parts.append(Part("error of linear attention without an MLP", without, known, 0.1, "relative", drift=0.5))
    return result(*parts, seeds=seeds)
