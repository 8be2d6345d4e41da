"""Products with decoder inputs that skip their zeros: a sample holds no distinct token of another class.

Chapter `scan_snap`. With many classes nearly all of f is zero. If the samples are sorted by class and the tokens are
ordered as those of `base_task`, what is not zero is a strip (the common tokens) and a few blocks on the diagonal
(neighbouring classes with their distinct tokens). Without blocks these are the plain products. Source: our own.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lib.errors import InputError
from lib.models.scan_snap.task import Array, Task

_CLASSES = 2  # of one block: fewer save work, more save calls
_MANY, _LARGE = 8, 64  # classes and samples from which on blocks pay


class Blocks(NamedTuple):
    """Where f (r, B, C) may differ from zero, as slices of samples and tokens."""

    common: slice  #: tokens, for all samples
    own: list[tuple[slice, slice]]  #: (samples, tokens) of each block


def has_blocks(task: Task, batch: int) -> bool:
    """Whether blocks are worth their calls: many classes, many samples, and tokens in that order."""
    return task.K > _MANY and batch >= _LARGE and task.starts is not None


def find_blocks(label: NDArray[np.intp], task: Task) -> tuple[NDArray[np.intp], Blocks]:
    """The order that sorts samples by class, (B,), and their blocks once sorted.

    Raises:
        InputError: if the tokens are in another order.
    """
    starts = task.starts
    if starts is None:
        raise InputError("task: expected common tokens first, then those of each class, got another order")
    order = np.argsort(label, kind="stable")
    first = np.append(np.arange(0, task.K, _CLASSES), task.K)
    rows, tokens = np.searchsorted(label[order], first).tolist(), starts[first].tolist()
    own = [(slice(*rows[i : i + 2]), slice(*tokens[i : i + 2])) for i in range(len(first) - 1)]
    return order, Blocks(slice(0, tokens[0]), own)


def forward(f: Array, Y: Array, blocks: Blocks | None) -> Array:
    """f Y, (r, B, C) with (r, C, M) to (r, B, M)."""
    if blocks is None:
        return np.matmul(f, Y)
    out = np.matmul(f[..., blocks.common], Y[:, blocks.common])
    for rows, tokens in blocks.own:
        out[:, rows] += np.matmul(f[:, rows, tokens], Y[:, tokens])
    return out


def outer(f: Array, delta: Array, blocks: Blocks | None, out: Array) -> None:
    """f^T delta into `out`, (r, B, C) with (r, B, M) to (r, C, M)."""
    if blocks is None:
        np.matmul(f.swapaxes(-1, -2), delta, out=out)
        return
    np.matmul(f[..., blocks.common].swapaxes(-1, -2), delta, out=out[:, blocks.common])
    for rows, tokens in blocks.own:
        np.matmul(f[:, rows, tokens].swapaxes(-1, -2), delta[:, rows], out=out[:, tokens])


def backward(delta: Array, Y: Array, blocks: Blocks | None) -> Array:
    """delta Y^T, (r, B, M) with (r, C, M) to (r, B, C); zero where f is."""
    if blocks is None:
        return np.matmul(delta, Y.swapaxes(-1, -2))
    out = np.zeros((*delta.shape[:-1], Y.shape[1]))
    np.matmul(delta, Y[:, blocks.common].swapaxes(-1, -2), out=out[..., blocks.common])
    for rows, tokens in blocks.own:
        np.matmul(delta[:, rows], Y[:, tokens].swapaxes(-1, -2), out=out[:, rows, tokens])
    return out
