r"""What the output of a block is made of, what it costs to cut the mask, and the best block with something cut.

Chapter `linear_block`. Source: ours, from arXiv 2402.14951, equation D.1. The output is a sum of four parts that are
told apart by the powers of labels and features in them: $\alpha^\top x$ (the query alone),
$\frac1M\sum_iy_ix_i^\top Bx$ with $B = cQ + vq^\top$ (labels times features), $\frac1M\sum_iv^\top x_i\,x_i^\top Qx$
(features twice) and $\frac1M\sum_icy_i^2\,q^\top x$ (labels twice). Without the mask the query is an example as well,
with the label 0: a fifth part, $\frac1Mv^\top x\,x^\top Qx$. The search for the best block is that of `portable_cut`.
"""

from typing import NamedTuple

import numpy as np

from lib.errors import require
from lib.theory._arrays import Array
from lib.theory.linear_block import portable_cut
from lib.theory.linear_block.risks import Effective, Task, _dot, _times, isotropic, label_variance, step_moment

PARTS = ("query alone", "labels times features", "features twice", "labels twice", "query three times")


def part_squares(task: Task, block: Effective) -> Array:
    r"""The mean squares (..., 5) of the parts over all prompts, in the order of `PARTS`, the last as without the mask.

    For rows $x_i$ of covariance $H$ the second moment of $\frac1M\sum_iy_ix_i$ is `step_moment` of $\Psi +
    \beta^*\beta^{*\top}$, that of $\frac1M\sum_iv^\top x_i\,x_i$ the same of $vv^\top$ without noise.

    Source: beyond the paper, by its equation D.1.
    """
    H, Psi, mean, M = task.H, task.Psi, task.mean, task.M
    alpha, v, c, Q, q = (np.asarray(x, dtype=float) for x in block)
    one = c[..., None, None]
    features = step_moment(task, v[..., :, None] * v[..., None, :], noise=False)
    labels = step_moment(task, Psi + np.outer(mean, mean))
    size = label_variance(task) + mean @ H @ mean
    HP = H @ Psi
    fourth = (size**2 + 2 * np.trace(HP @ HP) + 4 * mean @ HP @ H @ mean) * (1 + 2 / M)
    return np.stack(
        [
            _form(alpha, H),
            _read(one * Q + v[..., :, None] * q[..., None, :], labels, H),
            _read(Q, features, H),
            c**2 * _form(q, H) * fourth,
            _own_square(task, v, Q) / M**2,
        ],
        axis=-1,
    )


def unmasked_cost(task: Task, block: Effective) -> Array:
    r"""By how much the risk (...,) of blocks without the mask is above their risk with it; it can be below 0.

    With $T = \frac1Mv^\top x\,x^\top Qx$ and the mean $m$ of the even part of the error (see `risks`), which does not
    depend on the query, it is $2m^\top\mathbb E[xT] + \mathbb E[T^2]$.

    Source: beyond the paper, by its equation D.1.
    """
    H, mean, M = task.H, task.mean, task.M
    alpha, v, c, Q, q = (np.asarray(x, dtype=float) for x in block)
    Hw = (v + c[..., None] * mean) @ H
    m = alpha - mean + _times(np.swapaxes(Q, -1, -2), Hw) + q * (Hw @ mean + label_variance(task) * c)[..., None]
    Hv, trace = v @ H, np.sum(Q * H.T, axis=(-2, -1))
    moved = v * trace[..., None] + _times(Q + np.swapaxes(Q, -1, -2), Hv)
    return 2 / M * np.sum((m @ H) * moved, axis=-1) + _own_square(task, v, Q) / M**2


class Cut(NamedTuple):
    """The best block of its kind."""

    risk: float
    block: Effective  #: without leading axes


def best_cut(task: Task, alpha: bool = True, mask: bool = True) -> Cut:
    """The best block with what is left.

    Args:
        task: isotropic, of at least two features.
        alpha: whether the query's residual copy reaches the output, which takes residual and MLP.
        mask: whether the query is kept from being a key and a value.

    Raises:
        InputError: if the task is not isotropic or has one feature only.

    Example:
        >>> from lib.models.linear_block import power_task
        >>> round(best_cut(power_task(d=8, M=20, sigma=0.5, norm=3.0), alpha=False).risk, 3)
        4.319

    Source: beyond the paper.
    """
    d = len(task.H)
    require(d >= 2, "task", "at least 2 features", d)
    psi = isotropic(task)
    norm = float(np.linalg.norm(task.mean))
    u = task.mean / norm if norm > 0 else np.full(d, d**-0.5)
    found = portable_cut.best_cut(d, float(task.M), psi, task.sigma, norm, int(alpha), int(mask))
    a, b, g, k, s = found.numbers
    return Cut(found.risk, Effective(a * u, b * u, np.array(1.0), g * np.eye(d) + k * np.outer(u, u), s * u))


def _own_square(task: Task, v: Array, Q: Array) -> Array:
    r"""$\mathbb E(v^\top x)^2(x^\top Qx)^2$ (...,), by Wick's rule."""
    H = task.H
    A = (Q + np.swapaxes(Q, -1, -2)) / 2
    trace, square = np.sum(A * H, axis=(-2, -1)), np.sum((A @ H) * np.swapaxes(A @ H, -1, -2), axis=(-2, -1))
    once = _times(A, v @ H)
    along, bent = np.sum((v @ H) * once, axis=-1), _form(once, H)
    return _form(v, H) * (trace**2 + 2 * square) + 4 * trace * along + 8 * bent


def _form(u: Array, H: Array) -> Array:
    return _dot(u @ H, u)


def _read(B: Array, moment: Array, H: Array) -> Array:
    r"""$\mathbb E(r^\top Bx)^2$ for an $r$ with this second moment."""
    return np.sum((np.swapaxes(B, -1, -2) @ moment @ B) * H, axis=(-2, -1))
