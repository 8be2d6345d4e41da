"""What a textbook run measures of itself: entropy, attention on common tokens, and the whole attention.

Chapter `scan_snap`. Attention is that of an infinitely long sequence, as in the paper, whatever length is trained on;
the measures are those of `lib.models.scan_snap.measures`. Source: arXiv 2305.16380, Section 8.
"""

from lib.models.scan_snap.textbook_classes import Classes
from lib.portable.chances import entropy
from lib.portable.numbers import exp
from lib.portable.primitives import Vector, inf, zeros
from lib.portable.vectors import scale, total


def width(task: Classes) -> int:
    """How many numbers `measure` writes."""
    return 2 + len(task.query) * task.C


def measure(Z: Vector, task: Classes, row: Vector, at: int) -> None:
    """Entropy on distinct tokens (nats) and attention on common ones, means over the classes; attention of each class.

    Args:
        Z: (Q C,) attention logits, row after row.
        task: gives the K classes.
        row: gets entropy, mass, and attention (K C,), class after class, from place `at` on.
        at: see there.
    """
    K, c = len(task.query), zeros(task.C)
    row[at] = 0.0
    row[at + 1] = 0.0
    for n in range(K):
        attention(Z, n, task, 0, c)
        for token in range(task.C):
            row[at + 2 + n * task.C + token] = c[token]
        for token in range(task.common):
            row[at + 1] += c[token] / float(K)
        attention(Z, n, task, task.common, c)
        row[at] += entropy(c) / float(K)


def attention(Z: Vector, n: int, task: Classes, start: int, c: Vector) -> None:
    """Attention c_n = P(l | n) e^z divided by its sum, on the class's tokens from place `start` of its law on.

    Args:
        Z: (Q C,) attention logits.
        n: class.
        task: gives its tokens and their law.
        start: 0 for all its tokens; the number of common tokens for its distinct ones alone, whose shares are found
            even where next to nothing is left for them.
        c: (C,) gets the result; zero for all other tokens.
    """
    row, tokens = task.query[n] * task.C, task.tokens[n]
    top = -inf
    for token in range(task.C):
        c[token] = 0.0
    for i in range(start, len(tokens)):
        top = max(top, Z[row + tokens[i]])
    for i in range(start, len(tokens)):
        c[tokens[i]] = task.law[i] * exp(Z[row + tokens[i]] - top)
    scale(c, 1.0 / total(c))
