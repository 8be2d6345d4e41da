"""Bounds on prompts with separated labels, for the page and, lifted, for `lib.theory.one_nn.shift`.

Chapter `one_nn`. Source: Li et al. (2024), arXiv 2411.10830, the pointwise bound behind the theorem on distribution
shift.
"""

from lib.portable.numbers import exp
from lib.theory.one_nn.portable_sphere import PLACES, WEIGHTS, Law, nearest_density, product_at


def pull_of_others(xi1: float, N: int, delta: float) -> float:
    """2 N e^(-xi_1 delta / 2): by how much examples with another label can move the answer, for labels up to 1.

    Source: arXiv 2411.10830, the theorem on distribution shift.
    """
    return 2.0 * float(N) * exp(-0.5 * xi1 * delta)


def own_weight(xi1: float, xi2: float, nearest: float) -> float:
    """e^(xi_1 (1 - z_*) - xi_2): the query's own weight over that of the nearest example, which bounds q_0.

    Source: arXiv 2411.10830, the theorem on distribution shift.
    """
    return exp(xi1 * (1.0 - nearest) - xi2)


def loss_bound(law: Law, xi1: float, xi2: float, delta: float) -> float:
    """A bound of the loss on prompts separated by delta: E min(2, 2 N e^(-xi_1 delta / 2) + q_0)^2 / 2.

    Squared error with the factor 1/2; labels are +1 and -1, and q_0 <= min(1, `own_weight`). Source: arXiv 2411.10830,
    the pointwise bound behind the theorem on distribution shift, averaged over the prompts.
    """
    others = pull_of_others(xi1, law.N, delta)
    result = 0.0
    wide = 0.125 * (1.0 - law.lowest)
    for part in range(8):
        for i in range(len(PLACES)):
            w = law.lowest + wide * (float(part) + PLACES[i])
            wrong = min(2.0, others + min(1.0, own_weight(xi1, xi2, product_at(w))))
            result += wide * WEIGHTS[i] * nearest_density(law, w) * 0.5 * wrong * wrong
    return result
