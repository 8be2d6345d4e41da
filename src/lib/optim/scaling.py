"""Multiply the update: by a number, minus the learning rate, a preconditioner, or down to a length; weight decay."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.errors import require
from lib.optim.base import Scaling, Transform, rebuild, scaled, stateless
from lib.optim.hyper import Hyper, StepCount, align, hyper


def scale(factor: Hyper) -> Transform:
    r"""Multiply the update: $u \leftarrow c\,u$, by any finite c."""
    return scaled(Scaling(1.0, (("factor", hyper("factor", factor)),)), lambda params: None)


def scale_by_learning_rate(lr: Hyper) -> Transform:
    r"""Multiply by minus the learning rate: $u \leftarrow -\eta\,u$, $\eta \ge 0$. Only here the sign turns."""
    return scaled(Scaling(-1.0, (("lr", hyper("lr", lr, low=0.0)),)), lambda params: None)


def sgd(lr: Hyper) -> Transform:
    r"""Gradient descent, $x \leftarrow x - \eta\,g$, $\eta \ge 0$; stochastic if the gradient is.

    Example:
        >>> from typing import NamedTuple
        >>> class P(NamedTuple):
        ...     x: np.ndarray
        >>> optimiser, p = sgd(0.5), P(np.array([[4.0]]))
        >>> updates, state = optimiser.update(p, optimiser.init(p), p)  # the gradient of x^2/2 is x
        >>> updates.x
        array([[-2.]])
    """
    return scale_by_learning_rate(lr)


def precondition(
    multiplier: ArrayLike | Callable[[NDArray[np.float64]], NDArray[np.float64]],
) -> Transform:
    r"""Multiply the update entry by entry: $u \leftarrow m \odot u$.

    Args:
        multiplier: m, an array that broadcasts against each field (R, ...), or a function from a field's
            parameters (R, ...) to such an array. Fields of different shapes want `per_field`.
    """
    if callable(multiplier):
        return stateless(
            lambda us, ps: rebuild(us, [_fitting(multiplier(p), p) * u for u, p in zip(us, ps, strict=True)])
        )
    fixed = np.array(multiplier, dtype=np.float64)
    require(bool(np.isfinite(fixed).all()), "multiplier", "finite entries", "an infinite one or NaN")

    def check(params: Any) -> None:
        for p in params:
            _fitting(fixed, p)

    return scaled(Scaling(fixed, ()), check)


def _fitting(multiplier: NDArray[np.float64], field: NDArray[np.float64]) -> NDArray[np.float64]:
    """The multiplier, if it broadcasts to the field."""
    shape = np.shape(multiplier)
    pairs = zip(reversed(shape), reversed(field.shape), strict=False)
    fits = len(shape) <= field.ndim and all(n in (1, m) for n, m in pairs)
    require(fits, "multiplier", f"a shape that broadcasts to {field.shape}", shape)
    return multiplier


def add_decayed_weights(decay: Hyper) -> Transform:
    r"""Add the parameters to the update: $u \leftarrow u + \lambda x$, $\lambda \ge 0$.

    Before the learning rate it is weight decay: AdamW is
    `chain(scale_by_adam(), add_decayed_weights(0.01), scale_by_learning_rate(lr))`.

    Source: Loshchilov, Hutter, "Decoupled weight decay regularization", 2019, Algorithm 2, arXiv:1711.05101.

    Example:
        >>> from typing import NamedTuple
        >>> class P(NamedTuple):
        ...     x: np.ndarray
        >>> shrink, p = add_decayed_weights(0.5), P(np.array([[4.0]]))
        >>> shrink.update(P(np.array([[1.0]])), shrink.init(p), p)[0].x
        array([[3.]])
    """
    at = hyper("decay", decay, low=0.0)

    def update(updates: Any, state: StepCount, params: Any) -> tuple[Any, StepCount]:
        value = at(state.step)
        decayed = [u + align("decay", value, p) * p for u, p in zip(updates, params, strict=True)]
        return rebuild(updates, decayed), StepCount(state.step + 1)

    return Transform(lambda params: StepCount(0), update)


def clip_by_global_norm(max_norm: Hyper) -> Transform:
    r"""Shorten a run's update to `max_norm`, at least 0, if its Euclidean norm over all fields is larger.

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
