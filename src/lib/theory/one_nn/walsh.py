"""Labels that are pairwise uncorrelated, and still push the matrix off its diagonal.

Chapter `one_nn`. Beyond the paper: its conditions on the labels leave E[y_i y_j y_k] free, and the slope of the block
W_23 (label slot of the key, mask slot of the query) is a sum of such products.
"""

from lib.errors import require, whole


def triple_share(N: int) -> float:
    """Share of ordered triples of different examples with y_i y_j y_k = 1 for certain, N + 1 a power of two: 1/(N - 2).

    All other triples average to 0.

    Raises:
        InputError: unless N is 3, 7, 15, ...

    Source: beyond the paper.
    """
    N = whole("N", N, 3)
    require(N & (N + 1) == 0, "N", "one less than a power of two", N)
    return 1 / (N - 2)


def slope_off_family(pairs: float, triples: float, N: int) -> float:
    """dL / dW_23 on the family under Walsh labels: (E sum' q_i q_j - E sum'' q_i q_j q_k) / (N - 2).

    Args:
        pairs: E of the sum of q_i q_j over i != j, neither of them the nearest.
        triples: E of the sum of q_i q_j q_k over different i, j, k.
        N: examples, one less than a power of two.

    Raises:
        InputError: unless N is 3, 7, 15, ...

    Source: beyond the paper.
    """
    return triple_share(N) * (pairs - triples)
