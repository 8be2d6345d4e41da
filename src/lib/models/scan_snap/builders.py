"""The tasks of the chapter: the paper's construction, one common token, and a token that is partly common.

Chapter `scan_snap`. Source: arXiv 2305.16380, Section 8 and Appendix G; weights, own queries and M from the authors'
released settings.
"""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from lib.errors import is_whole, require
from lib.models.scan_snap.task import Task

Queries = Literal["own", "shared"] | int


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

    Returns:
        The `Task`.

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

    Returns:
        The `Task`.

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

    After these two, tokens are ordered as in `base_task`.

    Args:
        kappa: ratio P(0 | class 0) / P(0 | class 1), at least 1.
        weight: weight of token 0 in class 0, where common tokens have weight 1.
        common: common tokens.
        distinct: distinct tokens of each class.
        queries: "own" or "shared".
        M: size of the decoder's vocabulary; None for C + Q + 2.
        L: contextual tokens of a sequence, or None for infinitely many.

    Returns:
        The `Task`.

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
