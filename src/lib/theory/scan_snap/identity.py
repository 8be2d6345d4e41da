"""An exact identity of joint gradient flow from Y = 0: attention follows the squared decoder weights, minus a drain.

Used by chapter Scan and Snap. Beyond the paper (Tian, Wang, Chen, Du 2023, arXiv 2305.16380); holds for any data, for
every token if all classes share one query, and for distinct tokens whatever the queries.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.integrate import cumulative_trapezoid

from lib.errors import require
from lib.theory.scan_snap._arrays import Array, floats, increasing, non_negative, positive


def drain_rate(f: ArrayLike, g: ArrayLike) -> Array:
    """Rate (1/K) sum_n f_nl^2 (f_n . g_n) at which every attended logit is pulled down, per unit of lr_Z t.

    Args:
        f: decoder inputs (..., K, C) of length one.
        g: gradients Y delta_n arriving at them (..., K, C).

    Returns:
        (..., C).

    Raises:
        InputError: if the shapes disagree.

    Source: beyond the paper.
    """
    rows, arriving = floats(f), floats(g)
    require(rows.shape == arriving.shape and rows.ndim >= 2, "g", f"the shape of f, {rows.shape}", arriving.shape)
    return np.mean(rows**2 * np.sum(rows * arriving, axis=-1, keepdims=True), axis=-2)


def logits_from_decoder(times: ArrayLike, square_norms: ArrayLike, drain: ArrayLike, lr_Y: float, lr_Z: float) -> Array:
    """Attention logits gained since time 0: (lr_Z / 2 lr_Y) |Y_l|^2 - lr_Z int drain dt, the integral by trapezoids.

    Args:
        times: increasing times from 0 in steps (T,).
        square_norms: |Y_l|^2 of every contextual token (T, C), over all M outputs.
        drain: `drain_rate` at the same times (T, C).
        lr_Y: learning rate of the decoder.
        lr_Z: learning rate of attention.

    Returns:
        z_l(t) - z_l(0), (T, C).

    Raises:
        InputError: if shapes disagree, a rate is out of range, or the times do not start at 0.

    Source: beyond the paper.
    """
    t, norms, rate = increasing(times), non_negative(square_norms, "square_norms"), floats(drain)
    require(t[0] == 0.0, "times", "a record that starts at 0", times)
    require(norms.ndim == 2 and len(norms) == len(t), "square_norms", f"shape ({len(t)}, C)", norms.shape)
    require(rate.shape == norms.shape, "drain", f"shape {norms.shape}", rate.shape)
    attention_rate = non_negative(lr_Z, "lr_Z")
    lost = cumulative_trapezoid(rate, t, axis=0, initial=0.0)
    return attention_rate * (0.5 * norms / positive(lr_Y, "lr_Y") - lost)
