"""The task: labelled points of a sphere, a query, and the label of the nearest point as the answer.

Chapter `one_nn`. Source: Li, Cao, Gao, He, Liu, Klusowski, Fan, Wang, "One-layer transformer provably learns
one-nearest neighbor in context" (arXiv 2411.10830), the setting.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lib.errors import require, whole
from lib.models.one_nn.labels import LABELS, draw_labels

Array = NDArray[np.float64]
Rngs = Sequence[np.random.Generator]

_ON_SPHERE = 1e-9  # how far a squared length may be from 1


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
    """Draw `batch` prompts for each run; run r depends on rngs[r] alone.

    Args:
        task: what to draw.
        batch: prompts B a run, at least 1.
        rngs: R generators.

    Raises:
        InputError: if batch is below 1.
    """
    batch = whole("batch", batch, 1)
    points = np.stack([rng.standard_normal((batch, task.N + 1, task.d)) for rng in rngs])
    points /= np.sqrt(np.einsum("rbjd,rbjd->rbj", points, points))[..., None]
    x = points[:, :, :-1]
    y = np.stack([draw_labels(task.labels, own, rng) for own, rng in zip(x, rngs, strict=True)])
    return Prompts(x, points[:, :, -1], y)


def check_prompts(prompts: Prompts) -> Prompts:
    """Return the prompts themselves, if they are what the theory speaks of.

    Raises:
        InputError: if shapes disagree, d < 2, N < 1, a point is off the sphere or a label is not +1 or -1.
    """
    x, query, y = prompts
    require(x.ndim == 4, "x", "shape (R, B, N, d)", x.shape)
    runs, batch, N, d = x.shape
    require(d >= 2 and N >= 1, "x", "d >= 2 and N >= 1", f"d = {d}, N = {N}")
    require(query.shape == (runs, batch, d), "query", f"shape {(runs, batch, d)}", query.shape)
    require(y.shape == (runs, batch, N), "y", f"shape {(runs, batch, N)}", y.shape)
    for name, points in (("x", x), ("query", query)):
        off = np.abs(np.square(points).sum(axis=-1) - 1).max()
        require(off <= _ON_SPHERE, name, "points of length 1", f"a squared length off by {off:.3g}")
    require(bool(np.all(np.abs(y) == 1)), "y", "labels +1 or -1", f"{y.flat[np.argmax(np.abs(y) != 1)]:g}")
    return prompts


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
    """The same points, relabelled so that labels are separated by delta around the query.

    Every example with z_j > z_* - delta / 2 takes the label of the nearest one. Then every example labelled otherwise
    has |x_j - x_q|^2 >= |x_* - x_q|^2 + delta, as the theorem on distribution shift asks.

    Args:
        prompts: any.
        delta: separation in squared distance, between 0 (nothing changes) and 4 (all labels agree).

    Raises:
        InputError: if delta is outside [0, 4].
    """
    require(bool(0 <= delta <= 4), "delta", "a squared distance between 0 and 4", delta)
    z = products(prompts)
    near = z > z.max(axis=-1, keepdims=True) - delta / 2
    return prompts._replace(y=np.where(near, targets(prompts)[..., None], prompts.y))
