"""The data of Scan and Snap: sequence classes, each with its next token, its query token and a law of context tokens.

Three of them: the paper's construction, one common token, and a token that is partly common. Chapter `scan_snap`.
Source: Tian, Wang, Chen, Du, "Scan and Snap: Understanding Training Dynamics and Token Composition in 1-layer
Transformer" (arXiv 2305.16380), Sections 3.2 and 8, Appendix G; weights, own queries and M from the authors' released
settings.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from lib.errors import InputError, is_whole, require
from lib.sampling import HistogramSampler, check_distribution

Array = NDArray[np.float64]
Queries = Literal["own", "shared"] | int


@dataclass(frozen=True, eq=False)
class Task:
    """K equally likely sequence classes. Class n is the next token n. Source: arXiv 2305.16380, Section 3.2.

    Attributes:
        P: (K, C) or (R, K, C); row n is the law P(l | n) of a contextual token in class n.
        query: (K,) query token psi(n) of each class, 0 .. Q - 1; every query has at least one class.
        M: size of the decoder's vocabulary, at least K. Outputs 0 .. K - 1 are the next tokens, the others never occur.
        L: contextual tokens of a sequence, at least 1; None for the limit of infinite length.

    The paper counts the query as well: its sequence length is T = L + 1 tokens.

    Raises:
        InputError: if a law is negative or does not sum to 1 (a class without tokens), M < K, a query is missing or
            out of range, or L is not a whole number of at least 1.
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
        check_distinct(self)
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


def check_distinct(task: Task) -> None:
    """Refuse a task in which a class has no distinct token.

    Raises:
        InputError: if there is such a class.
    """
    require(task.distinct.any(axis=-1).all(), "task", "a distinct token in every class", "a class without one")


def check_logits(Z: Array, task: Task) -> None:
    """Refuse attention logits Z (R, Q, C) of other queries or tokens than the task's: they would broadcast silently.

    Raises:
        InputError: if the last two axes are not (Q, C).
    """
    if Z.shape[1:] != (task.Q, task.C):  # said only then: this stands in the innermost loop
        raise InputError(f"Z: expected shape (R, {task.Q}, {task.C}), got {Z.shape}")


def base_task(
    K: int = 2,
    common: int = 10,
    distinct: int = 10,
    queries: Queries = "own",
    M: int | None = None,
    L: int | None = 127,
    lowest: float = 0.1,
) -> Task:
    """Common tokens of weight 1 and, for each class, distinct tokens of weights from `lowest` to 1, equally spaced.

    Tokens are ordered: common, then the distinct tokens of class 0 (weights rising), of class 1, and so on.

    Args:
        K: classes.
        common: common tokens; 0 for none.
        distinct: distinct tokens of each class, at least 1.
        queries: "own" query a class, one "shared" by all, or their number, a divisor of K; neighbours share one.
        M: size of the decoder's vocabulary; None counts all tokens, C + Q + K, as the released code does (34 for
            Syn-Small; 33, 79, 125, 240 for Syn-Medium with 1, 3, 5, 10 queries).
        L: contextual tokens of a sequence, or None for infinitely many.
        lowest: weight of the rarest distinct token, in (0, 1].

    Raises:
        InputError: if a number is out of range.

    Source: arXiv 2305.16380, Section 8 (Syn-Small, Syn-Medium); weights from the released settings.
    """
    _numbers(common, distinct)
    require(0 < lowest <= 1, "lowest", "a weight in (0, 1]", lowest)
    return _build(np.ones((1, common)), np.linspace(lowest, 1, distinct), K, queries, M, L)


def single_common_task(K: int, rho: float, M: int, distinct: int = 5, L: int | None = None) -> Task:
    """One common token whose weight makes any two classes correlate by `rho` at the start; one query for all.

    Args:
        K: classes.
        rho: correlation f_n . f_n' of two classes at uniform logits, in (0, 1).
        M: size of the decoder's vocabulary.
        distinct: distinct tokens of each class, of weights 1 / distinct .. 1.
        L: contextual tokens of a sequence, or None for infinitely many.

    Raises:
        InputError: if a number is out of range.

    Source: arXiv 2305.16380, Section 6 (the setting of Theorem 4); weights are ours.
    """
    require(0 < rho < 1, "rho", "a correlation in (0, 1)", rho)
    _numbers(1, distinct)
    weights = np.arange(1, distinct + 1) / distinct
    shared = np.sqrt(rho / (1 - rho) * (weights**2).sum())
    return _build(np.array([[shared]]), weights, K, "shared", M, L)


def partly_common_task(
    kappa: float,
    weight: float = 0.1,
    common: int = 10,
    distinct: int = 10,
    queries: Queries = "shared",
    M: int | None = None,
    L: int | None = None,
) -> Task:
    """Two mirror-symmetric classes; token 0 is kappa times as frequent in class 0 as in class 1, token 1 the reverse.

    After these two, tokens are ordered as in `base_task`, whose arguments the others are.

    Args:
        kappa: ratio P(0 | class 0) / P(0 | class 1), at least 1.
        weight: weight of token 0 in class 0, where common tokens have weight 1.

    Raises:
        InputError: if a number is out of range.

    Source: beyond the paper; it treats distinct and common tokens only.
    """
    require(np.isfinite(kappa) and kappa >= 1, "kappa", "a finite ratio of at least 1", kappa)
    require(np.isfinite(weight) and weight > 0, "weight", "a finite positive number", weight)
    _numbers(common, distinct)
    partly = weight * np.array([[1.0, 1 / kappa], [1 / kappa, 1.0]])
    return _build(np.hstack([partly, np.ones((2, common))]), np.linspace(0.1, 1, distinct), 2, queries, M, L)


def _numbers(common: int, distinct: int) -> None:
    require(is_whole(common) and common >= 0, "common", "a whole number of tokens, at least 0", common)
    require(is_whole(distinct) and distinct >= 1, "distinct", "a whole number of tokens a class, at least 1", distinct)


def _build(
    leading: NDArray[np.float64], weights: NDArray[np.float64], K: int, queries: Queries, M: int | None, L: int | None
) -> Task:
    """Leading tokens (K or 1, n) that classes share, then each class's own, all rows divided by their sums."""
    require(is_whole(K) and K >= 2, "K", "a whole number of classes, at least 2", K)
    number = {"own": K, "shared": 1}.get(queries, queries) if isinstance(queries, str) else queries
    require(
        is_whole(number) and 1 <= number <= K and K % number == 0,
        "queries",
        f'"own", "shared", or a divisor of K = {K}',
        queries,
    )
    table = np.hstack([np.broadcast_to(leading, (K, leading.shape[1])), np.kron(np.eye(K), weights)])
    P = table / table.sum(axis=1, keepdims=True)
    return Task(P, np.arange(K) // (K // int(number)), P.shape[1] + int(number) + K if M is None else M, L)
