r"""Beyond arXiv 2511.23239: walks on other graphs, layers of several heads, positions that are not orthogonal.

Chapter `random_walk`. Heads have values, content and position scores of their own, and their outputs are added,
$f = \sum_h V_h X S_h$. From zero all heads stay alike; random starts tell them apart.

With positions as the rows of P (N, M), $q = p_N$, $u = W_{12}q$ and $g = PW_{22}q$ the scores are those of
`minimal.py`; what W and P learn follows from its gradient by the chain rule. The left half of W meets $x_N = 0$ and
never moves.
"""

import math
from typing import NamedTuple, Unpack

import numpy as np

from lib import optim
from lib.errors import require, whole
from lib.models.random_walk.dense import sine_positions
from lib.models.random_walk.minimal import Layer, LayerSettings, Minimal, MinimalTransformer
from lib.models.random_walk.walks import Array, Nodes, Walks, one_each
from lib.sampling import Rngs


def path_steps(K: int) -> Array:
    """Chances of a step on a path of K >= 3 nodes, (K, K): to either neighbour alike, back at the ends."""
    K = whole("K", K, 3)
    edges = np.eye(K, k=1) + np.eye(K, k=-1)
    return edges / edges.sum(axis=1, keepdims=True)


def regular_steps(K: int, degree: int, seed: int) -> Array:
    """Chances of a step on a random connected graph of K nodes with `degree` >= 3 neighbours each, (K, K).

    Pairs of loose ends are drawn until they make a simple connected graph (the configuration model).

    Raises:
        InputError: if there is no such graph: K is above the degree, and K times the degree even.
    """
    degree, K = whole("degree", degree, 3), whole("K", K, 4)
    require(degree < K, "K", f"more than {degree} nodes", K)
    require(K * degree % 2 == 0, "K", "an even number of ends, K times degree", K * degree)
    rng = np.random.default_rng(seed)
    while True:
        ends = rng.permutation(np.repeat(np.arange(K), degree)).reshape(-1, 2)
        edges = np.zeros((K, K))
        np.add.at(edges, (ends[:, 0], ends[:, 1]), 1)
        edges += edges.T
        reached = np.linalg.matrix_power(edges + np.eye(K), K) > 0
        if edges.max() == 1 and np.trace(edges) == 0 and reached.all():
            return edges / degree


def uneven(steps: Array, seed: int) -> Array:
    """Other chances of a step along the same edges, (K, K): numbers between 1/4 and 1, drawn, over their row's sum."""
    drawn = np.where(steps > 0, np.random.default_rng(seed).uniform(0.25, 1, size=steps.shape), 0)
    return drawn / drawn.sum(axis=1, keepdims=True)


class GraphWalk:
    """The task: predict where a walk on a graph goes next, from a uniform node, each step to a neighbour.

    Args:
        steps: chances of a step, (K, K), row by row; rows sum to 1.
        N: nodes that a walk visits, the target included, at least 2.

    Raises:
        InputError: if the rows are no chances, or N is out of range.
    """

    def __init__(self, steps: Array, N: int) -> None:
        square = steps.ndim == 2 and steps.shape[0] == steps.shape[1]
        require(square, "steps", "a square matrix", steps.shape)
        fair = bool((steps >= 0).all()) and np.allclose(steps.sum(axis=1), 1, rtol=0, atol=1e-12)
        require(fair, "steps", "rows of chances with sum 1", steps.sum(axis=1))
        self.steps, self.K, self.N = steps, len(steps), whole("N", N, 2)

    def sample(self, n: int, rngs: Rngs) -> Walks:
        """`n` >= 1 walks for each of one or more generators, all of weight 1/n; run r depends on rngs[r] alone."""
        upto = np.cumsum(self.steps, axis=1)[:, :-1]

        def draw(rng: np.random.Generator) -> Nodes:
            s = np.empty((n, self.N), dtype=np.intp)
            s[:, 0] = rng.integers(self.K, size=n)
            for j, drawn in enumerate(rng.random((self.N - 1, n))):
                s[:, j + 1] = (drawn[:, None] >= upto[s[:, j]]).sum(axis=1)
            return s

        return one_each(draw, n, rngs)

    def next_law(self, s: Nodes) -> Array:
        """The true law of the target given the node before it, (R or 1, n, K), of walks s (R or 1, n, N)."""
        return self.steps[s[..., -2]]


class Heads(NamedTuple):
    """Parameters of R runs of H heads."""

    V: Array  #: (R, H, K, K) values
    u: Array  #: (R, H, K) scores by node
    g: Array  #: (R, H, N) scores by place


