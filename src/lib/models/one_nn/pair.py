"""The model in two numbers: W = diag(xi_1 I, 0, -xi_2), labels averaged out, inner products in place of points.

Chapter `one_nn`. The fast form. On this family a prompt is N inner products with the query, and the average over
uncorrelated labels is exact: 2 L = E[1 - 2 q_* + sum_j q_j^2]. Rows of one prompt stand beside each other, (N, B), so
that sums over the examples run along the batch. Source: our own; the family is that of arXiv 2411.10830, the proof
sketch, its loss and gradients follow from the model's.
"""

from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from lib.errors import require, whole
from lib.models.one_nn.task import Array, Prompts, Rngs, products
from lib.sampling import raw_words


class Pair(NamedTuple):
    """Parameters of R runs."""

    xi1: Array  #: (R,) weight of the inner products
    xi2: Array  #: (R,) mask of the query's own token, whose score is xi1 - xi2


class Rows(NamedTuple):
    """B prompts for each of R runs, as inner products."""

    z: Array  #: (R, N, B) of the examples with the query
    nearest: Array  #: (R, B) that of the example whose label is the answer: the largest
    weight: Array | None = None  #: (R, B), adding up to 1; None: all alike


class ReducedPair:
    """Training of the two numbers on fresh prompts, in the form that `lib.train.train` asks for.

    The gradient is (dL/dxi_1, dL/dxi_2). Gradient descent on the whole matrix with rate eta is descent here with rates
    eta / d for xi_1, which d equal entries share, and eta for xi_2.

    Args:
        d: dimension, at least 2.
        N: examples, at least 1.
        sigma: xi_2 at the start: a finite number, or one a run (R,).

    Raises:
        InputError: if an argument is out of range.
    """

    def __init__(self, d: int, N: int, sigma: ArrayLike = 3.0) -> None:
        self.d, self.N = whole("d", d, 2), whole("N", N, 1)
        self.sigma = np.asarray(sigma, dtype=np.float64)
        require(self.sigma.ndim <= 1 and bool(np.all(np.isfinite(self.sigma))), "sigma", "finite numbers", sigma)

    def init(self, runs: int = 1, rngs: Rngs = ()) -> Pair:
        """xi = (0, sigma); nothing is drawn."""
        require(self.sigma.ndim == 0 or len(self.sigma) == runs, "sigma", f"one number, or {runs}", self.sigma.shape)
        return Pair(np.zeros(runs), np.array(np.broadcast_to(self.sigma, runs)))

    def sample(self, batch: int, rngs: Rngs, step: int = 0) -> Rows:
        """Inner products of `batch` fresh prompts a run; run r depends on rngs[r] alone.

        Raises:
            InputError: if batch is below 1.
        """
        batch = whole("batch", batch, 1)
        drawn = [draw_products(self.d, (self.N, batch), rng) for rng in rngs]
        z = drawn[0][None] if len(drawn) == 1 else np.stack(drawn)
        return Rows(z, z.max(axis=1))

    def loss_and_gradient(self, params: Pair, batch: Rows) -> tuple[Array, Pair]:
        """Loss (R,) and gradient; see `pair_loss_and_gradient`."""
        return pair_loss_and_gradient(params, batch)


def draw_products(d: int, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    """Inner products, of this shape, of independent uniform points of the sphere in R^d, d >= 2, with a fixed one.

    Two coordinates of such a point have r^2 = 1 - u^(2 / (d - 2)), u uniform, and an even angle: no rejection, and no d
    numbers a point. For d = 2 the radius is 1. Angles are in single precision, which moves a product by 1e-7.

    Source: Ulrich (1984), "Computer generation of distributions on the m-sphere", Applied Statistics 33.
    """
    count = prod(shape)
    words = raw_words(rng, count).view(np.uint32)
    z = words[:count].astype(np.float32)
    z *= np.float32(np.pi * 2.0**-32)
    np.cos(z, out=z)
    if d == 2:
        return z.astype(np.float64).reshape(shape)
    radius = words[count:].astype(np.float64)
    radius *= 2.0**-32
    radius += 2.0**-33  # the middle of the cell, never 0
    if d == 8:  # the book's default, in a third of the time
        np.cbrt(radius, out=radius)
    else:
        np.power(radius, 2 / (d - 2), out=radius)
    np.subtract(1, radius, out=radius)
    np.sqrt(radius, out=radius)
    radius *= z
    return radius.reshape(shape)


def rows_of(prompts: Prompts) -> Rows:
    """Prompts as inner products; their labels are left out."""
    z = np.ascontiguousarray(products(prompts).swapaxes(-1, -2))
    return Rows(z, z.max(axis=1))


def pair_loss_and_gradient(params: Pair, rows: Rows) -> tuple[Array, Pair]:
    """Label-averaged loss (R,) of the rows, squared error with the factor 1/2, and its derivatives in xi_1 and xi_2.

    With zbar = sum_j q_j z_j + q_0: dL/dxi_1 = E[-q_* (z_* - zbar) + sum_j q_j^2 (z_j - zbar)] and
    dL/dxi_2 = -E[q_0 (q_* - sum_j q_j^2)].

    Where xi_2 is infinite the query never attends to its own token, whose score is xi_1 - xi_2.
    """
    z, nearest, weight = rows
    xi1 = params.xi1[:, None]
    own_score = xi1 - params.xi2[:, None]
    # subtracted before exponentials are taken: xi reaches several hundred
    top = xi1 * (nearest if np.all(xi1 >= 0) else np.where(xi1 >= 0, z.max(axis=1), z.min(axis=1)))
    np.maximum(top, own_score, out=top)
    e = z * xi1[..., None]
    e -= top[:, None]
    np.exp(e, out=e)
    q0 = np.exp(own_score - top)
    share = np.add.reduce(e, axis=1)
    share += q0
    np.reciprocal(share, out=share)  # q_j = share e_j
    q0 *= share
    moment = e * z
    mean = np.add.reduce(moment, axis=1)
    mean *= share
    mean += q0
    squares, moments = np.einsum("rnb,rnb->rb", e, e), np.einsum("rnb,rnb->rb", e, moment)
    q = xi1 * nearest
    q -= top
    np.exp(q, out=q)
    q *= share
    share *= share
    squares *= share  # sum_j q_j^2
    moments *= share  # sum_j q_j^2 z_j
    in_xi1 = moments - squares * mean - q * (nearest - mean)
    in_xi2 = q0 * (squares - q)
    loss = 0.5 * squares - q
    if weight is None:
        batch = z.shape[-1]
        mean_of = [np.add.reduce(part, axis=1) / batch for part in (loss, in_xi1, in_xi2)]
    else:
        mean_of = [np.add.reduce(weight * part, axis=1) for part in (loss, in_xi1, in_xi2)]
    return 0.5 + mean_of[0], Pair(mean_of[1], mean_of[2])
