"""Claim SNAP-43: how much of the fall of the common tokens the optimiser makes after the decoder is right.

Chapter `scan_snap`. Source: arXiv 2305.16380, Figure 4; momentum 0.9 from the authors' released settings.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scan_snap.runs import learn, rates
from hal.claims import Part, Result, claim, result, seed_block
from lib import optim
from lib.models import scan_snap as ss

_RIGHT = 0.1  # nats: below this loss the decoder is right nine times in ten
_HELD = 0.9 / (1 - 0.9)  # steps like the last one that momentum 0.9 still makes when the gradient stops: 0.9 + 0.81 + …


def _mass(Z: NDArray[np.float64], task: ss.Task) -> NDArray[np.float64]:
    """Attention (R,) on the common tokens, mean over classes, from logits (R, Q, C)."""
    return ss.mass_on(ss.attention(ss.Params(np.empty(0), Z), task), task.common)


@claim(
    "SNAP-43",
    where="Figure 4; beyond the paper (what momentum does)",
    says=(
        "At the paper's rates, with momentum 0.9, most of the fall of the common tokens comes after the decoder is "
        "right. At the first step at which the loss is below 0.1 they have made a ninth of it, a seventh in infinitely "
        "long sequences. With what momentum then holds, nine times the last step, and without any further gradient, "
        "they come to three fifths and to two thirds."
    ),
    control={"make": optim.sgd, "steps": 600},
    breaks="gradient descent without momentum, learning rates unchanged",
)
def _check_43(make: Callable[[Any], optim.Transform] = optim.momentum, steps: int = 100, block: int = 0) -> Result:
    parts, seeds = [], seed_block(block, 6)
    for word, L, some, shares, room in (
        ("sequences of 128", 127, seeds, (0.11, 0.586), (0.01, 0.02)),
        ("infinitely long", None, seeds[:1], (0.143, 0.693), (0.002, 0.002)),
    ):
        found = _shares(ss.base_task(L=L), some, rates(1.0, 1.0, make), steps)
        parts += [
            Part(f"{word}: share of the fall made when the loss is below 0.1", found[0], shares[0], room[0]),
            Part(f"{word}: the same, with nine times the last step", found[1], shares[1], room[1]),
        ]
    return result(*parts, seeds=seeds)


def _shares(task: ss.Task, seeds: Sequence[int], optimiser: optim.Transform, steps: int) -> tuple[float, float]:
    """Of the whole fall: what is made at the first step with a small loss, and with what momentum then holds."""
    run = learn(task, seeds, optimiser, steps, record={"Z": lambda p: p.Z}, record_at=range(steps + 1)).check()
    Z, each = run["Z"], np.arange(len(seeds))
    right = np.argmax(run["loss"] < _RIGHT, axis=1) - 1  # a loss is recorded once the step is made that it led to
    then = Z[each, right]
    held = then + _HELD * (then - Z[each, right - 1])
    start, now, later, end = (_mass(z, task) for z in (Z[:, 0], then, held, Z[:, -1]))
    return float(np.mean((start - now) / (start - end))), float(np.mean((start - later) / (start - end)))