class HeadedTransformer(Layer):
    """H >= 1 heads as a problem for `lib.train.train`; batches are given, see `lib.train.GivenBatches`.

    The other arguments are those of `lib.models.random_walk.Layer`, and so is what it raises.
    """

    def __init__(self, H: int = 2, **layer: Unpack[LayerSettings]) -> None:
        super().__init__(**layer)
        self.H, self.one = whole("H", H, 1), MinimalTransformer(**layer)

    def init(self, runs: int = 1, rngs: Rngs = ()) -> Heads:
        """Zeros; for sigma > 0 what random V and W become, run r from rngs[r] alone, one head after the other."""
        runs = whole("runs", runs, 1)
        if self.sigma == 0:
            return Heads(*(x.reshape(runs, self.H, *x.shape[1:]) for x in self.one.init(runs * self.H)))
        require(len(rngs) == runs, "rngs", f"{runs} generators for a random start", len(rngs))
        drawn = [[self.one.init(1, [rng]) for _ in range(self.H)] for rng in rngs]
        return Heads(*(np.array([[head[i][0] for head in run] for run in drawn]) for i in range(3)))

    def optimiser(self, lr: float | Array) -> optim.Transform:
        """Gradient descent on every head's V and W at rate `lr`, as steps of V, u and g."""
        return self.one.optimiser(lr)

    def attention(self, params: Heads, walks: Walks) -> Array:
        """S (R, H, n, N) of every head."""
        S = self.one.attention(*self._apart(params, walks))
        return S.reshape(len(params.g), self.H, *S.shape[1:])

    def output(self, params: Heads, walks: Walks) -> Array:
        """f (R, n, K), added up over heads."""
        f = self.one.output(*self._apart(params, walks))
        return f.reshape(len(params.g), self.H, *f.shape[1:]).sum(axis=1)

    def loss_and_gradient(self, params: Heads, batch: Walks) -> tuple[Array, Heads]:
        """Mean loss (R,) over the sequences by their weights, and its gradient in every head."""
        said, gradient = self.one.target_output(*self._apart(params, batch))
        f = said.reshape(len(params.g), self.H, -1).sum(axis=1)
        found = gradient(np.repeat(batch.weight * self.slope(f), self.H, axis=0))
        loss = (batch.weight * self.value(f)).sum(axis=-1)
        return loss, Heads(*(x.reshape(like.shape) for x, like in zip(found, params, strict=True)))

    def _apart(self, params: Heads, walks: Walks) -> tuple[Minimal, Walks]:
        """Heads as runs of one head each, and the walks of each."""
        one = Minimal(*(x.reshape(-1, *x.shape[2:]) for x in params))
        if len(walks.s) == 1:
            return one, walks
        return one, Walks(np.repeat(walks.s, self.H, axis=0), np.repeat(walks.weight, self.H, axis=0))


class Placed(NamedTuple):
    """Parameters of R runs."""

    V: Array  #: (R, K, K) values
    W12: Array  #: (R, K, M) content against position of the last token
    W22: Array  #: (R, M, M) position against position of the last token
    P: Array  #: (R, N, M) positions, a row a place


class PlacedTransformer(Layer):
    """The layer on positions of any kind, as a problem for `lib.train.train`; it starts with V and W at zero.

    Args:
        positions: "sine", orthogonal as in `sine_positions`, or "random", normal numbers of variance 1/2, so that
            a position's squared length is rho = (M + 1)/2 on average, up to 1/M.
        learned: whether positions move.
        **layer: K, N, M, loss and epsilon of `lib.models.random_walk.Layer`.

    Raises:
        InputError: if an argument is outside its range.
    """

    def __init__(self, *, positions: str = "sine", learned: bool = True, **layer: Unpack[LayerSettings]) -> None:
        super().__init__(**layer)
        require(positions in ("sine", "random"), "positions", "sine or random", repr(positions))
        require(self.sigma == 0 and not self.unit_length, "sigma, unit_length", "a start at zero, tokens as they are",
                (self.sigma, self.unit_length))  # fmt: skip
        self.positions, self.learned = positions, bool(learned)
        self._layer = MinimalTransformer(**layer)

    def init(self, runs: int = 1, rngs: Rngs = ()) -> Placed:
        """V and W at zero; random positions of run r from rngs[r] alone."""
        runs = whole("runs", runs, 1)
        K, M, N = self.K, self.M, self.N
        if self.positions == "sine":
            P = np.repeat(sine_positions(N, M)[None], runs, axis=0)
        else:
            require(len(rngs) == runs, "rngs", f"{runs} generators for random positions", len(rngs))
            P = np.stack([r.normal(size=(N, M)) for r in rngs]) * math.sqrt(0.5)
        return Placed(np.zeros((runs, K, K)), np.zeros((runs, K, M)), np.zeros((runs, M, M)), P)

    def optimiser(self, lr: float | Array) -> optim.Transform:
        """Gradient descent at rate `lr` on V and W, and on P if it is learned."""
        moves = optim.sgd(lr) if self.learned else optim.freeze()
        return optim.per_field(V=optim.sgd(lr), W12=optim.sgd(lr), W22=optim.sgd(lr), P=moves)

    def scores(self, params: Placed) -> Minimal:
        """V, u and g of `lib.models.random_walk.MinimalTransformer` for these parameters."""
        q = params.P[:, -1, :, None]
        u, g = params.W12 @ q, params.P @ (params.W22 @ q)
        return Minimal(params.V, u[..., 0], g[..., 0])

    def attention(self, params: Placed, walks: Walks) -> Array:
        """S (R, n, N): the last token's softmax over all places."""
        return self._layer.attention(self.scores(params), walks)

    def output(self, params: Placed, walks: Walks) -> Array:
        """f (R, n, K): a number for each node as the next one."""
        return self._layer.output(self.scores(params), walks)

    def loss_and_gradient(self, params: Placed, batch: Walks) -> tuple[Array, Placed]:
        """Mean loss (R,) over the sequences by their weights, and its gradient."""
        loss, (V, u, g) = self._layer.loss_and_gradient(self.scores(params), batch)
        q, u, g = params.P[:, -1:], u[..., None], g[..., None]
        pulled = params.P.swapaxes(-1, -2) @ g  # (R, M, 1) sum of the places, each by its gradient
        P = g @ (q @ params.W22.swapaxes(-1, -2))
        P[:, -1] += (params.W22.swapaxes(-1, -2) @ pulled + params.W12.swapaxes(-1, -2) @ u)[..., 0]
        return loss, Placed(V, u @ q, pulled @ q, P)
