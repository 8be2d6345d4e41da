"""Learning without noise: the two signal coordinates, their exact recursion, early growth, and the valley.

Chapter `scb` and the landing page. Paper: Ren, Wang, Lee (2024), arXiv 2410.23438,
population process of Stage 1 and 2. Layer steps are eta_V = eta / K_Q and eta_A = eta / K_P; one unit of time is one
step. With them K_P drops out of the motion and only the drift number d = 1 / (K_Q T) remains.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.errors import require
from lib.portable import lift
from lib.theory._arrays import Array, Schedule, floats, positive, recorded_steps, value_at
from lib.theory.scb import portable
from lib.theory.scb.expectations import excess_loss


class PopulationPath(NamedTuple):
    """A noiseless run, recorded at K steps; leading axes are runs."""

    steps: NDArray[np.int64]  #: (K,)
    alpha_V: Array  #: (..., K)
    alpha_A: Array  #: (..., K)
    excess_loss: Array  #: (..., K)


drift_number = lift(portable.drift_number, positive=("K_Q", "T"))
velocity = lift(portable.velocity)
early_growth = lift(portable.early_growth)
valley = lift(portable.valley)


def population_run(
    K_P: ArrayLike,
    K_Q: ArrayLike,
    T: ArrayLike,
    eta: Schedule,
    steps: int,
    start: tuple[ArrayLike, ArrayLike] = (0.0, 0.0),
    record_at: ArrayLike | None = None,
) -> PopulationPath:
    """Run the exact discrete recursion of full-population descent from a point on the signal lines.

    Args:
        K_P: transition signal (...); only scales the loss.
        K_Q: attention signal (...).
        T: context length in tokens (...).
        eta: base step: a number, an array (...), or a function of the step.
        steps: number of steps.
        start: (alpha_V, alpha_A) at step 0, each (...).
        record_at: steps to record, (K,); all by default.

    Returns:
        `PopulationPath`. Steps far too large overflow to inf or NaN and stay there.

    Raises:
        InputError: if a constant is not positive, `eta` is negative, or `record_at` leaves 0..steps.

    Source: the paper's population process; equals the matrix recursion (V, A) step by step.
    """
    K_P, K_Q, T = positive(K_P, "K_P"), positive(K_Q, "K_Q"), positive(T, "T")
    wanted, d = recorded_steps(steps, record_at), drift_number(K_Q, T)
    first = value_at(eta, 0, "eta")
    x, y, *_ = (a.copy() for a in np.broadcast_arrays(floats(start[0]), floats(start[1]), d, K_P, first))
    kept: list[tuple[Array, Array]] = []
    with np.errstate(over="ignore", invalid="ignore"):
        for step in range(int(wanted[-1]) + 1):
            if step == wanted[len(kept)]:
                kept.append((x, y))
            h = value_at(eta, step, "eta")
            move_V, move_A = velocity(x, y, d)
            x, y = x + h * move_V, y + h * move_A
        alpha_V, alpha_A = (np.stack(part, axis=-1) for part in zip(*kept, strict=True))
        excess = excess_loss(alpha_V, alpha_A, K_P[..., None], K_Q[..., None], T[..., None])
    return PopulationPath(wanted, alpha_V, alpha_A, excess)


def escape_time(level: ArrayLike, eta: ArrayLike, K_Q: ArrayLike, T: ArrayLike) -> Array:
    """Length of the quiet phase in steps (...), tau_1 = log(2 level K_Q T) / eta: logarithmic in the context length.

    Args:
        level: value of the signal coordinates that ends Stage 1 (...).
        eta: base step (...).
        K_Q: attention signal (...).
        T: context length in tokens (...).

    Raises:
        InputError: if 2 level K_Q T <= 1 (the level is below the drift) or a value is not positive.

    Source: the paper's tau_1 (Stage 1), with its constant beyond the paper.
    """
    steps: Array = lift(portable.escape_time, positive=("level", "eta"))(level, eta, drift_number(K_Q, T))
    require(not np.any(np.isnan(steps)), "level", "a level above 1 / (2 K_Q T)", level)
    return steps


def jacobian(alpha_V: ArrayLike, alpha_A: ArrayLike, d: ArrayLike) -> Array:
    """Jacobian (..., 2, 2) of `velocity` at a point, per unit of eta t; rows are (alpha_V, alpha_A).

    Source: the paper's population process.
    """
    x, y, d = np.broadcast_arrays(floats(alpha_V), floats(alpha_A), floats(d))
    mixed = 1.0 - 2.0 * x * y
    return np.stack([np.stack([-(y**2) - d, mixed], -1), np.stack([mixed, -(x**2)], -1)], -2)


def solution_rates(d: ArrayLike) -> tuple[Array, Array]:
    """Exact decay rates at the solution (1, 1), per unit of eta t, for the drift number d (...).

    Returns:
        (fast, slow), each (...): about 2 + d/2 (the product) and d/2 (along the valley).

    Source: beyond the paper; the slow one is why Stage 3 exists.
    """
    half = 0.5 * floats(d)
    root = np.sqrt(1.0 + half**2)
    # 1 + half - root, written so that small d keeps its digits
    return 1.0 + half + root, half * (1.0 - half / (1.0 + root))
