"""The logistic loss of a margin and its slope, without overflow. Chapter `group_sparse`."""

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

Array = NDArray[np.float64]


def logistic(margin: Array) -> Array:
    """log(1 + e^(-m)) in nats, for any margin m (...)."""
    return np.logaddexp(0.0, -margin)


def logistic_slope(margin: Array) -> Array:
    """Its derivative, -1/(1 + e^m), for any margin m (...)."""
    return -expit(-margin)
