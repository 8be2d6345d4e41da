"""Exact, fast sampling of token histograms: how often each token occurs in a sequence of L i.i.d. tokens.

For models without positions, where the histogram is all that counts.
"""

import numpy as np
from numpy.typing import NDArray

from lib.errors import require, whole
from lib.sampling.draws import check_distribution, choose, raw_words

_CELLS = 1 << 16


class HistogramSampler:
    """Draws histograms of L i.i.d. tokens from one of K laws, exactly.

    A token is one 16-bit draw, looked up in a table that gives token l its floor(65536 P(l)) cells. The few cells that
    are left over hold the mark "again": a draw that falls there is drawn a second time, from what is missing of each
    law. So nothing is rounded, and almost every token costs two bytes of randomness.

    Args:
        P: (K, C) laws, one a row, each with a support of at most 255 tokens.

    Source: our own; the cost is measured in `benchmarks/scan_snap.py`.
    """

    def __init__(self, P: NDArray[np.float64]) -> None:
        P = np.asarray(P, dtype=np.float64)
        require(P.ndim == 2, "P", "shape (K, C)", P.shape)
        check_distribution("P (rows)", P)
        size = int(np.count_nonzero(P, axis=1).max())
        require(size <= 255, "P", "at most 255 tokens a law", size)
        self.K, self.C = P.shape
        # Each law on its support alone: places 0 .. size - 1, the likeliest first; `size` is the mark.
        self._tokens = np.argsort(-P, axis=1, kind="stable")[:, :size]
        law = np.take_along_axis(P, self._tokens, axis=1)
        cells = np.floor(law * _CELLS).astype(np.intp)
        missing = law - cells / _CELLS
        self._table = np.full((self.K, _CELLS), size, dtype=np.uint8)
        for row, count in zip(self._table, cells, strict=True):
            filled = np.repeat(np.arange(size, dtype=np.uint8), count)
            row[: len(filled)] = filled
        rest = missing.sum(axis=1, keepdims=True)
        self._again = np.cumsum(np.divide(missing, rest, where=rest > 0, out=np.zeros_like(missing)), axis=1)
        self._size = size

    def draw(self, law: NDArray[np.intp], length: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Counts (B, C), as float64, of sequences of `length` tokens, one for each entry of `law`.

        Args:
            law: (B,) row of P that each sequence is drawn from.
            length: tokens of a sequence, at least 1.
            rng: the generator.
        """
        length = whole("length", length, 1)
        B, width = len(law), self._size + 1
        size = B * length
        cell = raw_words(rng, -(-size // 4)).view(np.uint16)[:size].reshape(B, length)
        place = self._table.reshape(-1).take(cell + (law * _CELLS)[:, None])
        again = np.flatnonzero(place == self._size)
        if len(again):
            place.reshape(-1)[again] = choose(self._again[law[again // length]], rng.random(len(again)))
        found = np.bincount((place + np.arange(0, B * width, width)[:, None]).reshape(-1), minlength=B * width)
        counts = np.zeros(B * self.C)
        counts[self._tokens[law] + np.arange(0, B * self.C, self.C)[:, None]] = found.reshape(B, width)[:, :-1]
        return counts.reshape(B, self.C)
