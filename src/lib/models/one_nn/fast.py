"""The task and its softmax model with exact gradients, many runs in one call: the whole matrix W, and two numbers.

Chapter `one_nn`. Source: Li, Cao, Gao, He, Liu, Klusowski, Fan, Wang, "One-layer transformer provably learns
one-nearest neighbor in context" (arXiv 2411.10830). Tokens are h_j = [x_j; y_j; 0] and h_q = [x_q; 0; 1], scores
h_j^T W h_q, f = label slot of the softmax average. Only the query's column of the attention is ever asked for, so only
it is computed: O(batch N d) a step. Of the labels the paper asks for E[y_i y_j | x] = 1{i = j} and a law that does not
change under x -> -x. The laws themselves are our choice: two that the theory allows, one that it overlooked, one that
it excludes.

On the family W = diag(xi_1 I, 0, -xi_2) of the paper's proof sketch a prompt is N inner products with the query, and
the average over uncorrelated labels is exact: 2 L = E[1 - 2 q_* + sum_j q_j^2]. This fast form is our own; rows of one
prompt stand beside each other, (N, B), so that sums over the examples run along the batch.

What is out of range, or of another shape, raises `InputError`. Arrays have the R runs first; run r depends on rngs[r]
alone. Losses are squared errors with the factor 1/2.
"""

from dataclasses import dataclass
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.attention import softmax
from lib.errors import require, whole
from lib.sampling import Rngs, raw_words

__all__ = [
    "LABELS", "Full", "FullMatrix", "Pair", "Prompts", "ReducedPair", "Rows", "Task", "as_matrix", "as_pair",
    "attention", "draw_labels", "draw_products", "fair_signs", "loss_and_gradient", "nearest", "off_family",
    "pair_loss_and_gradient", "predict", "products", "sample_prompts", "targets", "walsh_factors",
]  # fmt: skip

