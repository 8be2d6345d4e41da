"""K classes in place of two labels: the answer is a vector, coded by the corners of a simplex.

Chapter `one_nn`, beyond the paper; the coding e_c - 1/K is that of Athreya and Wang (2026).
"""

import numpy as np
from numpy.typing import NDArray

from lib.errors import whole
from lib.models.one_nn.pair import Pair, Rows
from lib.models.one_nn.task import Array


def class_codes(K: int) -> Array:
    """Codes of the classes, (K, K), one a row: e_c - 1/K.

    Raises:
        InputError: if K is below 2.
    """
    return np.eye(whole("K", K, 2)) - 1 / K


def class_loss(params: Pair, rows: Rows, classes: NDArray[np.intp], codes: Array) -> Array:
    """Mean |f - v_*|^2 / 2 over prompts, f = sum_j q_j v_j the attended code, (R,).

    Args:
        params: R runs.
        rows: R x B prompts, all of one weight.
        classes: (R, N, B) class of every example.
        codes: (K, K) of `class_codes`.
    """
    own = (params.xi1 - params.xi2)[:, None]
    scores = params.xi1[:, None, None] * rows.z
    top = np.maximum(scores.max(axis=1), own)
    q = np.exp(scores - top[:, None])
    q /= (q.sum(axis=1) + np.exp(own - top))[:, None]
    right = np.take_along_axis(classes, rows.z.argmax(axis=1)[:, None], axis=1)[:, 0]  # (R, B)
    error = sum(np.square(np.sum(q * code[classes], axis=1) - code[right]) for code in codes.T)
    return 0.5 * np.mean(error, axis=-1)
