r"""Two scalars: the strength of the value and one logit gap, with the population's gradient by quadrature.

Chapter `group_sparse`. Source: arXiv 2504.08638, Section 2 (model); the reduction is ours: with W_11 = 0 all queries
attend alike, $s = S_{j^*j} = 1/(1 + (D-1)e^{-b})$, and the margin is $\alpha D\sigma_x(s|g| + \tau\xi)$ with
$\tau = (1-s)/\sqrt{D-1}$ and independent standard normal g, $\xi$.

The logistic loss is $-m/2 + \log 2\cosh(m/2)$. The mean of m is closed; its absolute value is that of the output, which
without its label is normal, of deviation $k = |\alpha|D\sigma_x r$, $r^2 = s^2 + \tau^2$. With $\log 2\cosh(m/2) =
|m|/2 + \log(1 + e^{-|m|})$ and a standard normal z, $$L = \mathbb{E}\log(1 + e^{-k|z|}) + (k - \alpha D\sigma_x
s)/\sqrt{2\pi}.$$ One integral, over |z|, is left. What is out of range raises `InputError`.
"""

import math
from functools import cache
from typing import NamedTuple

import numpy as np
from scipy.special import expit

from lib import optim
from lib.errors import require, whole
from lib.models.group_sparse.fast import Array
from lib.sampling import Rngs

_NODES, _FAR = 128, 9.0  # nodes in |z|, up to where the normal law has 1e-19 left
_HALF_MEAN = 1 / math.sqrt(2 * math.pi)  # of |z|


class Pair(NamedTuple):
    """Parameters of R runs."""

    alpha: Array  #: (R,) length of the value vector along v*
    b: Array  #: (R,) logit of the deciding group above the others, in nats


class PairTransformer:
    """The population problem in two scalars; draws nothing.

    The gradient is that of the loss. The steps of the full matrix are these with b's rate times rho^2/(D - 1), see
    `rates` and `optimiser`.

    Args:
        D: groups, at least 2.
        sigma_x: standard deviation of a variable, above 0.

    Example:
        >>> from lib.train import train
        >>> problem = PairTransformer(D=8)
        >>> run = train(problem, None, problem.optimiser(0.5), steps=400)
        >>> bool(problem.attention(run.params)[0] > 0.95)
        True
    """

    draws = False

    def __init__(self, D: int = 6, sigma_x: float = 1.0) -> None:
        self.D = whole("D", D, 2)
        require(math.isfinite(sigma_x) and sigma_x > 0, "sigma_x", "a finite number above 0", sigma_x)
        self.sigma_x = float(sigma_x)
        self._unit, self._others = self.D * self.sigma_x, math.log(self.D - 1)
        self._z, self._weight = _nodes()
        self._first = self._z * self._weight

    @property
    def rates(self) -> dict[str, float]:
        """Rate of each field against v and W's own: b moves through positions of squared length (D + 1)/2."""
        return {"alpha": 1.0, "b": ((self.D + 1) / 2) ** 2 / (self.D - 1)}

    def optimiser(self, lr: float) -> optim.Transform:
        """Gradient descent of the full model at learning rate `lr` (at least 0)."""
        return optim.per_field(**{name: optim.sgd(lr * rate) for name, rate in self.rates.items()})

    def init(self, runs: int = 1, rngs: Rngs = ()) -> Pair:
        """Both 0: attention is even, the output 0."""
        return Pair(*np.zeros((2, whole("runs", runs, 1))))

    def sample(self, batch: int = 0, rngs: Rngs = (), step: int = 0) -> None:
        """Nothing is drawn."""

    def attention(self, params: Pair) -> Array:
        """s (R,), the weight on the deciding group."""
        return expit(params.b - self._others)

    def loss_and_gradient(self, params: Pair, batch: None = None) -> tuple[Array, Pair]:
        """Population loss (R,) in nats and its gradient in (alpha, b)."""
        alpha, s = params.alpha, self.attention(params)
        rest = expit(self._others - params.b)  # 1 - s, exact when it is tiny
        noise = rest * rest / (self.D - 1)  # tau^2
        r, sign = np.sqrt(s * s + noise), np.copysign(1.0, alpha)
        k = self._unit * sign * alpha * r
        tail = np.exp(-k[:, None] * self._z)
        loss = np.vecdot(np.log1p(tail), self._weight) + _HALF_MEAN * (k - self._unit * alpha * s)
        fall = np.vecdot(tail / (1 + tail), self._first)  # minus the slope of the integral in k
        by_r = sign * (_HALF_MEAN - fall)
        by_b = s * (by_r * (s * rest - noise) / r - _HALF_MEAN * rest)  # through r and through s
        return loss, Pair(self._unit * (by_r * r - _HALF_MEAN * s), self._unit * alpha * by_b)


@cache
def _nodes() -> tuple[Array, Array]:
    """Nodes |z| (n,), dense near 0 where late losses live, and their weights in a mean over |z|."""
    u, w = np.polynomial.legendre.leggauss(_NODES)
    u, w = (u + 1) / 2, w / 2
    z = _FAR * u**3
    return z, math.sqrt(2 / math.pi) * np.exp(-z * z / 2) * 3 * _FAR * u**2 * w
