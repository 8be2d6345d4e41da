"""Laws of the labels, given the points: two that the theory allows, one that it overlooked, one that it excludes.

Chapter `one_nn`. The paper asks for E[y_i y_j | x] = 1{i = j} and a law that does not change under x -> -x (arXiv
2411.10830, the setting). The laws themselves are our choice.
"""

import numpy as np
from numpy.typing import NDArray

from lib.errors import require

Array = NDArray[np.float64]

#: rademacher: independent fair signs.
#: highfreq: the sign of a wave of random direction and phase, far shorter than the distance of points.
#: walsh: products of a few fair signs, pairwise uncorrelated, with certain products of three always 1.
#: linear: the sign of a random linear function; close points agree, so the conditions do not hold.
LABELS = ("rademacher", "highfreq", "walsh", "linear")
_FREQUENCY = 10.0  # standard deviation of each coordinate of the wave's direction, radians per unit of length


def draw_labels(law: str, x: Array, rng: np.random.Generator) -> Array:
    """Labels of B prompts.

    Args:
        law: one of `LABELS`.
        x: points (B, N, d).
        rng: of these prompts.

    Returns:
        (B, N), +1 or -1.

    Raises:
        InputError: if the law is unknown.
    """
    require(law in LABELS, "law", f"one of {', '.join(LABELS)}", repr(law))
    batch, N, d = x.shape
    if law == "rademacher":
        return fair_signs((batch, N), rng)
    if law == "highfreq":
        direction, phase = _FREQUENCY * rng.standard_normal((batch, d, 1)), 2 * np.pi * rng.random((batch, 1))
        return _sign(np.cos(np.matmul(x, direction)[..., 0] + phase))
    if law == "walsh":
        factors = N.bit_length()  # ceil(log2(N + 1)): every label is a product of another set of them
        negative = rng.integers(0, 2, (batch, factors)) @ walsh_factors(N).T
        return np.where(negative % 2, -1.0, 1.0)
    return _sign(np.matmul(x, rng.standard_normal((batch, d, 1)))[..., 0])


def fair_signs(shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    """Independent +1 and -1 with even chances."""
    return np.where(rng.integers(0, 2, shape, dtype=np.int8), 1.0, -1.0)


def walsh_factors(N: int) -> NDArray[np.int64]:
    """Which fair signs the N Walsh labels multiply: row j - 1 holds the binary digits of j, (N, ceil(log2(N + 1)))."""
    return (np.arange(1, N + 1)[:, None] >> np.arange(N.bit_length())) & 1


def _sign(values: Array) -> Array:
    """The sign, with +1 at 0."""
    return np.where(values >= 0, 1.0, -1.0)
