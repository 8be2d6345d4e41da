"""Sequences as words that a page prints: one of each class of the standard task; portable Python.

Chapter `scan_snap`. Source: arXiv 2305.16380, Section 3.1: the tokens of a sequence follow the law of its class.
Classes that are out of range are refused with an `InputError`.
"""

from lib.models.scan_snap.textbook import Classes
from lib.portable.primitives import Matrix, zero_matrix
from lib.portable.random_numbers import generator
from lib.portable.tokens import draw


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
