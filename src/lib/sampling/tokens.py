"""Exact, fast sampling of categorical tokens as raw draws, shared by every chapter that samples token sequences.

A token is never decoded into a one-hot vector. We keep one raw integer a token, and the token is at least `n` exactly
when the integer is at least `cuts[n - 1]`. A comparison with a cut is then all a model needs: it gives the mask
1{token >= n}, and matrix products with such masks are histograms and look-ups at the speed of memory.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lib.errors import require
from lib.sampling.draws import check_distribution, raw_words

# More overwrites than this share of the draws cost more than draws of twice the length.
_MOST_OVERWRITES = 0.06

Rngs = Sequence[np.random.Generator]


class TokenSampler:
    """Draws i.i.d. tokens from `mu`, one raw integer each, with exactly the probabilities of `mu`.

    Args:
        mu: (..., N) probabilities; every one at least 2**-15, summing to 1 over the last axis.

    A raw draw has 8 bits (16 where those are too coarse), so token n gets a whole number of cells, d_n / 2**bits. If
    that is not mu_n, a few draws in a thousand are overwritten: of each token that is still too rare, a Poisson number
    of copies is put at uniform places, token after token. A place is then hit or not independently of all others, so
    the tokens stay independent, and the rates are those that turn d into mu: nothing is rounded.

    Attributes:
        cuts: (..., N - 1) integers; token >= n exactly when the raw draw >= cuts[..., n - 1].
        dtype: uint8 or uint16.

    Source: our own; the cost is measured in `benchmarks/scb.py`.
    """

    def __init__(self, mu: NDArray[np.float64]) -> None:
        mu = np.asarray(mu, dtype=np.float64)
        check_distribution("mu", mu)
        smallest = float(mu.min())
        require(smallest >= 2.0**-15, "mu", "probabilities of at least 2**-15", f"a smallest of {smallest:g}")
        for dtype, bits in ((np.uint8, 8), (np.uint16, 16)):
            self.dtype: type = dtype
            cells = _cells(mu, 2**bits)
            rates = _overwrite_rates(mu, cells / 2**bits)
            if smallest * 2**bits >= 2 and rates.sum(axis=-1).max() <= _MOST_OVERWRITES:
                break
        ends = np.cumsum(cells, axis=-1)
        self.cuts: NDArray = ends[..., :-1].astype(self.dtype)
        # For each run (one for all, if mu has no run axis): the rates that are not zero, and the draws to write.
        each = zip(rates.reshape(-1, mu.shape[-1]), (ends - cells).reshape(-1, mu.shape[-1]), strict=True)
        self._overwrites: list[tuple[list[float], NDArray]] = [
            (row[row > 0].tolist(), first[row > 0].astype(self.dtype)) for row, first in each
        ]
        self._shared = mu.ndim == 1

    def draw(self, shape: tuple[int, ...], rngs: Rngs) -> NDArray:
        """Raw draws (R, *shape) of `dtype`, one generator a run: run r depends on rngs[r] alone.

        Args:
            shape: of one run's draws, for example (batch, T) in tokens.
            rngs: R generators.
        """
        size = math.prod(shape)
        words = -(-size * np.dtype(self.dtype).itemsize // 8)
        runs = []
        for r, rng in enumerate(rngs):
            raw: NDArray = raw_words(rng, words).view(self.dtype)[:size]
            rates, first = self._overwrites[0 if self._shared else r]
            if rates:
                counts = [rng.poisson(rate * size) for rate in rates]
                places = (rng.random(sum(counts)) * size).astype(np.intp)
                # Where two writes meet, the later one stays: the rates count on that order.
                raw[places] = first[0] if len(counts) == 1 else first.repeat(counts)
            runs.append(raw)
        return (runs[0] if len(runs) == 1 else np.stack(runs)).reshape(len(rngs), *shape)


def _cells(mu: NDArray[np.float64], total: int) -> NDArray[np.int64]:
    """Share out `total` cells in proportion to mu (..., N): whole numbers with the least largest excess d_n / mu_n."""
    share = mu * total
    cells = np.maximum(np.floor(share + 1e-9), 1.0)  # 1/3 + 1/3 + 1/3 and the like: a share of 85.999999999 is 86
    rows, flat = cells.reshape(-1, mu.shape[-1]), share.reshape(-1, mu.shape[-1])
    for row, wanted in zip(rows, flat, strict=True):
        while row.sum() < total:
            row[np.argmin((row + 1) / wanted)] += 1
        while row.sum() > total:
            row[np.argmax(np.where(row > 1, row / wanted, 0))] -= 1
        # The largest excess decides how many draws are overwritten. Others may rise to it at the cost of one token:
        # for uniform mu that leaves a single token to write.
        poorest = int(np.argmin(row / wanted))
        most = np.floor((row / wanted).max() * wanted * (1 + 1e-12)) - row
        for n in np.flatnonzero(most):
            give = min(most[n], row[poorest] - 1) if n != poorest else 0
            row[n] += give
            row[poorest] -= give
    return cells.astype(np.int64)


def _overwrite_rates(mu: NDArray[np.float64], coarse: NDArray[np.float64]) -> NDArray[np.float64]:
    """Poisson rates a place at which each token overwrites, one token after the other, to turn `coarse` into mu."""
    kept = (mu / coarse).min(axis=-1, keepdims=True)  # chance that a place is never overwritten
    missing = np.maximum(mu - kept * coarse, 0.0)
    missing[missing < 1e-12] = 0.0
    # A write by token n survives the later tokens' writes with chance 1 - (their missing mass).
    after = np.flip(np.cumsum(np.flip(missing, axis=-1), axis=-1), axis=-1)
    return np.log1p(-(after - missing)) - np.log1p(-after)
