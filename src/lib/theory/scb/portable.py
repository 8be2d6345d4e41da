"""The theory that pages draw, in portable Python: population flow, early growth, velocity, quiet phase.

Chapter `scb`. The same formulas as `lib.theory.scb.flow`, for one setting at a time; the page redraws them while a
slider moves. Source: Ren, Wang, Lee (2024), arXiv 2410.23438, population process of Stages 1 and 2.
"""

from __future__ import annotations

from lib.portable.numbers import exp, log
from lib.portable.primitives import Readings, Vector, floor, nan, zeros


def attention_signal(w: Vector, T: int) -> float:
    """K_Q = |w|^2 - 1/T, when every last token has the same weights w (Q,)."""
    square = 0.0
    for i in range(len(w)):
        square += w[i] * w[i]
    return square - 1.0 / float(T)


def drift_number(K_Q: float, T: int) -> float:
    """d = 1 / (K_Q T), the push of the task towards the true sign."""
    return 1.0 / (K_Q * float(T))


def velocity(x: float, y: float, d: float) -> tuple[float, float]:
    """Motion of (alpha_V, alpha_A) = (x, y) per unit of eta t: y (1 - x y) + d (1 - x) and x (1 - x y)."""
    return y * (1.0 - x * y) + d * (1.0 - x), x * (1.0 - x * y)


def population_run(d: float, eta: float, start_V: float, start_A: float, steps: int, records: int) -> Readings:
    """The exact recursion of full-population descent.

    Args:
        d: drift number.
        eta: base step.
        start_V: alpha_V at the start; the paper starts at (0, 0).
        start_A: alpha_A at the start.
        steps: number of steps.
        records: how many of them to keep, evenly, besides step 0.

    Returns:
        steps, alpha_V, alpha_A, each (records + 1,). Steps far too large overflow and stay there.
    """
    at = zeros(records + 1)
    alpha_V = zeros(records + 1)
    alpha_A = zeros(records + 1)
    x = start_V
    y = start_A
    step = 0
    for i in range(records + 1):
        due = (i * steps + records - 1) // records
        while step < due:
            move_V, move_A = velocity(x, y, d)
            x += eta * move_V
            y += eta * move_A
            step += 1
        at[i] = float(step)
        alpha_V[i] = x
        alpha_A[i] = y
    return {"steps": at, "alpha_V": alpha_V, "alpha_A": alpha_A}


def basin(x: float, y: float, d: float) -> float:
    """Where the flow takes (alpha_V, alpha_A) = (x, y): 1 to the true valley, -1 to the mirrored one.

    By short steps until the product is positive and out of reach of zero, where the sign does not change any more.
    """
    step = 0
    while step < 600 and not (x * y > 0.0 and abs(x + y) > 1.0):
        move_V, move_A = velocity(x, y, d)
        x += 0.02 * move_V
        y += 0.02 * move_A
        step += 1
    return 1.0 if x + y > 0.0 else -1.0


def early_growth(step: float, eta: float, d: float) -> tuple[float, float]:
    """Growth from zero while both are small: (d sinh(eta t), d (cosh(eta t) - 1)).

    Up to eta t = 1/2 by the series of sinh, whose digits a difference of exponentials would lose.
    """
    half = _sinh(0.5 * eta * step)
    return d * _sinh(eta * step), d * 2.0 * half * half


def _sinh(x: float) -> float:
    if abs(x) > 0.5:
        return 0.5 * (exp(x) - exp(-x))
    square = x * x
    result = 1.0
    for i in range(9, 0, -1):
        result = 1.0 + square / float(2 * i * (2 * i + 1)) * result
    return x * result


def escape_time(level: float, eta: float, d: float) -> float:
    """Length of the quiet phase in steps, tau_1 = log(2 level / d) / eta; NaN if the level is below the drift."""
    growth = 2.0 * level / d
    return log(growth) / eta if growth > 1.0 else nan


def switch_step(factor: float, eta: float, d: float) -> int:
    """Where Stage 2 begins: so many times the steps until the signal is 0.2; that is 2 / eta at the least."""
    quiet = escape_time(0.2, eta, d)
    return floor(factor * (quiet if quiet > 2.0 / eta else 2.0 / eta) + 0.5)


def valley(x: float) -> float:
    """alpha_A = 1 / alpha_V: the valley where the product is already right. x is not 0."""
    return 1.0 / x


def valley_speed(x: float, d: float) -> float:
    """Speed of alpha_V along the valley, d (1 - x) x^4 / (1 + x^4), per unit of eta t; leading order in d."""
    x4 = x * x * x * x
    return d * (1.0 - x) * x4 / (1.0 + x4)
