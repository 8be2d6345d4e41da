"""The data of Scan and Snap: sequence classes, each with its next token, its query token and a law of context tokens.

Chapter `scan_snap`. Source: Tian, Wang, Chen, Du, "Scan and Snap: Understanding Training Dynamics and Token
Composition in 1-layer Transformer" (arXiv 2305.16380), Section 3.2.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from lib.errors import InputError, is_whole, require
from lib.sampling import HistogramSampler, check_distribution

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Task:
    """K equally likely sequence classes. Class n is the next token n.

    Attributes:
        P: (K, C) or (R, K, C); row n is the law P(l | n) of a contextual token in class n.
        query: (K,) query token psi(n) of each class, 0 .. Q - 1; every query has at least one class.
        M: size of the decoder's vocabulary, at least K. Outputs 0 .. K - 1 are the next tokens, the others never occur.
        L: contextual tokens of a sequence, at least 1; None for the limit of infinite length.

    The paper counts the query as well: its sequence length is T = L + 1 tokens.

    Raises:
        InputError: if a law is negative or does not sum to 1 (a class without tokens), M < K, a query is missing or
            out of range, or L is not a whole number of at least 1.

    Source: arXiv 2305.16380, Section 3.2.
    """

    P: Array
    query: NDArray[np.intp]
    M: int
    L: int | None = 127

    def __post_init__(self) -> None:
        object.__setattr__(self, "P", np.ascontiguousarray(self.P, dtype=np.float64))
        P, query = self.P, np.asarray(self.query)
        require(P.ndim in (2, 3) and P.size > 0, "P", "shape (K, C) or (R, K, C), nothing empty", P.shape)
        empty = np.flatnonzero(~(P != 0).any(axis=-1).reshape(-1, P.shape[-2]).all(axis=0))
        require(len(empty) == 0, "P", "tokens in every class", f"none in class {', '.join(map(str, empty))}")
        check_distribution("P (rows)", P)
        require(query.shape == (self.K,), "query", f"shape ({self.K},)", query.shape)
        require(np.issubdtype(query.dtype, np.integer), "query", "whole numbers", query.dtype)
        object.__setattr__(self, "query", query.astype(np.intp))
        found = np.unique(query)
        require(
            np.array_equal(found, np.arange(len(found))), "query", "each of 0 .. Q - 1 at least once", found.tolist()
        )
        require(is_whole(self.M) and self.M >= self.K, "M", f"a whole number of at least K = {self.K}", self.M)
        require(
            self.L is None or (is_whole(self.L) and self.L >= 1), "L", "a whole number of at least 1, or None", self.L
        )

    @property
    def K(self) -> int:
        """Number of classes, which is the number of next tokens that occur."""
        return self.P.shape[-2]

    @property
    def C(self) -> int:
        """Number of contextual tokens in the vocabulary."""
        return self.P.shape[-1]

    @property
    def Q(self) -> int:
        """Number of query tokens."""
        return int(self.query.max()) + 1

    @cached_property
    def _owners(self) -> NDArray[np.intp]:
        """(C,) or (R, C) number of classes that each token occurs in."""
        return np.count_nonzero(self.P, axis=-2)

    @cached_property
    def common(self) -> NDArray[np.bool_]:
        """(C,) or (R, C): the token occurs in two classes or more."""
        return self._owners >= 2

    @cached_property
    def distinct(self) -> NDArray[np.bool_]:
        """(K, C) or (R, K, C): the token occurs in this class and in no other."""
        return (self.P > 0) & (self._owners == 1)[..., None, :]

    @cached_property
    def leader(self) -> NDArray[np.intp]:
        """(K,) or (R, K): the most frequent distinct token of each class, the last one of several.

        Raises:
            InputError: if a class has no distinct token.
        """
        require(self.distinct.any(axis=-1).all(), "task", "a distinct token in every class", "a class without one")
        weight = np.where(self.distinct, self.P, 0.0)
        return self.C - 1 - weight[..., ::-1].argmax(axis=-1)

    @cached_property
    def starts(self) -> NDArray[np.intp] | None:
        """(K + 1,) ends of the common tokens and of each class's distinct tokens, if they are ordered like that."""
        if self.P.ndim == 3:
            return None
        starts = np.cumsum(np.append(self.C - self.distinct.sum(), self.distinct.sum(axis=1)))
        token = np.arange(self.C)
        ordered = (self.distinct == ((token >= starts[:-1, None]) & (token < starts[1:, None]))).all()
        return starts if ordered else None

    @cached_property
    def sampler(self) -> HistogramSampler:
        """The exact sampler of token histograms; P without run axis only."""
        require(self.P.ndim == 2, "P", "one law a class, shape (K, C), to sample from", self.P.shape)
        return HistogramSampler(self.P)


def check_logits(Z: Array, task: Task) -> None:
    """Refuse attention logits Z (R, Q, C) of other queries or tokens than the task's: they would broadcast silently.

    Raises:
        InputError: if the last two axes are not (Q, C).
    """
    if Z.shape[1:] != (task.Q, task.C):  # said only then: this stands in the innermost loop
        raise InputError(f"Z: expected shape (R, {task.Q}, {task.C}), got {Z.shape}")
