"""What the sign and the support cost in samples, in portable Python.

Chapter `scb`, beyond the paper (Ren, Wang, Lee 2024, arXiv 2410.23438): its Stage 1 asks for poly(T) samples, its
Theorem 4.1 for one step of a large batch. The same formulas as `lib.theory.scb.sign` and `lib.theory.scb.transfer`.
"""

from __future__ import annotations

from lib.portable.chances import normal_cdf
from lib.portable.numbers import log
from lib.portable.primitives import divide, inf, sqrt
from lib.theory.scb.portable import escape_time
from lib.theory.scb.portable_constants import Constants

KAPPA = 0.92  # of the rule of thumb `one_step_batch`: what `half_batch` has on the default ring, T = 128 to 1024
_NINE_OF_TEN = 1.2815515655446004  # normal quantile of 0.9


def control_number(batch: int, eta: float, T: int) -> float:
    """G = B / (eta T); infinite where nothing moves."""
    return divide(float(batch), eta * float(T))


def sign_probability(G: float, s2: float) -> float:
    """Chance that a run takes the true sign, Phi(sqrt(2 G / s2)); measured rates are at or slightly below it."""
    return normal_cdf(sqrt(2.0 * G / s2))


def stage1_samples(task: Constants) -> float:
    """Samples until the signal is 0.1, with the true sign in nine of ten runs; NaN where there is no quiet phase."""
    growth = escape_time(0.1, 1.0, 1.0 / (task.K_Q * task.T))
    return 0.5 * _NINE_OF_TEN * _NINE_OF_TEN * task.s2 * task.T * growth


def one_step_batch(task: Constants, rho: float) -> float:
    """Batch at which one attention step finds the support in half of the tries; infinite at rho = 0.

    Args:
        task: constants of the task.
        rho: correlation of the old transition with the new; its sign does not matter where sizes are ranked.
    """
    crowd = sqrt(2.0 * log(task.T)) + 1.0
    needed = KAPPA * task.s2 * crowd * crowd / (task.mu_min * task.q_min * task.q_min)
    return needed / (rho * rho) if abs(rho) > 1e-9 else inf


def break_even_correlation(task: Constants) -> float:
    """Correlation from which the one step costs fewer samples than Stage 1 from scratch; above 1 it never does."""
    return sqrt(one_step_batch(task, 1.0) / stage1_samples(task))
