"""Sequences as words that a page prints: one of each class of the standard task; portable Python.

Chapter `scan_snap`. Source: arXiv 2305.16380, Section 3.1: the tokens of a sequence follow the law of its class.
Classes that are out of range are refused with an `InputError`.
"""

from lib.models.scan_snap.textbook import Classes, base_classes
from lib.portable.primitives import Matrix, Vector, zero_matrix, zeros
from lib.portable.random_numbers import generator
from lib.portable.tokens import draw

BEFORE = 39  # words of the sequence before the piece that is printed again
PIECE = 8  # words of it


def two_sequences(task: Classes, length: int) -> Matrix:
    """One sequence of class A and then one of class B.

    Args:
        task: two classes; at most 60 common tokens, which have the words 0 to 59, and at most 10 distinct ones each,
            whose words come next, those of A first.
        length: words of a sequence.

    Returns:
        Five rows. Of each word (2 length,): which it is; its group, 0 for common and 1 for distinct; the place of its
        token in `all_attention` of the textbook; its probability in its class. And how long that attention is (1,).
    """
    random, common, n = generator(1, 1), task.common, 2 * length
    rows = zero_matrix(5, n)
    for i in range(n):
        side = i // length
        own = draw(random, task.law)
        token = task.tokens[side][own]
        rows[0][i] = float(token if own < common else 60 + token - common)
        rows[1][i] = 0.0 if own < common else 1.0
        rows[2][i] = float(side * task.C + token)
        rows[3][i] = task.law[own]
    rows[4] = [2.0 * float(task.C)]
    return rows


def sequence_again(common: int, distinct: int, records: Vector) -> Matrix:
    """One and the same piece of class A's sequence, printed once for each of some records (R,) of a flow, their numbers
    from 0; tokens as for `two_sequences`.

    Four rows (R PIECE,): of each word which it is, its group, its place in the reading `attention` of the flow, all
    records one after the other, and its probability in the class.
    """
    task = base_classes(2, 2, common, distinct, 2, zeros(0))
    drawn, rows = two_sequences(task, 60), zero_matrix(4, len(records) * PIECE)
    for k in range(len(records)):
        for j in range(PIECE):
            i, word, group = k * PIECE + j, drawn[0][BEFORE + j], drawn[1][BEFORE + j]
            rows[0][i] = word
            rows[1][i] = group
            rows[2][i] = records[k] * float(distinct + 1) + (word - 59.0 if group == 1.0 else 0.0)
            rows[3][i] = drawn[3][BEFORE + j]
    return rows
