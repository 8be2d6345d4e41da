"""The model as the paper writes it, a sequence at a time: one-hot rows, attention by position, Lemma 1 literally.

Chapter `scan_snap`. Nothing here is shared with `lib.models.scan_snap`, which knows only how often a token occurs.
Source: arXiv 2305.16380, Section 3.1 and Lemma 1.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class Sequences(NamedTuple):
    """B sequences; the query is not among the tokens it attends to."""

    tokens: NDArray[np.intp]  #: (B, L)
    query: NDArray[np.intp]  #: (B,)
    label: NDArray[np.intp]  #: (B,)


def gradient_by_position(Y: Array, Z: Array, data: Sequences, bias: Array | float = 0.0) -> tuple[float, Array, Array]:
    """Mean loss and its gradient by Lemma 1, one sequence after the other.

    Args:
        Y: decoder (C, M).
        Z: attention logits (Q, C).
        data: the sequences.
        bias: added to the logit of each position, (L,); the model of the chapter has none.

    Returns:
        loss in nats, gradients in Y (C, M) and Z (Q, C).

    Source: arXiv 2305.16380, Lemma 1.
    """
    C, M = Y.shape
    loss, grad_Y, grad_Z = 0.0, np.zeros_like(Y), np.zeros_like(Z)
    for tokens, m, n in zip(*data, strict=True):
        X = np.eye(C)[tokens]  # (L, C)
        b = np.exp(X @ Z[m] + bias)
        b /= b.sum()
        mixed = X.T @ b
        size = np.sqrt(mixed @ mixed)
        logits = Y.T @ (mixed / size)
        alpha = np.exp(logits - logits.max())
        alpha /= alpha.sum()
        delta = np.eye(M)[n] - alpha
        projector = np.eye(C) - np.outer(mixed, mixed) / size**2
        loss -= np.log(alpha[n]) / len(data.label)
        grad_Y -= np.outer(mixed / size, delta) / len(data.label)
        grad_Z[m] -= X.T @ np.diag(b) @ X @ (projector / size) @ Y @ delta / len(data.label)
    return float(loss), grad_Y, grad_Z


def gradient_by_torch(Y: Array, Z: Array, data: Sequences, fixed_norm: bool = False) -> tuple[float, Array, Array]:
    """The same loss, differentiated automatically in double precision.

    Args:
        Y: decoder (C, M).
        Z: attention logits (Q, C).
        data: the sequences.
        fixed_norm: treat the length that the decoder input is divided by as a constant.

    Returns:
        loss in nats, gradients in Y (C, M) and Z (Q, C).
    """
    import torch

    y, z = (torch.tensor(value, requires_grad=True) for value in (Y, Z))
    tokens, query, label = (torch.as_tensor(value) for value in data)
    score = torch.exp(torch.gather(z[query], 1, tokens))  # (B, L)
    X = torch.nn.functional.one_hot(tokens, len(Y)).to(score.dtype)
    mixed = torch.einsum("bl,blc->bc", score, X)
    size: Any = mixed.norm(dim=1, keepdim=True)
    loss = torch.nn.functional.cross_entropy(mixed / (size.detach() if fixed_norm else size) @ y, label)
    loss.backward()
    assert y.grad is not None
    assert z.grad is not None
    return float(loss.detach()), y.grad.numpy(), z.grad.numpy()
