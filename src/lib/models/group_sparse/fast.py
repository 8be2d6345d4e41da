r"""The group-sparse task and one attention layer with positions: many runs in one call, gradients in closed form.

Chapter `group_sparse`. Source: arXiv 2504.08638, Section 2: D groups of d variables, one of which decides the label,
and the logistic loss; the measures are those of its Section 5, their definitions assumed.

Example i has the tokens $h_j = [x_j; p_j]$. Key i gets from query j the weight $S_{ij}$, a softmax over keys, and the
output adds up all queries: $f = v^\top H S 1$. Value vector v and key-query matrix W learn together. All products over
examples are matrix products.

What is out of range, or of another shape, raises `InputError`. Arrays have the R runs first; run r depends on rngs[r]
alone. Losses are in nats, for any margin.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from lib.attention import sine_positions, softmax
from lib.errors import InputError, require, whole
from lib.sampling import Rngs

__all__ = [
    "Examples", "GroupTransformer", "Params", "Task", "accuracy", "cosine", "logistic", "logistic_slope",
    "loss_and_gradient", "mean_attention", "norm_ratio", "unit_direction",
]  # fmt: skip

Array = NDArray[np.float64]
_UNIT = 1e-9  # how far from length one a direction may be; rounding leaves some 1e-16


class Examples(NamedTuple):
    """n labelled examples for each of R runs, or (leading axis 1) the same for all runs."""

    X: Array  #: (R or 1, n, D, d) row j of an example is its group x_j
    y: Array  #: (R or 1, n) labels, -1 or 1


class Task:
    r"""Gaussian groups $x_j \sim N(0, \sigma_x^2 I_d)$ and the label $y = \mathrm{sign}\langle x_{j^*}, v^*\rangle$.

    Args:
        D: number of groups (tokens), at least 1.
        d: variables in a group, at least 1.
        j_star: the group that decides, counted from 1.
        v_star: its direction (d,), of length one; default the first axis.
        sigma_x: standard deviation of a variable, above 0.
        flips: share of labels turned over, in [0, 1/2).
        others: scale of the groups that do not decide, above 0.

    Source: arXiv 2504.08638, Section 2; flipped labels and the scale are ours.

    Example:
        >>> task = Task(D=6, d=4)
        >>> X, y = task.sample(500, [np.random.default_rng(0)])
        >>> X.shape, bool((y == np.sign(X[..., task.star, 0])).all())
        ((1, 500, 6, 4), True)
    """

    def __init__(
        self,
        D: int = 6,
        d: int = 4,
        j_star: int = 2,
        v_star: Array | None = None,
        sigma_x: float = 1.0,
        flips: float = 0.0,
        others: float = 1.0,
    ) -> None:
        self.D, self.d = whole("D", D, 1), whole("d", d, 1)
        require(whole("j_star", j_star, 1) <= self.D, "j_star", f"one of the groups 1 to {self.D}", j_star)
        self.star = j_star - 1  #: row of `Examples.X` that decides
        require(math.isfinite(sigma_x) and sigma_x > 0, "sigma_x", "a finite number above 0", sigma_x)
        require(0 <= flips < 0.5, "flips", "a share in [0, 0.5)", flips)
        require(math.isfinite(others) and others > 0, "others", "a finite number above 0", others)
        self.sigma_x, self.flips, self.others = float(sigma_x), float(flips), float(others)
        self.v_star = unit_direction("v_star", v_star, self.d)

    @property
    def j_star(self) -> int:
        """The group that decides, counted from 1 as in the paper."""
        return self.star + 1

    def sample(self, n: int, rngs: Rngs) -> Examples:
        """n fresh examples for each generator; run r depends on rngs[r] alone."""
        n = whole("n", n, 1)
        require(len(rngs) > 0, "rngs", "at least one generator", "none")
        X = np.stack([rng.standard_normal((n, self.D, self.d)) for rng in rngs]) * self.sigma_x
        X[:, :, np.arange(self.D) != self.star] *= self.others
        y = np.where(X[:, :, self.star] @ self.v_star < 0, -1.0, 1.0)
        if self.flips:
            turned = np.stack([rng.random(n) < self.flips for rng in rngs])
            y = np.where(turned, -y, y)
        return Examples(X, y)


def unit_direction(name: str, direction: Array | None, d: int) -> Array:
    """A copy of a direction (d,), or the first axis; `name` is the argument's as the caller wrote it."""
    if direction is None:
        return np.eye(d)[0]
    given = np.array(direction, dtype=np.float64)
    if given.shape != (d,):
        raise InputError(f"{name}: expected shape ({d},), got {given.shape}")
    length = float(np.linalg.norm(given))
    require(abs(length - 1) <= _UNIT, name, "a direction of length 1", f"length {length:g}")
    return given


def logistic(margin: Array) -> Array:
    """log(1 + e^(-m)) in nats, for any margin m (...)."""
    return np.logaddexp(0.0, -margin)


def logistic_slope(margin: Array) -> Array:
    """Its derivative, -1/(1 + e^m), for any margin m (...)."""
    return -expit(-margin)


class Params(NamedTuple):
    """Parameters of R runs; the first d entries belong to variables, the other D to positions."""

    v: Array  #: (R, d + D) value vector
    W: Array  #: (R, d + D, d + D) merged key-query matrix


