"""The soft threshold of Stage 2 without noise, and the noise of one step, in portable Python.

Chapter `scb`. Source: Ren, Wang, Lee (2024), arXiv 2410.23438, Algorithm 1 on the population; the reduction to classes
of positions is beyond the paper. `lib.theory.scb.prox_population_run` has it over arrays.
"""

from lib.portable.chances import normal_cdf
from lib.portable.numbers import exp
from lib.portable.primitives import Vector, copy, sqrt, zeros
from lib.portable.vectors import dot, total
from lib.theory.scb.portable_constants import Constants


def soft(x: float, level: float) -> float:
    """x moved towards zero by the level, and 0 where it would pass it.

    Source: the paper's Algorithm 1, Stage 2.
    """
    return max(x - level, 0.0) if x > 0.0 else min(x + level, 0.0)


def useless(row: Vector, T: int) -> float:
    """Attention on each useless position, from that on the useful ones (Q,): a row sums to 1.

    Source: the paper's Section 2.3, whose projection keeps that sum.
    """
    return (1.0 - total(row)) / float(T - len(row))


def noiseless(x: float, row: Vector, w: Vector, T: int, eta: float, level: float, steps: int) -> float:
    """So many steps of a row without noise, all rows alike; `row` moves on.

    Args:
        x: alpha_V before.
        row: (Q,) attention on the useful positions.
        w: (Q,) weights of the target.
        T: context length.
        eta, level: base step and threshold per step.
        steps: how many.

    Returns:
        alpha_V after them.

    Source: the paper's Algorithm 1, Stages 1 and 2, on the population; the reduction to classes is beyond the paper.
    """
    K_Q, uniform, Q = dot(w, w) - 1.0 / float(T), 1.0 / float(T), len(w)
    for _ in range(steps):
        rest = useless(row, T)
        norm = dot(row, row) + float(T - Q) * rest * rest
        moved = eta / K_Q * (dot(w, row) - norm * x)
        rest = soft(rest + eta * x * (-uniform - x * (rest - uniform)), level)
        held = float(T - Q) * rest
        for q in range(Q):
            row[q] = soft(row[q] + eta * x * (w[q] - uniform - x * (row[q] - uniform)), level)
            held += row[q]
        for q in range(Q):
            row[q] += (1.0 - held) / float(T)
        x += moved
    return x


def bent(w: Vector, T: int, eta: float, before: int, after: int, levels: Vector) -> Vector:
    """|A - Q| (L,) without noise: `before` steps from the paper's start, then `after` steps at each of L thresholds.

    Source: the paper's Algorithm 1, Stages 1 and 2, on the population.
    """
    begun, found = zeros(len(w)), zeros(len(levels))
    for q in range(len(w)):
        begun[q] = 1.0 / float(T)
    x = noiseless(0.0, begun, w, T, eta, 0.0, before)
    for i in range(len(levels)):
        row = copy(begun)
        noiseless(x, row, w, T, eta, levels[i], after)
        rest = useless(row, T)
        square = float(T - len(w)) * rest * rest
        for q in range(len(w)):
            square += (row[q] - w[q]) * (row[q] - w[q])
        found[i] = sqrt(square)
    return found


def step_noise(task: Constants, batch: float) -> float:
    """Deviation of what one step adds to a useless entry of the finished attention, over the base step, mu uniform.

    It is sqrt(N (c1 - |q|^2 c2) / B) / K_P, whatever T is.

    Source: beyond the paper; `lib.theory.scb.attention_coordinate_variance` has it for any point.
    """
    return sqrt(float(task.N) * (task.c1 - task.q_norm2 * task.c2) / batch) / task.K_P


def held_square(level: float, variance: float) -> float:
    """Mean square of a useless entry near the solution: noise moves it, threshold and descent pull it back.

    Its stationary density falls like exp(-(|a| + level)^2 / (2 variance)).

    Args:
        level: threshold over the base step, below 8 roots of the variance.
        variance: what its mean square is without a threshold, half the base step times `step_noise` squared.

    Source: beyond the paper; the second moment of a truncated normal number.
    """
    t = level / sqrt(variance)
    rate = exp(-0.5 * t * t) / 2.5066282746310002 / normal_cdf(-t)
    return variance * (1.0 + t * t - t * rate)


def cancelling(T: float, noise: float, eta: float) -> float:
    """The threshold over the base step at which noise and threshold cancel along the valley.

    Noise of the T useless entries, of mean square e together, pushes a run by eta e / K_Q a step, V down and A up; the
    threshold pushes it by lambda / K_Q the other way. So lambda / eta = e, and e depends on lambda.

    Args:
        T: context length.
        noise: `step_noise` of the batch.
        eta: base step.

    Source: beyond the paper.
    """
    variance = 0.5 * eta * noise * noise
    low, high = 0.0, min(T * variance, 7.0 * sqrt(variance))
    for _ in range(60):
        middle = 0.5 * (low + high)
        if T * held_square(middle, variance) > middle:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)
