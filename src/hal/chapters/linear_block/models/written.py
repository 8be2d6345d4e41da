"""The block as it is written, token matrix and all, and the smallest block that takes one gradient step.

Chapter `linear_block`. Source: arXiv 2402.14951, Section 3 and Lemma 5.1; the smallest widths are ours. Shapes as in
`lib.models.linear_block.fast`.
"""

import numpy as np

from lib.errors import require
from lib.models.linear_block import Prompts, Weights
from lib.models.linear_block.fast import Array


def literal_output(weights: Weights, prompts: Prompts, mlp: bool = True, mask: bool = True) -> Array:
    """The block as it is written, token matrix and all: (R, B).

    Args:
        weights: the six matrices.
        prompts: the batch.
        mlp: with the MLP; without it $W_2^\\top W_1$ is the identity.
        mask: whether the query is kept from being a key and a value.
    """
    E = prompts.tokens().swapaxes(-1, -2)  # (R, B, d + 1, M + 1)
    K, Q, P, V, W1, W2 = (W[:, None] for W in weights)
    kept = np.ones(E.shape[-1])
    kept[-1] = 0.0 if mask else 1.0
    mixed = (V @ E) * kept @ (E.swapaxes(-1, -2) @ (K.swapaxes(-1, -2) @ (Q @ E)))
    out = P.swapaxes(-1, -2) @ mixed / prompts.X.shape[-2] + E
    if mlp:
        out = W2.swapaxes(-1, -2) @ (W1 @ out)
    return out[..., -1, -1]


def one_step_weights(beta: Array, Gamma: Array) -> Weights:
    r"""A block of the smallest widths, $(d_k, d_v, d_f) = (d, 1, 1)$, that takes one gradient step."""
    runs, d = beta.shape
    require(Gamma.shape == (runs, d, d), "Gamma", f"shape ({runs}, {d}, {d})", Gamma.shape)
    column, last = np.zeros((runs, d, 1)), np.zeros((runs, 1, d + 1))
    last[..., d] = 1.0
    K = np.concatenate([np.broadcast_to(np.eye(d), (runs, d, d)), column], axis=-1)
    Q = np.concatenate([Gamma.swapaxes(-1, -2), column], axis=-1)
    V = np.concatenate([-beta, np.ones((runs, 1))], axis=-1)[:, None]
    W1 = np.concatenate([beta, np.ones((runs, 1))], axis=-1)[:, None]
    return Weights(K, Q, last, V, W1, last.copy())
