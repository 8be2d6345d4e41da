"""A data set instead of fresh sequences: tokens that are common in the language but distinct in the data.

Chapter `scan_snap`. Source: arXiv 2305.16380, Section 9, which expects that large data sets suppress such tokens and
does not try it. Beyond the paper: the number of such tokens, and the run.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scan_snap.runs.learning import learn, rates
from lib import optim
from lib.errors import require
from lib.models import scan_snap as ss

Array = NDArray[np.float64]
FREQUENT, RARE, OWN, LENGTH = 10, 40, 10, 127  # common tokens, rare common tokens, distinct tokens a class, L
WEIGHT = 0.02  # of a rare common token, where a frequent one has weight 1


class FalselyDistinct(NamedTuple):
    """Rare common tokens that occur in one class only in the first `sequences` sequences of each class."""

    number: Array  #: (S,) how many there are, both classes together, in the data that is trained on
    rise: Array  #: (S,) fraction of them, as judged by the first sequences, whose logit rises; NaN without any
    before: Array  #: (S,) attention on them before training, mean of the classes
    after: Array  #: (S,) attention on them after training


def language() -> ss.Task:
    """Syn-Small with forty rare common tokens more; infinitely long sequences, tokens in the order of `base_task`."""
    own = np.kron(np.eye(2), np.linspace(0.1, 1, OWN))
    weights = np.hstack([np.ones((2, FREQUENT)), np.full((2, RARE), WEIGHT), own])
    return ss.Task(weights / weights.sum(axis=1, keepdims=True), np.arange(2), weights.shape[1] + 4, None)


def expected_number(sequences: int) -> float:
    """How many rare common tokens occur in one of the two classes only: 2 q (1 - q) each, q = (1 - p)^(n L).

    Args:
        sequences: n of each class, of 127 tokens.

    Source: our own; a token of probability p is missing in n L independent draws with probability q.
    """
    missing = (1 - language().P[0, FREQUENT]) ** (sequences * LENGTH)
    return float(2 * RARE * missing * (1 - missing))


def falsely_distinct(sequences: int, seeds: Sequence[int], more: int = 1) -> FalselyDistinct:
    """Train on data sets of `sequences * more` sequences a class, by 300 steps of gradient descent, rates 1 and 3.

    Args:
        sequences: of each class, at least 1; they say which tokens look distinct.
        seeds: S seeds, a data set each.
        more: times as many sequences to train on, the first ones among them.

    Raises:
        InputError: if a number is below 1.
    """
    require(sequences >= 1, "sequences", "at least 1", sequences)
    require(more >= 1, "more", "at least 1", more)
    true, found = language(), []
    for seed in seeds:
        rng = np.random.default_rng(seed)
        first = rng.multinomial(sequences * LENGTH, true.P).astype(float)
        counts = first + rng.multinomial((more - 1) * sequences * LENGTH, true.P)
        data = ss.Task(counts / counts.sum(axis=1, keepdims=True), true.query, true.M, None)
        run = learn(data, [0], rates(1.0, 3.0, optim.sgd), 300)
        judged, trained = (_looks_distinct(np.asarray(c, np.float64)) for c in (first, counts))
        before, after = (ss.attention(p, data)[0] for p in (ss.zero_start(data), run.params))
        rise = (run.params.Z[0][judged] > 0).mean() if judged.any() else np.nan
        found.append((trained.sum(), rise, before[judged].sum() / 2, after[judged].sum() / 2))
    return FalselyDistinct(*np.transpose(found).astype(float))


def _looks_distinct(counts: Array) -> NDArray[np.bool_]:
    """(2, C) rare common tokens that occur in this class and not in the other."""
    rare = np.zeros(counts.shape[1], bool)
    rare[FREQUENT : FREQUENT + RARE] = True
    return (counts > 0) & (counts[::-1] == 0) & rare
