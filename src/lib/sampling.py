"""Exact, fast sampling of categorical tokens as raw draws, shared by every chapter that samples token sequences.

A token is never decoded into a one-hot vector. We keep one raw integer a token, and the token is at least `n` exactly
when the integer is at least `cuts[n - 1]`. A comparison with a cut is then all a model needs: it gives the mask
1{token >= n}, and matrix products with such masks are histograms and look-ups at the speed of memory.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lib.errors import require

_WORD = 2**64 - 1

Rngs = Sequence[np.random.Generator]


class TokenSampler:
    """Draws i.i.d. tokens from `mu`, one raw integer each, with exactly the probabilities of `mu`.

    Args:
        mu: (..., N) probabilities; every one at least 2**-15, summing to 1 over the last axis.

    A raw draw has 8 bits (16 if a probability is under 1/128). A cumulative probability falls inside one cell of
    that grid; a draw that hits such a cell, a few in a thousand, is decided by a further uniform number, so the
    frequencies are those of `mu` and not of its rounding.

    Attributes:
        cuts: (..., N - 1) integers; token >= n exactly when the raw draw >= cuts[..., n - 1].
        dtype: uint8 or uint16.

    Raises:
        InputError: if `mu` is not positive, not normalised, or has a probability under 2**-15.

    Source: our own; the mask recipe is measured in `benchmarks/scb.py`.
    """

    def __init__(self, mu: NDArray[np.float64]) -> None:
        mu = np.asarray(mu, dtype=np.float64)
        check_distribution("mu", mu)
        smallest = float(mu.min())
        require(smallest >= 2.0**-15, "mu", "probabilities of at least 2**-15", f"a smallest of {smallest:g}")
        bits = 8 if smallest >= 2 / 256 else 16
        self.dtype: type = np.uint8 if bits == 8 else np.uint16
        scaled = np.cumsum(mu, axis=-1)[..., :-1] * 2**bits
        whole = np.floor(scaled)
        part = scaled - whole
        # A boundary within rounding of a whole number is that number: 1/3 + 1/3 + 1/3 must not make a cell of 1e-16.
        near = np.rint(scaled)
        exact = np.abs(scaled - near) < 1e-9
        self._cell = np.where(exact, near - 1, whole).astype(self.dtype)
        self._stay = np.where(exact, 1.0, part)  # chance that a draw in the boundary cell stays below the cut
        self.cuts = self._cell + self.dtype(1)
        self._boundaries = [n for n in range(mu.shape[-1] - 1) if not np.all(exact[..., n])]

    def draw(self, shape: tuple[int, ...], rngs: Rngs) -> NDArray:
        """Raw draws of shape (R, *shape), one generator a run: run r depends on rngs[r] alone.

        Args:
            shape: shape of one run's draws, for example (batch, T) in tokens.
            rngs: R generators.

        Returns:
            (R, *shape) array of `dtype`.
        """
        size = int(np.prod(shape))
        words = -(-size * np.dtype(self.dtype).itemsize // 8)
        runs = []
        for r, rng in enumerate(rngs):
            # Full-range 64-bit words are the cheapest exact source; each byte of a word is an independent draw.
            raw: NDArray = rng.integers(0, _WORD, size=words, dtype=np.uint64, endpoint=True).view(self.dtype)[:size]
            if self._boundaries:
                self._settle(raw, rng, r)
            runs.append(raw)
        return (runs[0] if len(runs) == 1 else np.stack(runs)).reshape(len(rngs), *shape)

    def _settle(self, raw: NDArray, rng: np.random.Generator, run: int) -> None:
        """Decide, in place, the draws that hit a cell with a cut inside it: a draw that stays above moves up one."""
        cell, stay = (a if a.ndim == 1 else a[run] for a in (self._cell, self._stay))
        for n in reversed(self._boundaries):  # from the top, so that a draw moved up is not looked at again
            hit = np.flatnonzero(raw == cell[n])
            raw[hit[rng.random(hit.size) >= stay[n]]] += self.dtype(1)


def check_distribution(name: str, p: NDArray[np.float64], axis: int = -1) -> None:
    """Refuse an array whose entries along `axis` are not a probability distribution.

    Args:
        name: the argument's name, for the message.
        p: the array.
        axis: the axis that must sum to 1 (within 1e-9) with entries that are finite and not negative.

    Raises:
        InputError: saying which of the three failed, and by how much.
    """
    require(np.all(np.isfinite(p)), name, "finite probabilities", "a value that is not finite")
    require(np.all(p >= 0), name, "probabilities of at least 0", f"a smallest of {p.min():g}")
    sums = p.sum(axis=axis)
    worst = sums.flat[np.argmax(np.abs(sums - 1))]
    require(abs(worst - 1) <= 1e-9, name, "probabilities that sum to 1", f"a sum of {worst:.12g}")


def choose(cumulative: NDArray[np.float64], uniform: NDArray[np.float64]) -> NDArray[np.intp]:
    """Inverse of a cumulative distribution: the first index whose cumulative probability exceeds `uniform`.

    Args:
        cumulative: (..., K) cumulative probabilities; the last is taken to be 1 whatever its rounding.
        uniform: (...) numbers in [0, 1).

    Returns:
        (...) indices in 0 .. K - 1.
    """
    return (uniform[..., None] >= cumulative[..., :-1]).sum(axis=-1)
