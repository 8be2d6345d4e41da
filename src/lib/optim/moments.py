"""Optimisers that remember past gradients: momentum, and Adam, which divides it by a running root mean square."""

from typing import Any, NamedTuple

import numpy as np

from lib.errors import require
from lib.optim.base import Transform, chain, rebuild
from lib.optim.hyper import Hyper, align, hyper
from lib.optim.scaling import scale_by_learning_rate


class MomentumState(NamedTuple):
    """What momentum remembers."""

    step: int  #: updates made so far
    trace: Any  #: like params: decayed sum of past gradients, each field (R, ...)


def scale_by_momentum(decay: Hyper, nesterov: bool = False) -> Transform:
    r"""Replace the gradient by its decayed sum: $m \leftarrow \beta m + g$, $0 \le \beta < 1$ (Nesterov $g + \beta m$).

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
    r"""Descent with momentum: $m \leftarrow \beta m + g$, $x \leftarrow x - \eta m$; see `scale_by_momentum`."""
    return chain(scale_by_momentum(decay, nesterov), scale_by_learning_rate(lr))


class AdamState(NamedTuple):
    """What Adam remembers."""

    step: int  #: updates made so far
    mean: Any  #: like params: running mean of the gradient, each field (R, ...)
    square: Any  #: like params: running mean of its square, each field (R, ...)


def scale_by_adam(b1: Hyper = 0.9, b2: Hyper = 0.999, eps: Hyper = 1e-8) -> Transform:
    r"""Turn the gradient g into $\hat m / (\sqrt{\hat v} + \epsilon)$.

    $m \leftarrow \beta_1 m + (1-\beta_1) g$, $v \leftarrow \beta_2 v + (1-\beta_2) g^2$,
    $\hat m = m/(1-\beta_1^t)$, $\hat v = v/(1-\beta_2^t)$ with t counted from 1.

    Args:
        b1: $\beta_1 \in [0, 1)$; a number or an array (R,). Not a schedule: the correction assumes it fixed.
        b2: $\beta_2 \in [0, 1)$, likewise.
        eps: $\epsilon \ge 0$, outside the root as in `torch.optim.Adam`, likewise.

    Source: Kingma, Ba, "Adam: a method for stochastic optimization", 2015, Algorithm 1, arXiv:1412.6980.
    """
    for name, value in (("b1", b1), ("b2", b2), ("eps", eps)):
        require(not callable(value), name, "a number or an array (R,)", "a schedule")
    beta1 = hyper("b1", b1, low=0.0, high=1.0, below=True)(0)
    beta2 = hyper("b2", b2, low=0.0, high=1.0, below=True)(0)
    epsilon = hyper("eps", eps, low=0.0)(0)

    def init(params: Any) -> AdamState:
        return AdamState(0, rebuild(params, map(np.zeros_like, params)), rebuild(params, map(np.zeros_like, params)))

    def update(updates: Any, state: AdamState, params: Any) -> tuple[Any, AdamState]:
        del params
        step = state.step + 1
        means, squares, moved = [], [], []
        for g, mean, square in zip(updates, state.mean, state.square, strict=True):
            r1, r2, e = align("b1", beta1, g), align("b2", beta2, g), align("eps", epsilon, g)
            m = r1 * mean
            m += (1.0 - r1) * g
            v = r2 * square
            v += (1.0 - r2) * (g * g)
            root = np.sqrt(v / (1.0 - r2**step))
            root += e
            # with eps = 0 an entry that never had a gradient would be 0/0: it should not move
            out = np.divide(m, (1.0 - r1**step) * root, out=np.zeros_like(m), where=root != 0.0)
            means.append(m)
            squares.append(v)
            moved.append(out)
        new_state = AdamState(step, rebuild(updates, means), rebuild(updates, squares))
        return rebuild(updates, moved), new_state

    return Transform(init, update)


def adam(lr: Hyper, b1: Hyper = 0.9, b2: Hyper = 0.999, eps: Hyper = 1e-8) -> Transform:
    r"""Adam: $x \leftarrow x - \eta\,\hat m / (\sqrt{\hat v} + \epsilon)$, $\eta \ge 0$; see `scale_by_adam`."""
    return chain(scale_by_adam(b1, b2, eps), scale_by_learning_rate(lr))
