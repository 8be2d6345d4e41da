"""What a textbook run records of itself: the two signals, the distance to the plane of the flow, and the loss.

Chapter `scb`. Source: arXiv 2410.23438, Section 3.1 and Appendix C. The measures are those of `lib.models.scb.signal`.
"""

from __future__ import annotations

from dataclasses import dataclass

from lib.models.scb.textbook_ring import Ring
from lib.portable.primitives import Matrix, Readings, Vector, first, nan, sqrt, zeros

RECORDS = 48  # of a whole run, besides the one at its start


@dataclass
class Record:
    """Measurements so far; `count` of them are filled in."""

    steps: Vector
    alpha_V: Vector
    alpha_A: Vector
    off_flow: Vector
    loss: Vector
    count: int


def new_record() -> Record:
    """Room for a whole run."""
    room = RECORDS + 1
    return Record(zeros(room), zeros(room), zeros(room), zeros(room), zeros(room), 0)


def is_due(count: int, step: int, steps: int) -> bool:
    """Whether a run of so many steps owes a record after `count` of them: one at every 48th part, short runs twice."""
    return count <= RECORDS and RECORDS * step >= count * steps


def write(record: Record, step: int, V: Matrix, A: Matrix, task: Ring, loss: float) -> None:
    """Measure the parameters and keep it.

    Args:
        record: what is written to.
        step: steps made.
        V: (N, N) outputs, token by token.
        A: (N, T) attention, row by row; rows sum to 1.
        task: the truth.
        loss: of the last batch.
    """
    i = record.count
    record.steps[i] = float(step)
    record.alpha_V[i] = signal_V(V, task)
    record.alpha_A[i] = signal_A(A, task)
    record.off_flow[i] = distance_to_flow(V, A, task, record.alpha_V[i], record.alpha_A[i])
    record.loss[i] = loss
    record.count = i + 1


def readings(record: Record, diverged_at: int) -> Readings:
    """The record so far: each measure (count,), and the step at which the run diverged, or NaN."""
    n = record.count
    return {
        "steps": first(record.steps, n),
        "alpha_V": first(record.alpha_V, n),
        "alpha_A": first(record.alpha_A, n),
        "off_flow": first(record.off_flow, n),
        "loss": first(record.loss, n),
        "diverged_at": [float(diverged_at) if diverged_at >= 0 else nan],
    }


def signal_V(V: Matrix, task: Ring) -> float:
    """alpha_V, where V lies on the line from mu 1' (0) to P (1): <V, R>_mu / K_P with R = P - mu 1'."""
    mu = task.mu
    inner = 0.0
    for j in range(len(mu)):
        for i in range(len(mu)):
            inner += mu[j] * V[j][i] * (task.P[j][i] - mu[i])
    return inner / task.K_P


def signal_A(A: Matrix, task: Ring) -> float:
    """alpha_A, where A lies on the line from uniform attention (0) to the targets (1)."""
    inner = 0.0
    for k in range(len(A)):
        for q in range(len(task.w)):
            inner += task.mu[k] * task.w[q] * A[k][task.s[k][q]]
    return (inner - 1.0 / float(len(A[0]))) / task.K_Q


def distance_to_flow(V: Matrix, A: Matrix, task: Ring, alpha_V: float, alpha_A: float) -> float:
    """Distance of V and A from the plane in which the population flow moves, in the norm weighted by mu."""
    mu = task.mu
    T = len(A[0])
    square = 0.0
    for j in range(len(mu)):
        for i in range(len(mu)):
            off = V[j][i] - mu[i] - alpha_V * (task.P[j][i] - mu[i])
            square += mu[j] * off * off
        uniform = (1.0 - alpha_A) / float(T)
        for t in range(T):
            off = A[j][t] - uniform
            square += mu[j] * off * off
        for q in range(len(task.w)):  # at these positions the plane is elsewhere
            wrong = A[j][task.s[j][q]] - uniform
            off = wrong - alpha_A * task.w[q]
            square += mu[j] * (off * off - wrong * wrong)
    return sqrt(max(square, 0.0))
