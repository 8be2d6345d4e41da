"""What theory says of a block with switches, for the figure of what the output sees; plain Python, which the page runs.

Chapter `linear_block`. The block is that of `textbook_parts`; theory is that of `portable_cut`.
H = Psi = I.
"""

from lib.models.linear_block.textbook_block import Block, new_block, population_risk
from lib.models.linear_block.textbook_parts import (
    LENGTHS,
    RANDOM,
    RECORDS,
    SHOWN,
    Settings,
    chosen_weights,
    query_lengths,
    symmetric_block,
)
from lib.models.linear_block.textbook_prompts import Law, law_of
from lib.models.linear_block.textbook_weights import new_rows, reduce
from lib.portable.primitives import Readings, sqrt, zeros
from lib.portable.vectors import fill, filled, total
from lib.theory.linear_block.portable import best_gains, best_risk
from lib.theory.linear_block.portable_cut import PARTS, best_cut, part_squares, unmasked_cost

NORMS = 13  # on the curve over the prior mean: 0 to 6


def is_alive(settings: Settings) -> int:
    """1 where the query's own copy can reach the output."""
    return 1 if settings.residual == 1 and settings.mlp == 1 else 0


def left_risk(settings: Settings, norm: float) -> float:
    """The risk of the best block with these switches, for a prior mean of this length."""
    alive, M = is_alive(settings), float(settings.M)
    found = best_cut(settings.d, M, 1.0, settings.sigma, norm, alive, settings.mask)
    return found.risk


def seen(settings: Settings) -> Block:
    """What the output makes of the matrices with these switches."""
    block = new_block(settings.d)
    reduce(chosen_weights(settings), settings.mlp, new_rows(settings.d), block)
    if settings.residual == 0:
        fill(block.alpha, 0.0)
    return block


def exact_risk(law: Law, block: Block, mask: int) -> float:
    """The risk of a block on all prompts, with the mask (1) or without (0)."""
    risk = population_risk(law, block, new_block(len(law.h)))
    if mask == 1:
        return risk
    return risk + unmasked_cost(
        law.h, law.psi, law.mean, law.sigma, float(law.M), block.alpha, block.v, block.c, block.Q, block.q
    )


def parts_and_risks(settings: Settings) -> Readings:
    """What theory says of the block of these settings.

    Returns:
        (5,) sizes of its parts, their rows and numbers; (12,) prompt, numbers of those that are shown; (24,) each: its
        risk, that of the best that is left, that of the best block; (25,) query, the output on an empty prompt,
        and that of the best block.
        Numbers: own, left_now and best_now, those three risks; alpha and cube, two of the sizes; the settings residual,
        mlp, mask, norm and kind, all random kinds as one; alive where the query's copy can reach the output; whole
        where nothing is cut.
    """
    d, M, alive = settings.d, float(settings.M), is_alive(settings)
    law = law_of(d, settings.M, settings.sigma, settings.norm, 0.0, 1.0)
    block, at = seen(settings), query_lengths()
    squares = part_squares(law.h, 1.0, law.mean, law.sigma, M, block.alpha, block.v, block.c, block.Q, block.q)
    if settings.mask == 1:
        squares[PARTS - 1] = 0.0
    sizes, rows, numbers, prompt = zeros(PARTS), zeros(PARTS), zeros(PARTS), zeros(SHOWN)
    for p in range(PARTS):
        sizes[p] = sqrt(squares[p])
        rows[p] = float(p)
        numbers[p] = float(p + 1)
    for k in range(SHOWN):
        prompt[k] = float(k + 1)
    empty, whole, bend = zeros(LENGTHS), zeros(LENGTHS), 0.0
    slope = total(block.alpha) / sqrt(float(d))
    for i in range(d):
        bend += total(block.Q[i]) / float(d)
    bend *= total(block.v) / sqrt(float(d)) / M if settings.mask == 0 else 0.0
    for k in range(LENGTHS):
        empty[k] = slope * at[k] + bend * at[k] * at[k] * at[k]
        whole[k] = settings.norm * at[k]
    own, left = exact_risk(law, block, settings.mask), left_risk(settings, settings.norm)
    best = best_risk(law.h, law.sigma, M)
    return {
        "rows": rows, "numbers": numbers, "prompt": prompt, "sizes": sizes, "risk": filled(RECORDS, own),
        "left": filled(RECORDS, left), "best": filled(RECORDS, best), "query": at, "empty": empty,
        "whole_empty": whole, "own": [own],
        "left_now": [left], "best_now": [best], "alpha": [sizes[0]], "cube": [sizes[PARTS - 1]],
        "alive": [float(alive)], "norm": [settings.norm], "residual": [float(settings.residual)],
        "mlp": [float(settings.mlp)], "mask": [float(settings.mask)], "whole": [float(alive * settings.mask)],
        "kind": [float(min(settings.kind, RANDOM))],
    }  # fmt: skip


def risks_by_mean(settings: Settings) -> Readings:
    """Risks over the length of the prior mean, 0 to 6.

    Returns:
        (13,) each: norm; best, the best block; left, the best of what is left; cut, the best block, cut. A number: now.
    """
    norm, best, left, cut = zeros(NORMS), zeros(NORMS), zeros(NORMS), zeros(NORMS)
    d, M, sigma, alive = settings.d, float(settings.M), settings.sigma, is_alive(settings)
    for i in range(NORMS):
        norm[i] = 0.5 * float(i)
        law = law_of(d, settings.M, sigma, norm[i], 0.0, 1.0)
        gains = best_gains(law.h, 1.0, sigma, M)
        finished = symmetric_block(d, [norm[i] if alive == 1 else 0.0, -norm[i], gains[0], 0.0, 0.0])
        best[i] = best_risk(law.h, sigma, M)
        left[i] = left_risk(settings, norm[i])
        cut[i] = exact_risk(law, finished, settings.mask)
    return {"norm": norm, "best": best, "left": left, "cut": cut, "now": [settings.norm]}
