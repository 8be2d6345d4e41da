"""Counting in place of training, in portable Python: which position and which label depend on each other.

Chapter `scb`, beyond the paper (arXiv 2410.23438). The statistics are those of `chi_squared` of `measures`.
"""

from lib.models.scb.textbook import Ring
from lib.portable.primitives import Vector, whole_zeros, zeros
from lib.portable.tokens import draw, draw_tokens, token_table


def screened(task: Ring, T: int, samples: int, random: Vector) -> Vector:
    """Pearson's chi-squared statistics (N T,), row by row, of (token there, label) against mu mu', one table for each
    last token and position; from so many fresh samples of the task, of contexts of `T` tokens. A row whose last token
    never occurs is zero.

    Source: Pearson's test of independence; its use here is our own.
    """
    mu, N = task.mu, len(task.mu)
    table, X = token_table(mu), whole_zeros(T)
    counts, rows, result = zeros(N * T * N * N), zeros(N), zeros(N * T)
    for _ in range(samples):
        draw_tokens(table, random, X)
        k = draw(random, mu)
        label = draw(random, task.P[X[task.s[k][draw(random, task.w)]]])
        rows[k] += 1.0
        for t in range(T):
            counts[((k * T + t) * N + X[t]) * N + label] += 1.0
    for place in range(N * T):
        seen = rows[place // T]
        for j in range(N):
            for i in range(N):
                expected = seen * mu[j] * mu[i]
                off = counts[(place * N + j) * N + i] - expected
                result[place] += off * off / expected if seen > 0.0 else 0.0
    return result
