"""The theory that pages draw, in portable Python: population flow, early growth, velocity, quiet phase.

Chapter `scb`. The page redraws it while a slider moves; `lib.theory.scb` has it over arrays. Source: Ren, Wang, Lee
(2024), arXiv 2410.23438, population process of Stages 1 and 2. With layer steps eta_V = eta / K_Q and eta_A = eta / K_P
K_P drops out of the motion, and only the drift number d = 1 / (K_Q T) remains.
"""

from lib.errors import require
from lib.portable.numbers import exp, log
from lib.portable.primitives import Readings, Vector, floor, nan, zeros


def attention_signal(w: Vector, T: int) -> float:
    """K_Q = |w|^2 - 1/T, when every last token has the same weights w (Q,).

    Source: the paper's notation section, |Q|^2 less the uniform part.
    """
    square = 0.0
    for i in range(len(w)):
        square += w[i] * w[i]
    return square - 1.0 / float(T)


def drift_number(K_Q: float, T: float) -> float:
    """d = 1 / (K_Q T): the push of the task with attention signal `K_Q` and `T` tokens towards the true sign.

    Source: beyond the paper (the paper's 1/T term in the Stage 1 dynamics).
    """
    return 1.0 / (K_Q * T)


def velocity(alpha_V: float, alpha_A: float, d: float) -> tuple[float, float]:
    """Motion of (alpha_V, alpha_A) = (x, y) per unit of eta t: y (1 - x y) + d (1 - x) and x (1 - x y).

    Source: the paper's population process, in closed form.
    """
    x, y = alpha_V, alpha_A
    return y * (1.0 - x * y) + d * (1.0 - x), x * (1.0 - x * y)


def population_run(d: float, eta: float, start_V: float, start_A: float, steps: int, records: int) -> Readings:
    """The exact recursion of full-population descent with drift number d and base step eta.

    Args:
        d, eta: see above.
        start_V, start_A: the signals at the start; the paper starts at (0, 0).
        steps: number of steps.
        records: how many of them to keep, evenly, besides step 0.

    Returns:
        steps, alpha_V, alpha_A, each (records + 1,). Steps far too large overflow and stay there.

    Source: the paper's population process, step by step.
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

    Source: beyond the paper.
    """
    step = 0
    while step < 600 and not (x * y > 0.0 and abs(x + y) > 1.0):
        move_V, move_A = velocity(x, y, d)
        x += 0.02 * move_V
        y += 0.02 * move_A
        step += 1
    return 1.0 if x + y > 0.0 else -1.0


def early_growth(step: float, eta: float, d: float) -> tuple[float, float]:
    """Growth of (alpha_V, alpha_A) from zero, while small, in t steps: (d sinh(eta t), d (cosh(eta t) - 1)).

    Up to eta t = 1/2 by the series of sinh, whose digits a difference of exponentials would lose.

    Source: the paper's Stage 1 (linearised); closed form beyond the paper.
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
    """Steps tau_1 = log(2 level / d) / eta until the signals reach the level, the quiet phase; NaN for a level below d.

    Source: the paper's tau_1 (Stage 1), with its constant beyond the paper.
    """
    growth = 2.0 * level / d
    return log(growth) / eta if growth > 1.0 else nan


def quiet_steps(level: float, eta: float, d: float) -> float:
    """Steps until alpha_V of `population_run` from zero is the level, between two steps; `escape_time` tells them
    to leading order in d and eta. NaN where that is NaN.

    Source: the paper's population process, step by step.
    """
    if not escape_time(level, eta, d) >= 0.0:
        return nan
    x, y, before, step = 0.0, 0.0, 0.0, 0
    while x < level:
        before = x
        move_V, move_A = velocity(x, y, d)
        x += eta * move_V
        y += eta * move_A
        step += 1
    return float(step) - (x - level) / (x - before)


def switch_step(factor: float, eta: float, d: float) -> int:
    """Where Stage 2 begins: so many times the steps until the signal is 0.2; that is 2 / eta at the least.

    Source: the paper's Stage 1, whose end it overshoots by a factor.
    """
    quiet = escape_time(0.2, eta, d)
    return floor(factor * (quiet if quiet > 2.0 / eta else 2.0 / eta) + 0.5)


def valley(alpha_V: float) -> float:
    """The valley alpha_A = 1 / alpha_V, on which the product is already right (and its mirror branch).

    Raises:
        InputError: if alpha_V is zero.

    Source: the paper's Stage 2 discussion of scale.
    """
    require(alpha_V != 0.0, "alpha_V", "a value that is not 0", alpha_V)
    return 1.0 / alpha_V
