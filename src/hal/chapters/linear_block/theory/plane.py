"""One learned step by three numbers, where H = Psi = I: its start along the prior mean, its gains along and across it.

Chapter `linear_block`. Source: beyond arXiv 2402.14951, by its Lemma H.4; from zero the flow of start and matrix
never leaves these three. A state y is (start, gain along the mean, gain across it).
"""

from dataclasses import dataclass

from lib.models.linear_block.textbook import Law, State
from lib.portable.numbers import log
from lib.portable.primitives import Matrix, Readings, Vector, copy, nan, sqrt, zero_matrix, zeros
from lib.portable.vectors import dot
from lib.theory.linear_block.portable import best_gains

LOST = 1e6  # a risk above it is lost


@dataclass
class PlaneLaw:
    """What the risk depends on."""

    d: float  # features, at least 2
    M: float  # examples
    sigma: float  # standard deviation of the label noise
    norm: float  # of the prior mean
    ratio: float  # learning rate of the start over that of the gains


def plane_law(d: int, M: int, sigma: float, norm: float, ratio: float) -> PlaneLaw:
    """The task, and how much faster the start is trained than the gains."""
    return PlaneLaw(float(d), float(M), sigma, norm, ratio)


def plane_slope(y: Vector, out: Vector, law: PlaneLaw) -> None:
    """The slope of gradient flow at y, in the time of the gains; `out` (3,) gets it."""
    d, M, miss = law.d, law.M, law.norm - y[0]
    second, more = 1.0 + miss * miss, (law.M + 1.0) / law.M
    trace = d + miss * miss + law.sigma * law.sigma
    squares = y[1] * y[1] + (d - 1.0) * y[2] * y[2]
    out[0] = law.ratio * (2.0 * miss * (1.0 - 2.0 * y[1] + more * y[1] * y[1] + squares / M))
    out[1] = 2.0 * (second - y[1] * (more * second + trace / M))
    out[2] = 2.0 * (1.0 - y[2] * (more + trace / M))


def plane_risk(y: Vector, law: PlaneLaw) -> float:
    """The risk of the step y."""
    miss, more, rest = law.norm - y[0], (law.M + 1.0) / law.M, law.d - 1.0
    second, trace = 1.0 + miss * miss, law.d + miss * miss + law.sigma * law.sigma
    along = y[1] * y[1] * (more * second + trace / law.M) - 2.0 * y[1] * second
    return trace + along + rest * (y[2] * y[2] * (more + trace / law.M) - 2.0 * y[2])


def best_gains_from(start: float, law: PlaneLaw) -> Vector:
    """(2,) the best gains along the mean and across it, of a step from this start."""
    gains, miss, more = zeros(2), law.norm - start, (law.M + 1.0) / law.M
    second, trace = 1.0 + miss * miss, law.d + miss * miss + law.sigma * law.sigma
    gains[0] = second / (more * second + trace / law.M)
    gains[1] = 1.0 / (more + trace / law.M)
    return gains


def plane_descent(y: Vector, law: PlaneLaw, lr: float, steps: int) -> Matrix:
    """(steps + 1, 3) states of gradient descent on all prompts from y; NaN once the risk is above a million.

    `lr` is the learning rate of the gains.
    """
    states, now, slope, lost = zero_matrix(steps + 1, 3), copy(y), zeros(3), False
    for k in range(steps + 1):
        lost = lost or not plane_risk(now, law) <= LOST
        if not lost:
            plane_slope(now, slope, law)
        for i in range(3):
            states[k][i] = nan if lost else now[i]
            now[i] += 0.0 if lost else lr * slope[i]
    return states


def plane_map(law: PlaneLaw, side: int, end: float) -> Readings:
    """The risk over start and gain along the mean, with the gain across it at its best.

    Args:
        law: the task.
        side: points a side.
        end: end of both axes, which begin at 0, in percent of the best step.

    Returns:
        x, y (side,) the places; z (side side,) the logarithm, base 10, of 0.05 more than the risk above the best one,
        row after row of y; best: where the best step is on both axes.
    """
    x, z, place, best = zeros(side), zeros(side * side), zeros(3), best_gains_from(law.norm, law)
    place[0] = law.norm
    place[1] = best[0]
    place[2] = best[1]
    least = plane_risk(place, law)
    for i in range(side):
        x[i] = end * float(i) / float(side - 1)
        place[0] = 0.01 * x[i] * law.norm
        gains = best_gains_from(place[0], law)
        place[2] = gains[1]
        for j in range(side):
            place[1] = 0.01 * end * best[0] * float(j) / float(side - 1)
            z[j * side + i] = log(plane_risk(place, law) - least + 0.05) / log(10.0)
    return {"x": x, "y": x, "z": z, "best": [100.0]}


def best_gain(law: Law, way: Vector) -> float:
    """The gain of the best step along a direction (d,) of length sqrt(d)."""
    best, gains = 0.0, best_gains(law.h, 1.0, law.sigma, float(law.M))
    for i in range(len(way)):
        best += gains[i] * way[i] * way[i] / float(len(way))
    return best


def shares(state: State, way: Vector, best: float) -> Vector:
    """(2,) start and gain of a run of the textbook along the prior mean's direction, over those of the best step."""
    block, d, whole = state.block, float(len(way)), 0.0
    for i in range(len(way)):
        whole += way[i] * dot(block.Q[i], way)
    return [dot(block.alpha, way) / sqrt(d) / state.settings.norm, block.c * (whole / d) / best]
