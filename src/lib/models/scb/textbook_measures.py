"""How far a textbook run is from the answer, as it stands and after rounding; mirrored runs measured upright.

Chapter `scb`. Source: arXiv 2410.23438, Sections 2.3 and 3.4. The measures are those of `lib.models.scb.signal`.
"""

from __future__ import annotations

from lib.models.scb.textbook import is_mirrored
from lib.models.scb.textbook_ring import Ring
from lib.portable.primitives import Matrix, copy, sqrt
from lib.portable.vectors import drop_below, largest, reflect, scale, total


def distance_V(V: Matrix, task: Ring, mirrored: bool) -> float:
    """|V - P| in the norm weighted by mu; of a mirrored run that of 2 mu 1' - V.

    Args:
        V: (N, N) outputs, token by token.
        task: the truth.
        mirrored: whether the run is turned round first.
    """
    square = 0.0
    for j in range(len(V)):
        for i in range(len(V)):
            value = 2.0 * task.mu[i] - V[j][i] if mirrored else V[j][i]
            off = value - task.P[j][i]
            square += task.mu[j] * off * off
    return sqrt(square)


def distance_A(A: Matrix, task: Ring, mirrored: bool) -> float:
    """|A - Q| in the norm weighted by mu; of a mirrored run that of 2/T - A.

    Args:
        A: (N, T) attention, row by row.
        task: the truth.
        mirrored: whether the run is turned round first.
    """
    uniform = 1.0 / float(len(A[0]))
    square = 0.0
    for k in range(len(A)):
        a = copy(A[k])
        if mirrored:
            reflect(a, uniform)
        for q in range(len(task.w)):
            a[task.s[k][q]] -= task.w[q]
        for t in range(len(a)):
            square += task.mu[k] * a[t] * a[t]
    return sqrt(square)


def rounded_distance_A(A: Matrix, task: Ring) -> float:
    """|A - Q| after the rounding of Stage 3, done on a copy. Uniform attention stays as it is."""
    mirrored = is_mirrored(A)
    square = 0.0
    for k in range(len(A)):
        a = copy(A[k])
        if mirrored:
            reflect(a, 1.0 / float(len(a)))
        drop_below(a, 0.25 * largest(a))
        scale(a, 1.0 / total(a))
        for q in range(len(task.w)):
            a[task.s[k][q]] -= task.w[q]
        for t in range(len(a)):
            square += task.mu[k] * a[t] * a[t]
    return sqrt(square)
