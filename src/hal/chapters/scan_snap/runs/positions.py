"""A linear position bias: tokens near the query count more, as with ALiBi.

Chapter `scan_snap`. Source: arXiv 2305.16380, Section 7 (positional encoding), which calls such a bias a prior of the
token and does not try it. Beyond the paper: the run, and the frequencies that it trains as if it saw.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scan_snap.runs.learning import rates
from lib import optim
from lib.errors import require
from lib.models import scan_snap as ss
from lib.sampling import Rngs, generators
from lib.train import train

Array = NDArray[np.float64]
NEAR, FAR = 8, 9  # ranks of two distinct tokens, equally frequent: one in the half near the query, one in the other


def halves() -> Array:
    """(2, K, C) distributions in the far and the near half of a sequence: Syn-Small, but for `NEAR` and `FAR`."""
    found = []
    for near in (0.0, 2.0):
        own = np.linspace(0.1, 1, 10)
        own[[NEAR, FAR]] = near, 2.0 - near
        weights = np.hstack([np.ones((2, 10)), np.kron(np.eye(2), own)])
        found.append(weights / weights.sum(axis=1, keepdims=True))
    return np.stack(found)


class Biased(ss.Transformer):
    """The chapter's problem with a bias on the attention logit of each position: histograms are weighted sums.

    Args:
        L: contextual tokens of a sequence, even.
        bias: by how much the last position is ahead of the first, in nats.

    Raises:
        InputError: if L is odd or below 2, or the bias is not finite.
    """

    def __init__(self, L: int, bias: float) -> None:
        require(L >= 2 and L % 2 == 0, "L", "an even number of at least 2 tokens", L)
        require(bool(np.isfinite(bias)), "bias", "a finite number of nats", bias)
        self.weight = np.exp(bias * (np.arange(L) / (L - 1) - 1))
        self.laws = halves()
        far, near = self.weight.reshape(2, -1).sum(axis=1) / self.weight.sum()
        # The frequencies that are left of the sequence when it is long: each half counts by its weight.
        super().__init__(ss.Task(far * self.laws[0] + near * self.laws[1], np.arange(2), 34, L))
        self._edges = np.cumsum(self.laws, axis=-1)

    def sample(self, batch: int = 0, rngs: Rngs = (), step: int = 0) -> ss.Batch:
        """Draw `batch` sequences for each run, position by position, and add up the weights of their tokens."""
        C = self.task.C
        label = np.stack([rng.integers(2, size=batch) for rng in rngs])
        counts = np.zeros((len(rngs), batch, C))
        for run, rng in enumerate(rngs):
            u = rng.random((batch, 2, len(self.weight) // 2))
            for half, weight in enumerate(self.weight.reshape(2, -1)):
                for n in range(2):
                    rows = np.flatnonzero(label[run] == n)
                    token = np.searchsorted(self._edges[half, n], u[rows, half], side="right").clip(max=C - 1)
                    place = (rows[:, None] * C + token).ravel()
                    weights = np.broadcast_to(weight, token.shape).ravel()
                    counts[run] += np.bincount(place, weights, minlength=batch * C).reshape(batch, C)
        return ss.Batch(counts, label, label)


def learned_lead(L: int | None, bias: float, seeds: Sequence[int], steps: int = 100) -> Array:
    """(S,) by how many nats training moves the near token's logit above the far one's, mean of both classes.

    Args:
        L: contextual tokens of a sequence, even; None: infinitely long, at the weighted frequencies, one run.
        bias: see `Biased`.
        seeds: S seeds; they do not matter for L = None.
        steps: of gradient descent, rates 1 and 3, batches of 128.

    Raises:
        InputError: see `Biased`.
    """
    problem: Any = Biased(L or 128, bias)
    if L is None:
        problem = ss.Transformer(replace(problem.task, L=None))
    runs = 1 if L is None else len(seeds)
    draws = (None, None) if L is None else (128, generators(seeds))
    run = train(problem, ss.zero_start(problem.task, runs), rates(1.0, 3.0, optim.sgd), steps, *draws)
    Z, n = run.params.Z, np.arange(2)
    return np.asarray((Z[:, n, 10 + 10 * n + NEAR] - Z[:, n, 10 + 10 * n + FAR]).mean(axis=1))
