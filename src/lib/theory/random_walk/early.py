r"""The first two steps of gradient descent from zero, with the log-loss.

Chapter `random_walk`. Source: arXiv 2511.23239, Section 2 (model); the results are ours. $\rho = (M+1)/2$.
"""

import numpy as np

from lib.errors import whole
from lib.theory._arrays import Array, positive
from lib.theory.random_walk.circle import lag_signal, ring, visits

__all__ = ["first_output", "first_values", "second_scores"]


def first_values(K: int, p: float, N: int, lr: float = 1.0, epsilon: float = 0.1) -> Array:
    r"""V after one step, exactly $\frac{\eta}{\epsilon NK}\sum_{m=1}^{N-1}(\Pi^\top)^m$, (K, K); scores are still 0.

    Args:
        K: nodes, at least 3.
        p: in [0, 1].
        N: nodes of a walk, at least 2.
        lr: learning rate, above 0.
        epsilon: offset of the log-loss, above 0.

    Raises:
        InputError: if an argument is out of range.

    Source: beyond the paper.
    """
    k = np.arange(ring(K, p)[0])
    clockwise = visits(K, p, N)
    scale = positive(lr, "lr") / (positive(epsilon, "epsilon") * N * K)
    return scale * clockwise[(k[:, None] - k) % K]


def first_output(K: int, N: int, lr: float = 1.0, epsilon: float = 0.1) -> float:
    r"""Mean output at the target after one step, $\bar f = \frac{\eta}{\epsilon K^2}(\frac{N-1}{N})^2$, for long walks.

    Args:
        K, N, lr, epsilon: see `first_values`.

    Source: beyond the paper.
    """
    K, N = whole("K", K, 3), whole("N", N, 2)
    return float(positive(lr, "lr") / (positive(epsilon, "epsilon") * K**2) * ((N - 1) / N) ** 2)


def second_scores(K: int, p: float, N: int, M: int, lr: float = 1.0, epsilon: float = 0.1) -> Array:
    r"""How far the score of lag l lies below the parent's after two steps, (N - 1,) for l = 1 to N - 1; in nats.

    $g_{N-1} - g_{N-l} = \frac{\eta^2\rho^2(E_1 - E_l)}{\epsilon(\epsilon + \bar f)N^2K}$: exact where the output after
    one step is the same for all walks, so for long ones. Attention is the parent's as soon as this is large for all
    other lags: $M \gtrsim N^{3/2}$.

    Args:
        K, p, N, lr, epsilon: see `first_values`.
        M: length of the positional vectors, at least N.

    Raises:
        InputError: if an argument is out of range.

    Source: beyond the paper.
    """
    signal, rho = lag_signal(K, p, N), (whole("M", M, N) + 1) / 2
    f = first_output(K, N, lr, epsilon)
    return (lr * rho) ** 2 * (signal[0] - signal) / (epsilon * (epsilon + f) * N**2 * K)
