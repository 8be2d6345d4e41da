"""Limit the length of the update, run by run."""

from typing import Any

import numpy as np

from lib.optim.base import Transform, rebuild
from lib.optim.hyper import Hyper, StepCount, align, hyper


def clip_by_global_norm(max_norm: Hyper) -> Transform:
    r"""Shorten a run's update to `max_norm` if its Euclidean norm over all fields is larger.

    Args:
        max_norm: $c \ge 0$ in units of the update; a number, an array (R,), or a schedule.

    Raises:
        InputError: if a norm is negative or not finite.

    Source: Pascanu, Mikolov, Bengio 2013, Algorithm 1, arXiv:1211.5063. `torch.nn.utils.clip_grad_norm_` adds 1e-6
    to the norm; we do not, so that a clipped update has exactly the length asked for.
    """
    at = hyper("max_norm", max_norm, low=0.0)

    def update(updates: Any, state: StepCount, params: Any) -> tuple[Any, StepCount]:
        del params
        limit = at(state.step)
        runs = updates[0].shape[0]
        square = np.zeros(runs)
        for u in updates:
            flat = u.reshape(runs, -1)
            # sums along the last axis only: a matrix product may round differently for other numbers of runs
            square += np.add.reduce(flat * flat, axis=-1)
        norm = np.sqrt(square)
        limit = align("max_norm", limit, norm)
        factor = np.divide(limit, norm, out=np.ones(runs), where=norm > limit)
        clipped = [align("max_norm", factor, u) * u for u in updates]
        return rebuild(updates, clipped), StepCount(state.step + 1)

    return Transform(lambda params: StepCount(0), update)
