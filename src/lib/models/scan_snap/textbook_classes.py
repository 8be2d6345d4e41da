"""The sequence classes of the standard task in portable Python: which tokens each has, how likely, and its query.

Chapter `scan_snap`. The same task as `lib.models.scan_snap.base_task`. Classes are equal up to renaming, so one law
serves them all. Source: arXiv 2305.16380, Section 8; weights from the authors' released settings.
"""

from dataclasses import dataclass

from lib.errors import require
from lib.portable.primitives import Table, Vector, Wholes, sqrt, whole_table, whole_zeros, zeros
from lib.portable.random_numbers import uniform
from lib.portable.vectors import scale, total

LOWEST = 0.1  # weight of the rarest distinct token; common tokens and the most frequent distinct one have 1


@dataclass
class Classes:
    """K classes over C contextual tokens: the common ones first, then the distinct ones of each class."""

    law: Vector  # (S,) P(l | n) of a class's own tokens: common ones, then its distinct ones, rarest first
    tokens: Table  # (K, S) which tokens these are
    query: Wholes  # (K,) query token of each class; neighbours share one
    common: int  # tokens that all classes have
    C: int  # contextual tokens of all classes
    Q: int  # query tokens
    M: int  # outputs of the decoder: the K next tokens, and others that never come next


def base_classes(K: int, queries: int, common: int, distinct: int, M: int) -> Classes:
    """The classes of these settings.

    Args:
        K: classes.
        queries: query tokens, a divisor of K.
        common: common tokens; 0 for none.
        distinct: distinct tokens of each class.
        M: outputs of the decoder, at least K.

    Raises:
        InputError: if a setting is out of range.
    """
    require(K >= 2, "K", "at least 2 classes", K)
    require(queries >= 1 and queries <= K and K // queries * queries == K, "queries", "a divisor of K", queries)
    require(common >= 0, "common", "at least 0 tokens", common)
    require(distinct >= 1, "distinct", "at least 1 token a class", distinct)
    require(M >= K, "M", "at least K outputs", M)
    S = common + distinct
    law = zeros(S)
    tokens = whole_table(K, S)
    query = whole_zeros(K)
    for i in range(S):
        law[i] = 1.0 if i < common else distinct_weight(i - common, distinct, LOWEST)
    scale(law, 1.0 / total(law))
    for n in range(K):
        query[n] = n // (K // queries)
        for i in range(S):
            tokens[n][i] = i if i < common else i + n * distinct
    return Classes(law, tokens, query, common, common + K * distinct, queries, M)


def distinct_weight(i: int, distinct: int, lowest: float) -> float:
    """Weight of distinct token i of a class: equally spaced from `lowest` to 1; a single one has the lowest."""
    return lowest + (1.0 - lowest) * float(i) / float(max(1, distinct - 1))


def vocabulary(K: int, queries: int, common: int, distinct: int) -> int:
    """Outputs of a decoder that has every token of the task: contextual, query and next tokens."""
    return common + K * distinct + queries + K


def random_start(Y: Vector, Z: Vector, columns: int, task: Classes, spread: float, random: Vector) -> None:
    """A start with every entry of both layers uniform; outputs that never come next share one column, their mean.

    Args:
        Y: (C * columns,) the decoder, row after row; zeros before.
        Z: (Q * C,) the attention logits, row after row.
        columns: of Y.
        task: gives the sizes.
        spread: s of numbers within +-s / sqrt(M).
        random: generator; it moves on.
    """
    reach = spread / sqrt(float(task.M))
    others = float(task.M - columns + 1)
    for token in range(task.C):
        for k in range(task.M):
            x = reach * (2.0 * uniform(random) - 1.0)
            if k < columns - 1:
                Y[token * columns + k] = x
            else:
                Y[token * columns + columns - 1] += x / others
    for i in range(len(Z)):
        Z[i] = reach * (2.0 * uniform(random) - 1.0)