class GroupTransformer:
    """The task with its model, in the form that `lib.train.train` asks for; a batch is freshly drawn.

    A fixed training set is `lib.train.GivenBatches(GroupTransformer(task), [task.sample(n, rngs)])`.

    Args:
        task: the task.
        positions: one row a group (D, D); default `lib.attention.sine_positions`.
    """

    def __init__(self, task: Task, positions: Array | None = None) -> None:
        self.task = task
        self.positions = sine_positions(task.D, task.D) if positions is None else np.array(positions, dtype=np.float64)
        shape = self.positions.shape
        require(shape == (task.D, task.D), "positions", f"shape {(task.D, task.D)}", shape)

    def init(self, runs: int = 1, rngs: Rngs = ()) -> Params:
        """All zeros: attention is even, the output 0."""
        size = self.task.d + self.task.D
        return Params(np.zeros((whole("runs", runs, 1), size)), np.zeros((runs, size, size)))

    def sample(self, batch: int, rngs: Rngs, step: int = 0) -> Examples:
        """Fresh examples; see `Task.sample`."""
        return self.task.sample(batch, rngs)

    def tokens(self, X: Array) -> Array:
        """The tokens [x_j; p_j], (R or 1, n, D, d + D), of groups (R or 1, n, D, d)."""
        H = np.empty((*X.shape[:-1], self.task.d + self.task.D))
        H[..., : self.task.d] = X
        H[..., self.task.d :] = self.positions
        return H

    def attention(self, params: Params, X: Array) -> Array:
        """The weights S (R, n, D, D): entry [i, j] is what query j puts on key i; columns sum to 1."""
        return _attend(self.tokens(X), params.W)

    def output(self, params: Params, X: Array) -> Array:
        """f (R, n) of groups (R or 1, n, D, d)."""
        H = self.tokens(X)
        u = np.matmul(H, params.v[:, None, :, None])[..., 0]
        return (u * _attend(H, params.W).sum(axis=-1)).sum(axis=-1)

    def loss_and_gradient(self, params: Params, batch: Examples) -> tuple[Array, Params]:
        """Mean logistic loss (R,) in nats over the batch, and its gradient; see `loss_and_gradient`."""
        return loss_and_gradient(params, self.tokens(batch.X), batch.y)


def loss_and_gradient(params: Params, H: Array, y: Array) -> tuple[Array, Params]:
    r"""Mean of $\log(1 + e^{-yf})$ and its exact gradient, for tokens that are given.

    $\nabla_v = E[c\,HS1]$ and $\nabla_W = E[H\gamma H^\top]$, $\gamma_{ij} = c\,S_{ij}(u_i - \bar u_j)$, with
    $c = -y/(1 + e^{yf})$, $u = H^\top v$ and $\bar u_j = \sum_i S_{ij} u_i$.

    Tokens H are (R or 1, n, D, m), one a row, labels y (R or 1, n), the loss (R,) in nats.

    Source: arXiv 2504.08638, Section 2; gradient by the chain rule.
    """
    runs, n, (D, m) = len(params.v), H.shape[1], H.shape[2:]
    S = _examples_last(_scores(H, params.W))  # (R, key, query, n), so that sums over few keys run along the examples
    S = softmax(S, axis=1)
    u = np.ascontiguousarray(np.matmul(H, params.v[:, None, :, None])[..., 0].swapaxes(-1, -2))  # (R, D, n)
    mean = np.einsum("rkn,rkqn->rqn", u, S)  # bar u_j
    margin = y * mean.sum(axis=1)
    slope = y * logistic_slope(margin) / n  # (R, n)
    weight = np.ascontiguousarray((slope[:, None] * S.sum(axis=2)).swapaxes(-1, -2))
    tokens = np.broadcast_to(H, (runs, n, D, m)).reshape(runs, n * D, m)
    v = np.matmul(weight.reshape(runs, 1, n * D), tokens)[:, 0]
    S *= (u[:, :, None] - mean[:, None]) * slope[:, None, None]  # now gamma
    spread = np.matmul(np.ascontiguousarray(np.moveaxis(S, -1, 1)), H).reshape(runs, n * D, m)  # sum_j gamma_ij h_j
    return logistic(margin).mean(axis=-1), Params(v, np.matmul(tokens.swapaxes(-1, -2), spread))


def _scores(H: Array, W: Array) -> Array:
    return np.matmul(np.matmul(H, W[:, None]), H.swapaxes(-1, -2))


def _attend(H: Array, W: Array) -> Array:
    return softmax(_scores(H, W), axis=-2)


def _examples_last(x: Array) -> Array:
    return np.ascontiguousarray(np.moveaxis(x, 1, -1))


def cosine(params: Params, task: Task) -> Array:
    """Cosine of the variables' part of the value with v*, (R,); 0 at the start, where there is no direction."""
    v1 = params.v[:, : task.d]
    length = np.linalg.norm(v1, axis=-1)
    return (v1 @ task.v_star) / np.where(length > 0, length, 1.0)


def norm_ratio(params: Params, task: Task) -> Array:
    """Length of the variables' part of the value over the whole, (R,); 0 at the start."""
    length = np.linalg.norm(params.v, axis=-1)
    return np.linalg.norm(params.v[:, : task.d], axis=-1) / np.where(length > 0, length, 1.0)


def mean_attention(params: Params, model: GroupTransformer, X: Array) -> Array:
    """Mean weight on the deciding group over queries and examples (R or 1, n, D, d), (R,)."""
    return model.attention(params, X)[:, :, model.task.star].mean(axis=(1, 2))


def accuracy(output: Array, y: Array) -> Array:
    """Share of examples whose sign is right, (R,), of outputs and labels (R or 1, n); an output of 0 is wrong."""
    return (output * y > 0).mean(axis=-1)
