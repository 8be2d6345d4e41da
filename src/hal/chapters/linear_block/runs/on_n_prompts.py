r"""The block on a fixed set of prompts: a step costs the same however many prompts there are.

Chapter `linear_block`. Source: ours, from the output of arXiv 2402.14951, equation D.1. With $S = X^\top X/M$,
$s = X^\top y/M$ and $t = y^\top y/M$ the output is $\alpha^\top x + v^\top SQx + v^\top s\,q^\top x + cs^\top Qx +
ct\,q^\top x$: linear in the monomials $x_k$, $S_{ab}x_k$, $s_ax_k$, $tx_k$ of a prompt. So all that training on n
prompts needs is the second moment of these and their mean product with the label, and a step costs the same for any n.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lib.models import linear_block as lb
from lib.sampling import Rngs, generators
from lib.theory import linear_block as theory

__all__ = ["FixedPrompts", "Moments", "moments_of", "monomials", "predicted_block_excess", "wide_start"]

Array = NDArray[np.float64]


class Moments(NamedTuple):
    """What training on a set of prompts needs, of R sets."""

    second: Array  #: (R, P, P) second moment of the monomials
    label: Array  #: (R, P) mean of the monomials times the label
    square: Array  #: (R,) mean square of the label


def monomials(prompts: lb.Prompts) -> Array:
    """x_k, S_ab x_k with a <= b, s_a x_k, t x_k of a batch of one run, (B, P)."""
    X, y, x, _ = (part[0] for part in prompts)
    M, d = X.shape[1:]
    S, s = np.matmul(X.swapaxes(-1, -2), X) / M, np.matmul(y[:, None], X)[:, 0] / M
    t, (a, b) = (y**2).mean(axis=1, keepdims=True), np.triu_indices(d)
    pieces = np.concatenate([np.ones_like(t), S[:, a, b], s, t], axis=1)
    return (pieces[..., None] * x[:, None]).reshape(len(x), -1)


def moments_of(sets: list[lb.Prompts]) -> Moments:
    """The moments of sets of prompts, each a batch of one run."""
    parts = []
    for prompts in sets:
        phi, target = monomials(prompts), prompts.target[0]
        parts.append((phi.T @ phi / len(phi), target @ phi / len(phi), np.mean(target**2)))
    return Moments(*(np.stack(part) for part in zip(*parts, strict=True)))


def _weights_of(block: lb.EffectiveParams) -> Array:
    """What the output multiplies the monomials by, (R, P)."""
    alpha, v, c, Q, q = block
    R, d = alpha.shape
    a, b = np.triu_indices(d)
    twice = np.where(a == b, 0.5, 1.0)[:, None]
    pairs = twice * (v[:, a, None] * Q[:, b] + v[:, b, None] * Q[:, a])  # (R, pairs, d)
    singles = v[..., None] * q[:, None] + c[:, None, None] * Q
    return np.concatenate([alpha, pairs.reshape(R, -1), singles.reshape(R, -1), c[:, None] * q], axis=1)


def _pulled(block: lb.EffectiveParams, slope: Array) -> lb.EffectiveParams:
    """The gradient in the parameters of the output, from that in what multiplies the monomials, (R, P)."""
    _, v, c, Q, q = block
    R, d = v.shape
    a, b = np.triu_indices(d)
    alpha, pairs, singles, last = np.split(slope, np.cumsum([d, len(a) * d, d * d]), axis=1)
    full, singles = np.empty((R, d, d, d)), singles.reshape(R, d, d)
    full[:, a, b] = full[:, b, a] = pairs.reshape(R, -1, d)
    return lb.EffectiveParams(
        alpha,
        np.einsum("rabk,rbk->ra", full, Q) + np.einsum("rak,rk->ra", singles, q),
        np.einsum("rak,rak->r", singles, Q) + np.einsum("rk,rk->r", last, q),
        np.einsum("rabk,ra->rbk", full, v) + c[:, None, None] * singles,
        np.einsum("rak,ra->rk", singles, v) + c[:, None] * last,
    )


class FixedPrompts:
    """The block's six matrices on fixed sets of prompts, one a run, as a problem for `lib.train.train`.

    Args:
        moments: of the sets.
    """

    draws = False

    def __init__(self, moments: Moments) -> None:
        self.moments = moments

    def init(self, runs: int = 1, rngs: Rngs = ()) -> Any:
        """There is no start of its own."""
        raise NotImplementedError("a run on fixed prompts is given its start")

    def sample(self, batch: int = 0, rngs: Rngs = (), step: int = 0) -> Any:
        """Nothing is drawn."""
        return ()

    def loss_and_gradient(self, params: lb.Weights, batch: Any = ()) -> tuple[Array, lb.Weights]:
        """Mean squared error on the prompts (R,), and its gradient in the six matrices."""
        block = lb.effective_of(params)
        weights, (second, label, square) = _weights_of(block), self.moments
        moved = np.matmul(second, weights[..., None])[..., 0]
        loss = (weights * (moved - 2 * label)).sum(axis=1) + square
        return loss, lb.weight_gradient(params, _pulled(block, 2 * (moved - label)))


def wide_start(d: int, width: int, rngs: Rngs) -> lb.Weights:
    """Random matrices of so many rows, one block a generator.

    Their products have entries as large as with d + 1 rows and entries of 0.3: the deviation is
    0.3 ((d + 1) / width)^(1/4).
    """
    scale = 0.3 * ((d + 1) / width) ** 0.25
    return lb.Weights(*(scale * np.stack([rng.standard_normal((6, width, d + 1)) for rng in rngs], axis=1)))


def predicted_block_excess(task: lb.Task, n: int, seed: int, drawn: int = 100_000) -> float:
    """What the block that fits n prompts best should cost, to first order in 1/n: tr(A^+ B) / n.

    As `predicted_excess` of the pair of start and step, with the slope in all parameters of the output at the best
    block; its scale c is free, so A has a pseudo-inverse.
    """
    prompts = task.sample(drawn, generators([seed], 3))
    phi, Gamma = monomials(prompts), theory.best_step(task)
    one = lb.EffectiveParams(task.mean[None], -task.mean[None], np.ones(1), Gamma.T[None], np.zeros((1, task.d)))
    error = phi @ _weights_of(one)[0] - prompts.target[0]
    count = phi.shape[1]
    block = lb.EffectiveParams(*(np.repeat(part, count, axis=0) for part in one))
    slopes = np.concatenate([np.reshape(part, (count, -1)) for part in _pulled(block, np.eye(count))], axis=1)  # (P, .)
    J = phi @ slopes
    A, B = J.T @ J / drawn, (J * error[:, None] ** 2).T @ J / drawn
    return float(np.trace(np.linalg.pinv(A, rcond=1e-9) @ B)) / n
