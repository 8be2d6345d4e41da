"""What the chapter needs beyond `lib.optim`: the decoder gradient that the paper puts in place of the true one.

Chapter `scan_snap`. Source: arXiv 2305.16380, Lemma 3 and its proof.
"""

import numpy as np
from numpy.typing import NDArray

from lib.errors import require
from lib.models import scan_snap as ss
from lib.optim import Transform
from lib.optim.base import stateless

Array = NDArray[np.float64]


def replace_gradient(task: ss.Task) -> Transform:
    """Turn the true gradient of the decoder into the replacement of Lemma 3, at the attention of the moment.

    The true gradient is -F D, row n of D the mean residual of class n, and the replacement is -F (I - E') D with
    I - E' = (F^T F)^{-1}. Columns of F^+T are the directions f_n - F E' e_n, so one is F^+T F^+ times the other.

    Args:
        task: P of shape (K, C); its classes attend to different mixtures of tokens.

    Returns:
        A transform for `lib.models.scan_snap.Params`; the gradient of Z passes through.

    Raises:
        InputError: if P has a run axis; at an update, if the classes' decoder inputs are linearly dependent.

    Source: arXiv 2305.16380, Lemma 3.
    """
    require(task.P.ndim == 2, "task", "P of shape (K, C)", task.P.shape)

    def update(updates: ss.Params, params: ss.Params) -> ss.Params:
        f = decoder_inputs(params, task)
        size = np.linalg.svd(f, compute_uv=False)[..., -1].min()
        require(size > 1e-8, "task", "classes with independent decoder inputs", f"a singular value of {size:.1e}")
        pinv = np.linalg.pinv(f)  # (R, C, K), columns f_n - F E' e_n
        return ss.Params(pinv @ (pinv.swapaxes(-1, -2) @ updates.Y), updates.Z)

    return stateless(update)


def decoder_inputs(params: ss.Params, task: ss.Task) -> Array:
    """(R, K, C) inputs f_n of the decoder for contexts of infinite length: attention over its Euclidean norm."""
    c = ss.attention(params, task)
    return c / np.sqrt(np.square(c).sum(axis=-1, keepdims=True))
