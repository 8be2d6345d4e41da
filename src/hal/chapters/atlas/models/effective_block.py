"""The linear transformer block, trained in its effective parameters: the task of chapter 6, as the atlas compares it.

Shapes, losses and refusals are those of `lib.models.linear_block`.
"""

from __future__ import annotations

import numpy as np

from lib.errors import require
from lib.models.linear_block.fast import (
    Array,
    EffectiveParams,
    OnPrompts,
    Prompts,
    Task,
    block_loss_and_gradient,
)
from lib.sampling import Rngs


class EffectiveBlock(OnPrompts):
    """The block as a problem for `lib.train.train`, in its effective parameters.

    Args:
        task: what it learns.
        start: standard deviation of the entries at the start, to which 0.3 is added in c and 0.3 I in Q: values by
            label, scores by features.

    Example:
        >>> from lib.models.linear_block import power_task
        >>> from lib.optim import adam
        >>> from lib.train import train
        >>> block = EffectiveBlock(power_task(d=2, M=10, norm=1.0))
        >>> run = train(block, None, adam(0.01), 200, 64, np.random.default_rng(0))
        >>> bool(run["loss"][0, -1] < run["loss"][0, 0])
        True
    """

    def __init__(self, task: Task, start: float = 0.02) -> None:
        require(np.isfinite(start) and start >= 0, "start", "a finite number of at least 0", start)
        self.task, self.start = task, float(start)

    def init(self, runs: int, rngs: Rngs) -> EffectiveParams:
        """The start, run r from rngs[r] alone."""
        require(len(rngs) == runs, "rngs", f"{runs} generators", len(rngs))
        d = self.task.d
        drawn = self.start * np.stack([rng.standard_normal(3 * d + 1 + d * d) for rng in rngs])
        alpha, v, c, q, Q = np.split(drawn, [d, 2 * d, 2 * d + 1, 3 * d + 1], axis=1)
        return EffectiveParams(alpha, v, c[:, 0] + 0.3, Q.reshape(runs, d, d) + 0.3 * np.eye(d), q)

    def loss_and_gradient(self, params: EffectiveParams, batch: Prompts) -> tuple[Array, EffectiveParams]:
        """Mean squared error (R,) of the query's label, and its gradient."""
        return block_loss_and_gradient(params, batch)
