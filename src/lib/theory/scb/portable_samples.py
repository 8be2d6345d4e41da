"""What the sign and the support cost in samples, in portable Python.

Chapter `scb`, beyond the paper (Ren, Wang, Lee 2024, arXiv 2410.23438): its Stage 1 asks for poly(T) samples, its
Theorem 4.1 for one step of a large batch.
"""

from lib.portable.chances import normal_cdf
from lib.portable.numbers import log
from lib.portable.primitives import Vector, divide, inf, sqrt, zeros
from lib.theory.scb.portable import escape_time
from lib.theory.scb.portable_constants import Constants

KAPPA = 0.92  # of the rule of thumb `batch_for_support`: what `half_batch` has on the default ring, T = 128 to 1024
_NINE_OF_TEN = 1.2815515655446004  # normal quantile of 0.9


def control_number(batch: float, eta: float, T: float) -> float:
    """G = B / (eta T): the number that decides almost everything plain SGD does here; infinite where nothing moves.

    Source: beyond the paper.
    """
    return divide(batch, eta * T)


def sign_z(G: float, s2: float) -> float:
    """Signal over noise of the sign, z = sqrt(2 G / s2), from the control number and the task's noise constant.

    Source: beyond the paper.
    """
    return sqrt(2.0 * G / s2)


def sign_probability(G: float, s2: float) -> float:
    """Chance that a run takes the true sign, Phi(z), where noise does not feed itself; see `noise_loop`.

    Source: beyond the paper.
    """
    return normal_cdf(sign_z(G, s2))


def noise_loop(G: float, T: float, N: float, K_P: float, K_Q: float, tr_S2: float) -> float:
    """r: how fast noise feeds itself near zero, in units of the rate 2 eta at which the squared signal grows.

    Noise of V beside the signal makes noise of A, and that of A noise of V: a step multiplies both energies by
    1 + 2 eta r, with r = N sqrt((N - 2) tr(S^2) / ((N - 1) T)) / (2 K_P K_Q G), for uniform tokens
    eta sqrt(T (N - 2)) / (2 K_P K_Q B). Two tokens have no direction beside the signal, and r = 0. The sign law holds
    to about r = 1/2; above, the true sign is rarer, and from r = 1 on noise outgrows the signal.

    Args:
        G: control number.
        T, N, K_P, K_Q, tr_S2: of the task, see `Constants`.

    Source: beyond the paper; derived in the chapter, section "What decides the sign".
    """
    return N * sqrt((N - 2.0) * tr_S2 / ((N - 1.0) * T)) / (2.0 * K_P * K_Q * G)


def sign_curve(points: int) -> tuple[Vector, Vector]:
    """G / s2 (points,), evenly on a log axis from 0.001 in steps of 21 %, and the share that the law gives each.

    Source: beyond the paper.
    """
    ratio, share = zeros(points), zeros(points)
    ratio[0] = 0.001
    for i in range(points):
        if i > 0:
            ratio[i] = ratio[i - 1] * 1.2115276586285884  # 61 points reach 100
        share[i] = sign_probability(ratio[i], 1.0)
    return ratio, share


def samples_for_sign(s2: float, T: float, K_Q: float, level: float, z: float) -> float:
    """Samples of Stage 1 for the right sign, z^2 s2 T log(2 level K_Q T) / 2; NaN where there is no quiet phase.

    Stage 1 ends at `level`; `z` is the normal quantile of the wanted probability of the true sign.

    Source: beyond the paper.
    """
    return 0.5 * z * z * s2 * T * escape_time(level, 1.0, 1.0 / (K_Q * T))


def stage1_samples(task: Constants) -> float:
    """Samples until the signal is 0.1, with the true sign in nine of ten runs; NaN where there is no quiet phase.

    As many as the sign law asks for, and more where noise would feed itself: r is kept at 1/2, see `noise_loop`.

    Source: beyond the paper.
    """
    safe = 2.0 * noise_loop(1.0, task.T, float(task.N), task.K_P, task.K_Q, task.tr_S2)  # the G at which r is 1/2
    quiet = escape_time(0.1, 1.0, 1.0 / (task.K_Q * task.T))
    return max(samples_for_sign(task.s2, task.T, task.K_Q, 0.1, _NINE_OF_TEN), safe * task.T * quiet)


def batch_for_support(rho: float, s2: float, T: float, mu_min: float, q_min: float, kappa: float) -> float:
    """Samples with which one attention step ranks the useful positions first in half of the tries; infinite at rho = 0.

    They are kappa s2 (sqrt(2 log T) + 1)^2 / (mu_min rho^2 q_min^2).

    Args:
        rho: correlation of old and new task; its sign does not matter if the sizes of scores are ranked.
        s2, T, mu_min, q_min: of the task, see `Constants`.
        kappa: the factor; from `half_batch`, which has no such factor.

    Source: beyond the paper.
    """
    crowd = sqrt(2.0 * log(T)) + 1.0
    needed = kappa * s2 * crowd * crowd / (mu_min * q_min * q_min)
    return needed / (rho * rho) if abs(rho) > 1e-9 else inf
