"""The task: labelled points of a sphere, a query, and the label of the nearest point as the answer.

Chapter `one_nn`. Source: Li, Cao, Gao, He, Liu, Klusowski, Fan, Wang, "One-layer transformer provably learns
one-nearest neighbor in context" (arXiv 2411.10830), the setting. Of the labels the paper asks for E[y_i y_j | x] =
1{i = j} and a law that does not change under x -> -x. The laws themselves are our choice: two that the theory allows,
one that it overlooked, one that it excludes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lib.errors import require, whole

Array = NDArray[np.float64]
Rngs = Sequence[np.random.Generator]

#: rademacher: independent fair signs.
#: highfreq: the sign of a wave of random direction and phase, far shorter than the distance of points.
#: walsh: products of a few fair signs, pairwise uncorrelated, with certain products of three always 1.
#: linear: the sign of a random linear function; close points agree, so the conditions do not hold.
LABELS = ("rademacher", "highfreq", "walsh", "linear")
_FREQUENCY = 10.0  # standard deviation of each coordinate of the wave's direction, radians per unit of length


class Prompts(NamedTuple):
    """B prompts for each of R runs."""

    x: Array  #: (R, B, N, d) examples, of length 1
    query: Array  #: (R, B, d) of length 1
    y: Array  #: (R, B, N) labels, +1 or -1


@dataclass(frozen=True)
class Task:
    """What is drawn: N labelled examples and a query, independent and uniform on the unit sphere of R^d.

    Attributes:
        d: dimension, at least 2.
        N: examples in a prompt, at least 1.
        labels: the law of the labels, one of `LABELS`; see `draw_labels`.

    Raises:
        InputError: if a number is out of range or the law unknown.
    """

    d: int
    N: int
    labels: str = "rademacher"

    def __post_init__(self) -> None:
        whole("d", self.d, 2)
        whole("N", self.N, 1)
        require(self.labels in LABELS, "labels", f"one of {', '.join(LABELS)}", repr(self.labels))


def sample_prompts(task: Task, batch: int, rngs: Rngs) -> Prompts:
    """Draw `batch` prompts for each of R runs; run r depends on rngs[r] alone.

    Raises:
        InputError: if batch is below 1.
    """
    batch = whole("batch", batch, 1)
    points = np.stack([rng.standard_normal((batch, task.N + 1, task.d)) for rng in rngs])
    points /= np.sqrt(np.einsum("rbjd,rbjd->rbj", points, points))[..., None]
    x = points[:, :, :-1]
    y = np.stack([draw_labels(task.labels, own, rng) for own, rng in zip(x, rngs, strict=True)])
    return Prompts(x, points[:, :, -1], y)


def draw_labels(law: str, x: Array, rng: np.random.Generator) -> Array:
    """Labels (B, N), +1 or -1, of B prompts with the points x (B, N, d), by one of `LABELS`.

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


def products(prompts: Prompts) -> Array:
    """Inner products z_j of the examples with the query, (R, B, N)."""
    return np.matmul(prompts.x, prompts.query[..., None])[..., 0]


def nearest(prompts: Prompts) -> NDArray[np.intp]:
    """i*, the number of the example nearest to the query, (R, B)."""
    return products(prompts).argmax(axis=-1)


def targets(prompts: Prompts) -> Array:
    """The right answers y_{i*}, (R, B)."""
    return np.take_along_axis(prompts.y, nearest(prompts)[..., None], axis=-1)[..., 0]


def separate(prompts: Prompts, delta: float) -> Prompts:
    """The same points, with labels separated around the query by the squared distance delta: 0 changes nothing.

    Every example with z_j > z_* - delta / 2 takes the label of the nearest one. Then every example labelled otherwise
    has |x_j - x_q|^2 >= |x_* - x_q|^2 + delta, as the theorem on distribution shift asks; with 4 all labels agree.

    Raises:
        InputError: if delta is outside [0, 4].
    """
    require(bool(0 <= delta <= 4), "delta", "a squared distance between 0 and 4", delta)
    z = products(prompts)
    near = z > z.max(axis=-1, keepdims=True) - delta / 2
    return prompts._replace(y=np.where(near, targets(prompts)[..., None], prompts.y))
