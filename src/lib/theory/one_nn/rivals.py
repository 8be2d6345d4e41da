"""What the layer competes with, and the same layer with other labels: kernel rules without a softmax, K classes.

Chapter `one_nn`. Beyond the paper, Li et al. (2024), arXiv 2411.10830; classes as in Athreya and Wang (2026).
"""

from lib.errors import whole


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
