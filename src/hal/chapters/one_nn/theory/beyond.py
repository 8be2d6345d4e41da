"""Beyond the setting: labels that push the matrix off its diagonal.

Chapter `one_nn`. Beyond the paper, Li et al. (2024), arXiv 2411.10830, whose conditions on the labels leave E[y_i y_j
y_k] free: the slope of the block W_23 (label slot of the key, last slot of the query) is a sum of such products. N is
3, 7, 15, ...; another is refused with `InputError`.
"""

from lib.errors import require, whole


def triple_share(N: int) -> float:
    """Share of ordered triples of different examples with y_i y_j y_k = 1 for certain, N + 1 a power of two: 1/(N - 2).

    All other triples average to 0.
    """
    N = whole("N", N, 3)
    require(N & (N + 1) == 0, "N", "one less than a power of two", N)
    return 1 / (N - 2)


def slope_off_family(pairs: float, triples: float, N: int) -> float:
    """dL / dW_23 on the family under Walsh labels: (E sum' q_i q_j - E sum'' q_i q_j q_k) / (N - 2).

    Sum' (`pairs`) is over i != j, neither of them the nearest, sum'' (`triples`) over different i, j, k.
    """
    return triple_share(N) * (pairs - triples)
