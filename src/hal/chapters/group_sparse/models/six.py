r"""The population by symmetry: from zero, value vector and key-query matrix move in six directions only.

Chapter `group_sparse`. Source: arXiv 2504.08638, Section 2 (model); the reduction is ours: the law of the examples is
invariant under X -> -X with y -> -y, under rotations that fix $v^*$ and under permutations of the other groups.

$v = [\alpha v^*; 0]$, $W_{11} = w_\parallel v^*v^{*\top} + w_\perp (I - v^*v^{*\top})$, $P^\top W_{22} P = B$ with five
values, one an orbit of (key, query). An example enters through the components $a_i = \langle x_i, v^*\rangle$ and the
Gram matrix G of what is orthogonal to $v^*$. What is out of range raises `InputError`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lib import optim
from lib.attention import softmax, softmax_pullback
from lib.errors import require, whole
from lib.models.group_sparse.fast import Array, Examples, Task, logistic, logistic_slope
from lib.sampling import Rngs

#: Orbits of (key, query): the chosen group with itself, another key of its query, it as key of another query, another
#: group with itself, two different others.
ORBITS = ("star, star", "other, star", "star, other", "same other", "two others")


class SixParams(NamedTuple):
    """Parameters of R runs: six scalars (B has five values of which the softmax uses three differences)."""

    alpha: Array  #: (R,)
    w_par: Array  #: (R,) content weight along v*
    w_perp: Array  #: (R,) content weight of the other directions
    B: Array  #: (R, 5) position logits in nats, in the order of `ORBITS`


class Reduced(NamedTuple):
    """n examples, as the symmetric model sees them, for each of R runs or for all (leading axis 1)."""

    a: Array  #: (R or 1, n, D) components along v*
    G: Array  #: (R or 1, n, D, D) Gram matrix of the components orthogonal to v*
    y: Array  #: (R or 1, n)


def orbits(D: int, star: int) -> NDArray[np.intp]:
    """Which orbit entry (key i, query j) belongs to, (D, D), as an index of `ORBITS`; row `star`, from 0, decides."""
    found = np.full((D, D), 4)
    np.fill_diagonal(found, 3)
    found[star, :], found[:, star], found[star, star] = 2, 1, 0
    return found


class SymmetricTransformer:
    """The symmetric model as a problem; batches are drawn, or given by `lib.train.GivenBatches`.

    Its gradient is that of the loss in the six numbers; `optimiser` takes the steps of the full matrix.

    Args:
        task: the task; d of at least 2, so that there is a direction orthogonal to v*.
    """

    def __init__(self, task: Task) -> None:
        require(task.d >= 2, "task", "d >= 2, a direction orthogonal to v*", f"d = {task.d}")
        self.task, self.orbits = task, orbits(task.D, task.star)
        self._sizes = np.bincount(self.orbits.ravel(), minlength=5)

    def init(self, runs: int = 1, rngs: Rngs = ()) -> SixParams:
        """All zeros."""
        runs = whole("runs", runs, 1)
        return SixParams(np.zeros(runs), np.zeros(runs), np.zeros(runs), np.zeros((runs, 5)))

    def sample(self, batch: int, rngs: Rngs, step: int = 0) -> Reduced:
        """Fresh examples, reduced; run r from rngs[r] alone."""
        return self.reduce(self.task.sample(batch, rngs))

    def reduce(self, examples: Examples) -> Reduced:
        """What the symmetric model sees of examples."""
        a = examples.X @ self.task.v_star
        rest = examples.X - a[..., None] * self.task.v_star
        return Reduced(a, np.matmul(rest, rest.swapaxes(-1, -2)), examples.y)

    def optimiser(self, lr: float) -> optim.Transform:
        r"""Gradient descent of the full v and W at one learning rate, at least 0, as steps of the six numbers.

        The rate is divided by d - 1 for w_perp, and times $\rho^2/|\text{orbit}|$ for B, where $\rho = (D + 1)/2$ is
        the squared length of a position. Source: ours.
        """
        rho = (self.task.D + 1) / 2
        by_orbit = rho**2 / np.maximum(self._sizes, 1)
        return optim.per_field(
            alpha=optim.sgd(lr),
            w_par=optim.sgd(lr),
            w_perp=optim.sgd(lr / (self.task.d - 1)),
            B=optim.chain(optim.precondition(by_orbit), optim.sgd(lr)),
        )

    def attention(self, params: SixParams, batch: Reduced) -> Array:
        """The weights S (R, n, D, D): entry [i, j] is what query j puts on key i."""
        a, G = batch.a, batch.G
        content = params.w_par[:, None, None, None] * (a[..., None] * a[..., None, :])
        content = content + params.w_perp[:, None, None, None] * G
        return softmax(content + params.B[:, self.orbits][:, None], axis=-2)

    def loss_and_gradient(self, params: SixParams, batch: Reduced) -> tuple[Array, SixParams]:
        """Mean logistic loss (R,) in nats, and its gradient in the six numbers."""
        a, n = batch.a, batch.a.shape[1]
        S = self.attention(params, batch)
        signal = np.matmul(a[..., None, :], S).sum(axis=(-2, -1))  # (R, n): f / alpha
        alpha = params.alpha[:, None]
        margin = batch.y * alpha * signal
        slope = batch.y * logistic_slope(margin) / n
        gamma = softmax_pullback(S, (slope * alpha)[..., None, None] * a[..., None], axis=-2)
        w_par = np.matmul(np.matmul(a[..., None, :], gamma), a[..., None]).sum(axis=(1, 2, 3))
        w_perp = (gamma * batch.G).sum(axis=(1, 2, 3))
        entries = gamma.sum(axis=1)
        B = np.stack([entries[:, self.orbits == k].sum(axis=-1) for k in range(5)], axis=-1)
        return logistic(margin).mean(axis=-1), SixParams((slope * signal).sum(axis=-1), w_par, w_perp, B)
