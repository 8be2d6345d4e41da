"""Softmax attention: how long it waits.

Chapter `scb`. Beyond the paper (Ren, Wang, Lee 2024, arXiv 2410.23438), which analyses linear attention. Logits move by
-eta_w (diag(a) - a a^T) grad_a / mu_k. Linear and softmax steps agree at uniform attention when eta_w = eta_A T^2.
Steps have no unit, T is in tokens; what is out of range is refused (`InputError`).
"""

import numpy as np
from numpy.typing import ArrayLike

from lib.theory._arrays import Array, positive


def matched_eta_w(eta_A: ArrayLike, T: ArrayLike) -> Array:
    """Logit step (...) that equals a linear attention step at uniform attention, eta_A T^2."""
    return positive(eta_A, "eta_A") * positive(T, "T") ** 2


def softmax_escape_time(T: ArrayLike, eta_V: ArrayLike, eta_w: ArrayLike, K_P: ArrayLike, q_max: ArrayLike) -> Array:
    """Escape of softmax attention in steps (...), about T sqrt(2 / (eta_V eta_w K_P q_max)): linear in T.

    eta_V is the layer step of V, eta / K_Q, and q_max the largest weight of Q; an estimate with a rounded constant.
    """
    rate2 = positive(eta_V, "eta_V") * positive(eta_w, "eta_w") * positive(K_P, "K_P") * positive(q_max, "q_max")
    return positive(T, "T") * np.sqrt(2.0 / rate2)
