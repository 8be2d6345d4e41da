"""All prompts at once: weighted rows of inner products that stand for the whole population.

Chapter `one_nn`, for gradient flow to 1e8 steps. Rows drawn at random err by percents late, when only the gap of the
two nearest examples matters and few rows have a small one. So the four largest inner products lie on a shifted lattice,
with more rows where the gap or the largest of them is small, and weights that make up for it. Source: our own; the
lattice adds multiples of the irrational numbers of Roberts (2018), "The unreasonable effectiveness of quasirandom
sequences". What is out of range raises `InputError`.
"""

import numpy as np
from scipy.special import betaincinv

from lib.errors import whole
from lib.models.one_nn.fast import Array, ReducedPair, Rows
from lib.sampling import Rngs

_ON_LATTICE = 4  # largest inner products of a row that lie on it
# Rows are crowded where little of the population is: the largest inner product has coordinate a^4 for an even a, the
# gap b^2 for an even b, and the weight is what that takes away, 4 a^3 times 2 b. Small largest ones decide how fast the
# self-penalty grows, small gaps how fast the loss falls.
_SMALL, _TIED = 4, 2


class Population(ReducedPair):
    """The two numbers on a fixed weighted set of rows: it draws nothing while training, so `lib.train.flow` takes it.

    Args:
        d, N, sigma: as in `ReducedPair`.
        rows: how many rows stand for the population.
        rng: shifts the lattice and draws the smaller inner products; default a fixed one.
    """

    draws = False

    def __init__(
        self,
        d: int,
        N: int,
        sigma: float = 3.0,
        rows: int = 4096,
        rng: np.random.Generator | None = None,
    ) -> None:
        super().__init__(d, N, sigma)
        self.rows = weighted_rows(d, N, rows, np.random.default_rng(0) if rng is None else rng)

    def sample(self, batch: int = 0, rngs: Rngs = (), step: int = 0) -> Rows:
        """The rows."""
        return self.rows


def weighted_rows(d: int, N: int, rows: int, rng: np.random.Generator) -> Rows:
    """Rows (B = `rows`, R = 1) whose weighted mean is close to the population's, largest inner product first."""
    d, N, rows = whole("d", d, 2), whole("N", N, 1), whole("rows", rows, 1)
    u = rng.random((N, rows))
    first = min(N, _ON_LATTICE)
    u[:first] = _lattice(rows, rng.random(_ON_LATTICE))[:first]
    weight = _SMALL * u[0] ** (_SMALL - 1)
    u[0] **= _SMALL
    if N > 1:
        weight *= _TIED * u[1] ** (_TIED - 1)
        u[1] = 1 - u[1] ** _TIED  # near 1: the second largest close behind the largest
    # the largest of N uniform numbers is u^(1/N); given it, the others are uniform below it
    rank = np.arange(N, N - first, -1)[:, None]
    u[:first] = np.cumprod(np.clip(u[:first], 1e-300, 1 - 1e-16) ** (1 / rank), axis=0)
    u[first:] *= u[first - 1]
    half = (d - 1) / 2
    z = 2 * betaincinv(half, half, u) - 1
    return Rows(z[None], z[None, 0], (weight / weight.sum())[None])


def _lattice(rows: int, shift: Array) -> Array:
    """Points (4, rows) of the unit cube that fill it evenly: multiples of powers of 1/g, g^5 = g + 1."""
    g = 1.1673039782614187
    return (shift[:, None] + np.arange(1, rows + 1) * (1 / g ** np.arange(1, len(shift) + 1))[:, None]) % 1.0
