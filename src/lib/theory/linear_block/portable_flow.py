"""Gradient flow of one learned step, in portable Python, for H = diag(h) and Psi = psi I.

Chapter `linear_block`. The slopes of `flow.py`, which has their source; y is beta, then Gamma row by row.
"""

from __future__ import annotations

from dataclasses import dataclass

from lib.portable.explicit import Flow, flow_from
from lib.portable.primitives import Matrix, Vector, zero_matrix, zeros
from lib.portable.stiff import stiff_flow_to
from lib.theory.linear_block.portable import step_moment, task_moment


@dataclass
class StepLaw:
    """What the flow depends on, and room for its slope."""

    h: Vector
    psi: float
    mean: Vector
    sigma: float
    M: float
    HGH: Matrix  # (d, d)


def step_law(h: Vector, psi: float, mean: Vector, sigma: float, M: float) -> StepLaw:
    """The flow's parameters."""
    return StepLaw(h, psi, mean, sigma, M, zero_matrix(len(h), len(h)))


def step_slope(t: float, y: Vector, out: Vector, law: StepLaw) -> None:
    """The slope of y = (beta, Gamma), (d + d d,)."""
    h, mean, M, d, HGH = law.h, law.mean, law.M, len(law.h), law.HGH
    beta, squares = zeros(d), 0.0
    for i in range(d):
        beta[i] = y[i]
        for j in range(d):
            gamma = y[d + d * i + j]
            HGH[i][j] = h[i] * gamma * h[j]
            squares += HGH[i][j] * gamma
    A = task_moment(h, law.psi, mean, beta)
    B = step_moment(h, A, law.sigma, M)
    for i in range(d):
        push = (1.0 + squares / M) * h[i] * (beta[i] - mean[i])
        for j in range(d):
            fourth = 0.0
            pulled = 0.0
            for k in range(d):
                fourth += HGH[k][i] * HGH[k][j] / h[k]
                pulled += h[i] * y[d + d * i + k] * B[k][j]
            push += ((M + 1.0) / M * fourth - HGH[i][j] - HGH[j][i]) * (beta[j] - mean[j])
            out[d + d * i + j] = 2.0 * (h[i] * A[i][j] * h[j] - pulled)
        out[i] = -2.0 * push


def step_path(law: StepLaw, y: Vector, times: Vector, tolerance: float) -> Matrix:
    """The flow from y at time 0: its states (T, d + d d) at rising times."""
    states, flow = zero_matrix(len(times), len(y)), flow_from(0.0, y)
    for i in range(len(times)):
        follow(flow, law, times[i], tolerance)
        for j in range(len(y)):
            states[i][j] = flow.y[j]
    return states


def follow(flow: Flow, law: StepLaw, end: float, tolerance: float) -> None:
    """Move a path on to a time; the integrator is the stiff one."""
    stiff_flow_to(end, flow, step_slope, law, tolerance)
