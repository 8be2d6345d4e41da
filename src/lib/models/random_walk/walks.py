"""The tasks: walks on a circle, drawn, or all there are, each with its chance; and the two question tasks, as walks.

Chapter `random_walk`. Source: arXiv 2511.23239, Section 2 (task) and Section 6 (questions and answers, whose words
these are). Nodes are counted from 0; the last node of a walk is the target, all before it are tokens. Questions have
the same form: in one task the average of the words tells the answer, in the other it cannot.
"""

import itertools
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lib.errors import require, whole
from lib.sampling import Rngs

Array = NDArray[np.float64]
Nodes = NDArray[np.intp]

_MOST_WALKS = 1 << 20

#: The vocabulary of the questions; a word is a node, counted from 0.
WORDS = (
    *("apple", "orange", "Based", "on", "the", "which", "type", "of", "fruit", "list", "appears", "most"),
    *("frequently", "sentence", "I", "prefer", "an", "to", "do"),
)
_FRUITS = WORDS[:2]


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

    Raises:
        InputError: if an argument is outside its range.

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

        return one_each(draw, n, rngs)

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


def one_each(draw: Callable[[np.random.Generator], Nodes], n: int, rngs: Rngs) -> Walks:
    """The n walks (n, N) that are drawn from each generator, all of weight 1/n.

    Raises:
        InputError: if n < 1 or there is no generator.
    """
    whole("n", n, 1)
    require(len(rngs) > 0, "rngs", "at least one generator", "none")
    return Walks(np.stack([draw(rng) for rng in rngs]), np.full((len(rngs), n), 1 / n))


def most_frequent() -> Walks:
    """Task 1, 32 questions of 16 words: five fruits are listed, the answer is the more frequent one."""
    lists = list(itertools.product(_FRUITS, repeat=5))
    answers = [max(_FRUITS, key=fruits.count) for fruits in lists]
    text = "Based on the list {} which type of fruit appears most frequently {}"
    return _encoded([text.format(" ".join(x), y) for x, y in zip(lists, answers, strict=True)])


def preferred() -> Walks:
    """Task 2, 2 questions of 18 words: both fruits occur once, the answer is the first."""
    text = "Based on the sentence I prefer an {0} to an {1} which type of fruit do I prefer {0}"
    return _encoded([text.format(*pair) for pair in (_FRUITS, _FRUITS[::-1])])


def _encoded(questions: Sequence[str]) -> Walks:
    s = np.array([[WORDS.index(word) for word in question.split()] for question in questions])
    return Walks(s[None], np.full((1, len(s)), 1 / len(s)))
