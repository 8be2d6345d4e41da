r"""Walks on a circle and the layer that predicts them, with exact gradients, many runs side by side.

Chapter `random_walk`. Source: Shi, Cao, arXiv 2511.23239, Section 2 (task, model, log-loss), theorem on deterministic
walks (any loss), Section 5 (what is measured); the reductions are ours. Leading axes R are runs, n walks, N their
places; nodes are counted from 0, the last of a walk is the target, all before it are tokens. What is out of range
raises InputError. `textbook.py` has the layer by its symmetry in plain Python.

`MinimalTransformer` has the K^2 + K + N numbers that training moves: values V, content scores u, position scores g. The
last token has no content, so key and query weights act through $u = W_{12}p_N$ and $g_j = p_j^\top W_{22}p_N$ alone,
and positions are orthogonal, of squared length $\rho = (M+1)/2$: gradient descent on W is gradient descent on u and g
with rates times $\rho$ and $\rho^2$.

All sums are taken in the order of the data, place by place alike: what is equal by symmetry stays equal to the last
bit. That matters: for a deterministic walk rounding errors grow, see `sums`.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from lib import optim
from lib.errors import require, whole
from lib.sampling import Rngs

__all__ = [
    "LOSSES", "SUMS", "Layer", "Minimal", "MinimalTransformer", "Walk", "Walks", "accuracy", "attended_lag",
    "direction_distance", "divergence", "loss_of", "predicted",
]  # fmt: skip

Array = NDArray[np.float64]
Nodes = NDArray[np.intp]
#: Names of the losses: -log(f + epsilon), (1 - f)^2/2, log(1 + e^-f), max(0, 1 - f).
LOSSES = ("log", "square", "logistic", "hinge")
SUMS = ("in order", "rolled")
_MOST_WALKS = 1 << 20
_SAFE = 600.0  # nats between two nodes: e^-600 is far from underflow
_TIE = 1e-12  # outputs so close, relative to the largest, are equal: the smallest node is taken
_LEAST = 1e-12  # outputs of random starts can be negative


class Walks(NamedTuple):
    """n sequences for each of R runs, or (leading axis 1) the same for all runs."""

    s: Nodes  #: (R or 1, n, N) nodes, from 0; the last is the target
    weight: Array  #: (R or 1, n) their chances or shares; rows sum to 1


class Walk:
    """The task: predict where a walk on a circle of K nodes goes next.

    Args:
        K: nodes, at least 3.
        N: nodes that a walk visits, the target included, at least 2.
        p: probability of a clockwise step (node + 1), in [0, 1].

    Example:
        >>> s, weight = Walk(K=5, N=4, p=1.0).population()
        >>> s[0, 1], float(weight[0, 1])
        (array([1, 2, 3, 4]), 0.2)
    """

    def __init__(self, K: int = 6, N: int = 97, p: float = 0.5) -> None:
        self.K, self.N = whole("K", K, 3), whole("N", N, 2)
        require(0 <= p <= 1, "p", "a probability in [0, 1]", p)
        self.p = float(p)

    def sample(self, n: int, rngs: Rngs) -> Walks:
        """`n` >= 1 walks for each of one or more generators, all of weight 1/n; run r depends on rngs[r] alone."""

        def draw(rng: np.random.Generator) -> Nodes:
            s = np.empty((n, self.N), dtype=np.intp)
            s[:, 0] = rng.integers(self.K, size=n)
            s[:, 1:] = np.where(rng.random((n, self.N - 1)) < self.p, 1, -1)
            return np.cumsum(s, axis=-1) % self.K

        whole("n", n, 1)
        require(len(rngs) > 0, "rngs", "at least one generator", "none")
        return Walks(np.stack([draw(rng) for rng in rngs]), np.full((len(rngs), n), 1 / n))

    def population(self) -> Walks:
        """Every walk with its chance: K for p = 0 or 1, else K 2^(N-1); refused above a million."""
        if self.p in (0.0, 1.0):
            steps, chance = np.full((1, self.N - 1), 1 if self.p else -1), np.ones(1)
        else:
            count = self.N - 1
            room = self.K << count if count < 60 else _MOST_WALKS + 1
            require(room <= _MOST_WALKS, "N", f"K 2^(N-1) of at most {_MOST_WALKS} (or p = 0 or 1)", self.N)
            steps = 2 * ((np.arange(1 << count)[:, None] >> np.arange(count)) & 1) - 1
            ups = (steps == 1).sum(axis=1)
            chance = self.p**ups * (1 - self.p) ** (count - ups)
        path = np.concatenate([np.zeros((len(steps), 1), dtype=np.intp), np.cumsum(steps, axis=1)], axis=1)
        s = (np.arange(self.K)[:, None, None] + path) % self.K
        return Walks(s.reshape(1, -1, self.N), np.tile(chance / self.K, self.K)[None])

    def next_law(self, s: Nodes) -> Array:
        """The true law of the target given the node before it, (R or 1, n, K), of walks s (R or 1, n, N)."""
        to = np.arange(self.K) - s[..., -2, None]
        return self.p * (to % self.K == 1) + (1 - self.p) * ((-to) % self.K == 1)


def loss_of(name: str, epsilon: float = 0.1) -> tuple[Callable[[Array], Array], Callable[[Array], Array]]:
    r"""The loss and its slope, two functions of arrays f (...), the output at the right node.

    The log-loss is not a number where $f + \epsilon$ is negative: a run that gets there is marked as diverged.

    Args:
        name: one of `LOSSES`.
        epsilon: offset of the log-loss, above 0; the others do without it.

    Example:
        >>> value, slope = loss_of("hinge")
        >>> value(np.array([0.25])), slope(np.array([0.25]))
        (array([0.75]), array([-1.]))
    """
    require(name in LOSSES, "loss", f"one of {', '.join(LOSSES)}", repr(name))
    require(np.isfinite(epsilon) and epsilon > 0, "epsilon", "a finite number above 0", epsilon)
    if name == "square":
        return lambda f: (1 - f) ** 2 / 2, lambda f: f - 1
    if name == "logistic":
        return lambda f: np.logaddexp(0, -f), lambda f: -expit(-f)
    if name == "hinge":
        return lambda f: np.maximum(0, 1 - f), lambda f: np.where(f < 1, -1.0, 0.0)
    return lambda f: -np.log(f + epsilon), lambda f: -1 / (f + epsilon)


class Minimal(NamedTuple):
    """Parameters of R runs."""

    V: Array  #: (R, K, K) values: what a token of node k says for node i
    u: Array  #: (R, K) score of a token by its node
    g: Array  #: (R, N) score of a token by its place; the last is the empty token's own


class LayerSettings(TypedDict, total=False):
    """Arguments of `Layer`, for the forms of the model that hand them on."""

    K: int
    N: int
    M: int
    loss: str
    epsilon: float
    unit_length: bool
    sigma: float


class Layer:
    """Sizes, loss and start that all forms of the model share.

    Args:
        K: nodes (or words), at least 3.
        N: tokens, the empty last one included, at least 2.
        M: length of the positional vectors, at least N.
        loss: one of `lib.models.random_walk.LOSSES`.
        epsilon: offset of the log-loss, above 0.
        unit_length: tokens are divided by their length, as for random starts.
        sigma: standard deviation of the entries of V and W at the start, at least 0.
    """

    draws = False

    def __init__(
        self,
        K: int = 6,
        N: int = 97,
        M: int = 1000,
        loss: str = "log",
        epsilon: float = 0.1,
        unit_length: bool = False,
        sigma: float = 0.0,
    ) -> None:
        self.K, self.N = whole("K", K, 3), whole("N", N, 2)
        self.M = whole("M", M, 1)
        require(self.M >= self.N, "M", f"at least N = {self.N}, so that positions are orthogonal", self.M)
        self.value, self.slope = loss_of(loss, epsilon)
        self.unit_length = bool(unit_length)
        require(math.isfinite(sigma) and sigma >= 0, "sigma", "a finite number of at least 0", sigma)
        self.sigma = float(sigma)
        self.rho = (self.M + 1) / 2  #: squared length of a positional vector
        #: Scores are these factors times u + g: of tokens, of the empty last one.
        self.factor = 1 / math.sqrt(self.rho * (1 + self.rho)) if unit_length else 1.0
        self.own_factor = 1 / self.rho if unit_length else 1.0

    def sample(self, batch: int = 0, rngs: Rngs = (), step: int = 0) -> Any:
        """Nothing is drawn, batches are given: InputError, always."""
        require(False, "problem", "given batches: GivenBatches(model, [walks])", type(self).__name__)


class MinimalTransformer(Layer):
    """The layer as a problem for `lib.train.train`; batches are given, see `lib.train.GivenBatches`.

    The gradient is that of the loss in V, u, g; `optimiser` takes the steps of V and W.

    Args:
        sums: "in order" adds over sequences in one order for all places; "rolled" starts at another sequence for
            each place, as a matrix product may: the same sums up to rounding.
        **layer: see `Layer`.

    Example:
        >>> from lib.models.random_walk import Walk, accuracy
        >>> from lib.train import GivenBatches, train
        >>> model, walks = MinimalTransformer(N=98), Walk(N=98, p=1.0).population()
        >>> run = train(GivenBatches(model, [walks]), None, model.optimiser(1.0), steps=1)
        >>> accuracy(model.output(run.params, walks), walks)
        array([1.])
    """

    def __init__(self, *, sums: str = "in order", **layer: Unpack[LayerSettings]) -> None:
        super().__init__(**layer)
        require(sums in SUMS, "sums", f"one of {', '.join(SUMS)}", repr(sums))
        self.sums = sums

    def init(self, runs: int = 1, rngs: Rngs = ()) -> Minimal:
        """Zeros; for sigma > 0 what random V and W become, run r from rngs[r] alone."""
        runs = whole("runs", runs, 1)
        if self.sigma == 0:
            return Minimal(np.zeros((runs, self.K, self.K)), np.zeros((runs, self.K)), np.zeros((runs, self.N)))
        require(len(rngs) == runs, "rngs", f"{runs} generators for a random start", len(rngs))
        drawn = [(r.normal(size=(self.K, self.K)), r.normal(size=self.K), r.normal(size=self.N)) for r in rngs]
        V, u, g = (self.sigma * np.stack(x) for x in zip(*drawn, strict=True))
        return Minimal(V, math.sqrt(self.rho) * u, self.rho * g)

    def optimiser(self, lr: float | Array) -> optim.Transform:
        """Gradient descent on V and W at rate `lr` (a number, or one a run), as steps of V, u and g."""
        return optim.per_field(
            V=optim.sgd(lr),
            u=optim.chain(optim.scale(self.rho), optim.sgd(lr)),
            g=optim.chain(optim.scale(self.rho**2), optim.sgd(lr)),
        )

    def attention(self, params: Minimal, walks: Walks) -> Array:
        """S (R, n, N): the last token's softmax over all places."""
        S, own = self._attend(params, self._tokens(walks, len(params.g)))
        return np.concatenate([S, own[..., None]], axis=-1)

    def output(self, params: Minimal, walks: Walks) -> Array:
        """f (R, n, K): a number for each node as the next one."""
        tokens = self._tokens(walks, len(params.g))
        mass = self._mass(self._attend(params, tokens)[0], self._cells(tokens))
        return np.matmul(mass, params.V.swapaxes(-1, -2))

    def loss_and_gradient(self, params: Minimal, batch: Walks) -> tuple[Array, Minimal]:
        """Mean loss (R,) over the sequences by their weights, and its gradient."""
        f, gradient = self.target_output(params, batch)
        return (batch.weight * self.value(f)).sum(axis=-1), gradient(batch.weight * self.slope(f))

    def target_output(self, params: Minimal, walks: Walks) -> tuple[Array, Callable[[Array], Minimal]]:
        """The output f (R, n) at the target, and how a slope of the loss in it, (R, n), becomes the gradient.

        That function may be called once: it writes over what the output was made of.
        """
        runs, tokens, y = len(params.g), self._tokens(walks, len(params.g)), walks.s[..., -1]
        S, own = self._attend(params, tokens)
        cells = self._cells(tokens)
        mass = self._mass(S, cells)
        y = np.arange(runs)[:, None] * self.K + y  # row of all runs' values
        rows = params.V.reshape(-1, self.K)[y]  # (R, n, K)
        f = (rows * mass).sum(axis=-1)

        def gradient(slope: Array) -> Minimal:
            nonlocal S, rows
            spread = slope[..., None] * mass
            V = add_up(y[..., None] * self.K + np.arange(self.K), spread, params.V.size)
            rows -= f[..., None]
            u = (spread * rows).sum(axis=1)
            rows *= slope[..., None]
            S *= rows.ravel().take(cells)
            if self.sums == "rolled":
                n = S.shape[1]
                S = np.take_along_axis(S, (np.arange(n)[:, None] + np.arange(self.N - 1))[None] % n, axis=1)
            g = np.empty_like(params.g)
            g[:, :-1] = self.factor * S.sum(axis=1)
            g[:, -1] = -self.own_factor * (slope * own * f).sum(axis=1)
            return Minimal(V.reshape(params.V.shape), self.factor * u, g)

        return f, gradient

    def _tokens(self, walks: Walks, runs: int) -> Nodes:
        shape = walks.s.shape
        require(shape[-1] == self.N, "walks", f"N = {self.N} nodes each", shape[-1])
        require(walks.s.min() >= 0 and walks.s.max() < self.K, "walks", f"nodes 0 to {self.K - 1}", "others")
        require(shape[0] in (1, runs), "walks", f"1 or {runs} on the first axis", shape[0])
        return np.broadcast_to(walks.s[..., :-1], (runs, shape[1], self.N - 1))

    def _attend(self, params: Minimal, tokens: Nodes) -> tuple[Array, Array]:
        """S of the tokens (R, n, N - 1) and of the empty one (R, n)."""
        u, g = self.factor * params.u, self.factor * params.g[:, :-1]
        last = self.own_factor * params.g[:, -1:]
        most = u.max(axis=1, keepdims=True)
        top = np.maximum(most + g.max(axis=1, keepdims=True), last)
        of_run = tokens + np.arange(0, u.size, self.K)[:, None, None] if len(u) > 1 else tokens
        S = np.exp(u - most).ravel().take(of_run)  # e^(u + g), taken apart
        S *= np.exp(g + (most - top))[:, None]
        own = np.repeat(np.exp(last - top), S.shape[1], axis=1)
        for r in np.flatnonzero(np.ptp(u, axis=1) >= _SAFE):  # a sequence may lack the nodes with the largest scores
            scores = u[r].take(tokens[r]) + g[r]
            highest = np.maximum(scores.max(axis=-1), last[r])
            S[r], own[r] = np.exp(scores - highest[:, None]), np.exp(last[r] - highest)
        total = S.sum(axis=-1) + own
        S /= total[..., None]
        return S, own / total

    def _cells(self, tokens: Nodes) -> Nodes:
        """Places of tokens (R, n, N - 1) in an array (R, n, K)."""
        runs, n, _ = tokens.shape
        return tokens + np.arange(0, runs * n * self.K, self.K).reshape(runs, n, 1)

    def _mass(self, S: Array, cells: Nodes) -> Array:
        """Attention on each node, (R, n, K)."""
        runs, n, _ = S.shape
        return add_up(cells, S, runs * n * self.K).reshape(runs, n, self.K)


