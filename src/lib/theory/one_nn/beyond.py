"""Beyond the setting: kernel rules without a softmax, K classes, labels that push the matrix off its diagonal.

Chapter `one_nn`. Beyond the paper, Li et al. (2024), arXiv 2411.10830, whose conditions on the labels leave
E[y_i y_j y_k] free: the slope of the block W_23 (label slot of the key, mask slot of the query) is a sum of such
products. Classes as in Athreya and Wang (2026).
"""

from lib.errors import require, whole


def best_kernel_loss(N: int) -> float:
    """Loss of the best rule f = sum_j k(z_j) y_j whose weights do not see each other: (N - 1) / (2 (2 N - 1)).

    With uncorrelated labels 2 L = E[1 - 2 k(z_*) + sum_j k(z_j)^2], which is least where k(z) = F(z)^(N-1), the chance
    that an example at z is the nearest. Almost 1/4 in every dimension. Squared error, with the factor 1/2.

    Raises:
        InputError: if N is below 1.

    Source: beyond the paper.
    """
    return (whole("N", N, 1) - 1) / (2 * (2 * N - 1))


def class_factor(K: int) -> float:
    """(K - 1) / K: the loss with K classes, coded by e_c - 1/K, over that with two labels +-1. No unit.

    Raises:
        InputError: if K is below 2.

    Source: Athreya and Wang (2026), the coding.
    """
    return (whole("K", K, 2) - 1) / K


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

    Sum' (`pairs`) is over i != j, neither of them the nearest, sum'' (`triples`) over different i, j, k.

    Raises:
        InputError: unless N is 3, 7, 15, ...

    Source: beyond the paper.
    """
    return triple_share(N) * (pairs - triples)
