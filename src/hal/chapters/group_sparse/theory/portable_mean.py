r"""What the value of a layer sees of an example: the mean of its groups, weighted by attention.

Chapter `group_sparse`. Source: beyond arXiv 2504.08638. With the share s on the relevant group and the rest spread
evenly over the other groups, the mean has along v* the component $sg + \tau\xi$ with independent standard normal g,
$\xi$ and $\tau = (1-s)/\sqrt{D-1}$, while the label is the sign of g. What is out of range raises `InputError`.
"""

from lib.errors import require
from lib.portable.primitives import sqrt
from lib.portable.quadrature import gauss_places, gauss_weights

PLACES = 16
HALF_PI = 1.5707963267948966


def spread_of(D: int, s: float) -> float:
    """The standard deviation of a component of the mean, sqrt(s^2 + (1 - s)^2 / (D - 1)), of groups at deviation 1."""
    require(D >= 2, "D", "at least 2 groups", D)
    require(s >= 0.0 and s <= 1.0, "s", "a share from 0 to 1", s)
    return sqrt(s * s + (1.0 - s) * (1.0 - s) / float(D - 1))


def least_wrong(D: int, s: float) -> float:
    r"""The share of examples on which the best line through the mean is wrong, $\arctan(\tau/s)/\pi$.

    Source: beyond the paper; the angle between (s, tau) and the first axis.

    Example:
        >>> [round(least_wrong(6, s), 4) for s in (1 / 6, 0.5, 0.9)]
        [0.3661, 0.1339, 0.0158]
    """
    spread = spread_of(D, s)
    across = sqrt(max(0.0, spread * spread - s * s))
    steep = across > s
    ratio = s / across if steep else across / s
    places = gauss_places(PLACES)
    weights = gauss_weights(places)
    angle = 0.0  # of which the ratio is the tangent: the integral of 1 / (1 + t^2)
    for i in range(PLACES):
        t = ratio * places[i]
        angle += ratio * weights[i] / (1.0 + t * t)
    return (HALF_PI - angle if steep else angle) / (2.0 * HALF_PI)
