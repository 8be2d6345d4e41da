"""Momentum: the update remembers past gradients (heavy ball), or looks ahead (Nesterov)."""

from typing import Any, NamedTuple

import numpy as np

from lib.optim.base import Transform, chain, rebuild
from lib.optim.hyper import Hyper, align, hyper
from lib.optim.scaling import scale_by_learning_rate


class MomentumState(NamedTuple):
    """What momentum remembers."""

    step: int  #: updates made so far
    trace: Any  #: like params: decayed sum of past gradients, each field (R, ...)


def scale_by_momentum(decay: Hyper, nesterov: bool = False) -> Transform:
    r"""Replace the gradient by its decayed sum: $m \leftarrow \beta m + g$ (Nesterov: $g + \beta m$).

    Args:
        decay: $\beta \in [0, 1)$; a number, an array (R,), or a schedule.
        nesterov: look ahead by one decay.

    Raises:
        InputError: if a decay lies outside [0, 1).

    Source: Polyak 1964; Nesterov 1983 in the form of Sutskever et al. 2013. Same as `torch.optim.SGD` with
    dampening 0: the sum is not an average, so the effective rate is lr / (1 - decay).
    """
    at = hyper("decay", decay, low=0.0, high=1.0, below=True)

    def init(params: Any) -> MomentumState:
        return MomentumState(0, rebuild(params, map(np.zeros_like, params)))

    def update(updates: Any, state: MomentumState, params: Any) -> tuple[Any, MomentumState]:
        del params
        beta = at(state.step)
        trace = []
        for g, m in zip(updates, state.trace, strict=True):
            new = align("decay", beta, m) * m
            new += g
            trace.append(new)
        moved = rebuild(updates, trace)
        new_state = MomentumState(state.step + 1, moved)
        if nesterov:
            ahead = [g + align("decay", beta, m) * m for g, m in zip(updates, trace, strict=True)]
            return rebuild(updates, ahead), new_state
        return moved, new_state

    return Transform(init, update)


def momentum(lr: Hyper, decay: Hyper = 0.9, nesterov: bool = False) -> Transform:
    r"""Gradient descent with momentum: $m \leftarrow \beta m + g$, $x \leftarrow x - \eta\,m$.

    Args:
        lr: $\eta \ge 0$; a number, an array (R,), or a schedule of the step.
        decay: $\beta \in [0, 1)$, likewise.
        nesterov: use $g + \beta m$ in place of $m$.

    Raises:
        InputError: if a rate is negative or not finite, or a decay lies outside [0, 1).
    """
    return chain(scale_by_momentum(decay, nesterov), scale_by_learning_rate(lr))