def add_up(cells: Nodes, values: Array, count: int) -> Array:
    """Sums (count,) of the values of each cell, in the order they come."""
    return np.bincount(cells.ravel(), weights=values.ravel(), minlength=count).astype(np.float64, copy=False)


def predicted(output: Array) -> Nodes:
    """The node with the largest output (..., K), the first among equals up to rounding."""
    top = output.max(axis=-1, keepdims=True)
    return np.argmax(output >= top - _TIE * np.maximum(1.0, np.abs(top)), axis=-1)


def accuracy(output: Array, walks: Walks) -> Array:
    """Share of targets predicted, by weight, (R,), from outputs (R, n, K)."""
    return (walks.weight * (predicted(output) == walks.s[..., -1])).sum(axis=-1)


def divergence(output: Array, law: Array, weight: Array) -> Array:
    """Kullback-Leibler divergence in nats of the outputs over their sum from the true law, mean by weight, (R,).

    Args:
        output: (R, n, K); what is below 1e-12 counts as that.
        law: (R or 1, n, K) the truth, rows sum to 1.
        weight: (R or 1, n), rows sum to 1.
    """
    q = np.maximum(output, _LEAST)
    q = q / q.sum(axis=-1, keepdims=True)
    terms = law * (np.log(np.where(law > 0, law, 1)) - np.log(q))
    return (weight * terms.sum(axis=-1)).sum(axis=-1)


def direction_distance(V: Array, target: Array) -> Array:
    """Distance |V/|V| - T/|T|| between directions, Frobenius norms, (R,), of V (R, K, K) and T (K, K); 1 for V = 0."""
    length = np.linalg.norm(V, axis=(-2, -1), keepdims=True)
    return np.linalg.norm(V / np.where(length > 0, length, 1) - target / np.linalg.norm(target), axis=(-2, -1))


def attended_lag(attention: Array) -> NDArray[np.intp]:
    """How many steps before the target the most attended token lies, (R,), of S (R, n, N) or (R, N)."""
    S = attention if attention.ndim == 2 else attention.mean(axis=1)
    return S.shape[-1] - 1 - np.argmax(S[:, :-1], axis=-1)