Array = NDArray[np.float64]

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
    """

    d: int
    N: int
    labels: str = "rademacher"

    def __post_init__(self) -> None:
        whole("d", self.d, 2)
        whole("N", self.N, 1)
        require(self.labels in LABELS, "labels", f"one of {', '.join(LABELS)}", repr(self.labels))


def sample_prompts(task: Task, batch: int, rngs: Rngs) -> Prompts:
    """Draw `batch` prompts for each of R runs; run r depends on rngs[r] alone."""
    batch = whole("batch", batch, 1)
    points = np.stack([rng.standard_normal((batch, task.N + 1, task.d)) for rng in rngs])
    points /= np.sqrt(np.einsum("rbjd,rbjd->rbj", points, points))[..., None]
    x = points[:, :, :-1]
    y = np.stack([draw_labels(task.labels, own, rng) for own, rng in zip(x, rngs, strict=True)])
    return Prompts(x, points[:, :, -1], y)


def draw_labels(law: str, x: Array, rng: np.random.Generator) -> Array:
    """Labels (B, N), +1 or -1, of B prompts with the points x (B, N, d), by one of `LABELS`."""
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


class Full(NamedTuple):
    """Parameters of R runs."""

    W: Array  #: (R, d + 2, d + 2) blocks of sizes d, 1, 1: point, label, mark of the query


class Pair(NamedTuple):
    """Parameters of R runs."""

    xi1: Array  #: (R,) weight of the inner products
    xi2: Array  #: (R,) self-penalty of the query's own token, whose score is xi1 - xi2


class Rows(NamedTuple):
    """B prompts for each of R runs, as inner products."""

    z: Array  #: (R, N, B) of the examples with the query
    nearest: Array  #: (R, B) that of the example whose label is the answer: the largest
    weight: Array | None = None  #: (R, B), adding up to 1; None: all alike


class FullMatrix:
    """The task together with the softmax model, in the form that `lib.train.train` asks for.

    Args:
        task: what is drawn.
        sigma: the self-penalty at the start, W_33 = -sigma; a finite number, or one a run (R,).
    """

    def __init__(self, task: Task, sigma: ArrayLike = 3.0) -> None:
        self.task = task
        self.sigma = np.asarray(sigma, dtype=np.float64)
        require(self.sigma.ndim <= 1 and bool(np.all(np.isfinite(self.sigma))), "sigma", "finite numbers", sigma)

    def init(self, runs: int = 1, rngs: Rngs = ()) -> Full:
        """All zero but W_33 = -sigma; nothing is drawn."""
        W = np.zeros((runs, self.task.d + 2, self.task.d + 2))
        require(self.sigma.ndim == 0 or len(self.sigma) == runs, "sigma", f"one number, or {runs}", self.sigma.shape)
        W[:, -1, -1] = -self.sigma
        return Full(W)

    def sample(self, batch: int, rngs: Rngs, step: int = 0) -> Prompts:
        """Fresh prompts; see `sample_prompts`."""
        return sample_prompts(self.task, batch, rngs)

    def loss_and_gradient(self, params: Full, batch: Prompts) -> tuple[Array, Full]:
        """Minibatch loss (R,) and its exact gradient; see `loss_and_gradient`."""
        return loss_and_gradient(params, batch)


def attention(W: Array, prompts: Prompts) -> Array:
    """Attention weights of the query, (R, B, N + 1), on the examples and last on its own token; W (R, d + 2, d + 2).

    Source: arXiv 2411.10830, the model.
    """
    d = prompts.x.shape[-1]
    ask = np.matmul(prompts.query, W[:, :, :d].swapaxes(-1, -2)) + W[:, None, :, d + 1]  # (R, B, d + 2): W h_q
    scores = np.empty((*prompts.y.shape[:-1], prompts.y.shape[-1] + 1))
    np.matmul(prompts.x, ask[..., :d, None], out=scores[..., :-1, None])
    scores[..., :-1] += prompts.y * ask[..., d, None]
    scores[..., -1] = np.sum(prompts.query * ask[..., :d], axis=-1) + ask[..., d + 1]
    return softmax(scores)


def predict(W: Array, prompts: Prompts) -> Array:
    """f_W, the attended label, (R, B), with W (R, d + 2, d + 2)."""
    return np.sum(attention(W, prompts)[..., :-1] * prompts.y, axis=-1)


def loss_and_gradient(params: Full, prompts: Prompts) -> tuple[Array, Full]:
    """Mean (R,) of (f - y_*)^2 / 2 over R x B prompts, and its exact gradient in W.

    The slope in a score is (f - y_*) q_j (y_j - f), with label 0 for the query's own token. The gradient's column of
    the query's label slot, which is 0, is exactly 0. Source: arXiv 2411.10830, the loss; the chain rule written out.
    """
    x, query, y = prompts
    d, batch = x.shape[-1], x.shape[1]
    q = attention(params.W, prompts)
    f = np.sum(q[..., :-1] * y, axis=-1)
    error = f - targets(prompts)
    slope = q * (error / batch)[..., None]
    slope[..., :-1] *= y - f[..., None]
    slope[..., -1] *= -f
    drawn = np.empty((*query.shape[:-1], d + 2))  # sum over the tokens of slope times token
    np.matmul(slope[..., None, :-1], x, out=drawn[..., None, :d])
    drawn[..., :d] += slope[..., -1, None] * query
    drawn[..., d] = np.sum(slope[..., :-1] * y, axis=-1)
    drawn[..., d + 1] = slope[..., -1]
    gradient = np.zeros_like(params.W)
    gradient[:, :, :d] = np.matmul(drawn.swapaxes(-1, -2), query)
    gradient[:, :, d + 1] = drawn.sum(axis=1)
    return 0.5 * np.square(error).mean(axis=-1), Full(gradient)


def as_matrix(pair: Pair, d: int) -> Full:
    """W = diag(xi_1 I_d, 0, -xi_2) of R runs."""
    for name, value in zip(pair._fields, pair, strict=True):
        require(bool(np.all(np.isfinite(value))), name, "finite numbers", value)
    W = np.zeros((len(pair.xi1), d + 2, d + 2))
    i = np.arange(d)
    W[:, i, i] = pair.xi1[:, None]
    W[:, d + 1, d + 1] = -pair.xi2
    return Full(W)


def as_pair(params: Full) -> Pair:
    """The two numbers of the nearest matrix of the family: xi_1 = tr W_11 / d, xi_2 = -W_33."""
    d = params.W.shape[-1] - 2
    return Pair(np.trace(params.W[:, :d, :d], axis1=1, axis2=2) / d, -params.W[:, d + 1, d + 1])


def off_family(params: Full) -> Array:
    """Norm of what W has beside diag(xi_1 I, 0, -xi_2), over the norm of W, (R,); 0 for W = 0."""
    rest = params.W - as_matrix(as_pair(params), params.W.shape[-1] - 2).W
    whole_norm = np.linalg.norm(params.W, axis=(1, 2))
    return np.linalg.norm(rest, axis=(1, 2)) / np.where(whole_norm > 0, whole_norm, 1.0)


class ReducedPair:
    """Training of the two numbers on fresh prompts, in the form that `lib.train.train` asks for.

    The gradient is (dL/dxi_1, dL/dxi_2). Gradient descent on the whole matrix with rate eta is descent here with rates
    eta / d for xi_1, which d equal entries share, and eta for xi_2.

    Args:
        d: dimension, at least 2.
        N: examples, at least 1.
        sigma: xi_2 at the start: a finite number, or one a run (R,).
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
        """Inner products of `batch` fresh prompts a run; run r depends on rngs[r] alone."""
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
