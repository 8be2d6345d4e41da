"""The flow, the constants of a task and the sign law in portable Python: a page computes them anew at each move.

Chapter `scb`; `lib.theory.scb` lifts them over arrays. Source: Ren, Wang, Lee (2024), arXiv 2410.23438, population
process of Stages 1 and 2; constants, times and the sign law are beyond the paper. With layer steps eta_V = eta / K_Q
and eta_A = eta / K_P the strength K_P drops out of the motion, and only the drift number d = 1 / (K_Q T) remains.
Signals, rates and constants have no unit; times are in steps, T in tokens.
"""

from dataclasses import dataclass

from lib.errors import require
from lib.portable.chances import normal_cdf
from lib.portable.numbers import exp, log
from lib.portable.primitives import Matrix, Readings, Vector, divide, nan, sqrt, zero_matrix, zeros
from lib.portable.vectors import dot, smallest


def attention_signal(w: Vector, T: int) -> float:
    """K_Q = |w|^2 - 1/T, when every last token has the same weights w (Q,): the paper's |Q|^2 less the uniform part."""
    square = 0.0
    for i in range(len(w)):
        square += w[i] * w[i]
    return square - 1.0 / float(T)


def drift_number(K_Q: float, T: float) -> float:
    """d = 1 / (K_Q T): the push of the task towards the true sign."""
    return 1.0 / (K_Q * T)


def velocity(alpha_V: float, alpha_A: float, d: float) -> tuple[float, float]:
    """Motion of (alpha_V, alpha_A) = (x, y) per unit of eta t: y (1 - x y) + d (1 - x) and x (1 - x y)."""
    x, y = alpha_V, alpha_A
    return y * (1.0 - x * y) + d * (1.0 - x), x * (1.0 - x * y)


def population_run(d: float, eta: float, start_V: float, start_A: float, steps: int, records: int) -> Readings:
    """The exact recursion of full-population descent with drift number d and base step eta, from the signals at the
    start; the paper's are 0.

    Returns:
        steps, alpha_V, alpha_A, each (records + 1,), evenly spaced. Steps far too large overflow and stay there.
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


def early_growth(step: float, eta: float, d: float) -> tuple[float, float]:
    """Growth of (alpha_V, alpha_A) from zero, while small, in t steps: (d sinh(eta t), d (cosh(eta t) - 1)).

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
    """The paper's tau_1, with its constant: log(2 level / d) / eta until the signals reach the level; NaN below d."""
    growth = 2.0 * level / d
    return log(growth) / eta if growth > 1.0 else nan


def quiet_steps(level: float, eta: float, d: float) -> float:
    """Steps until alpha_V of `population_run` from zero is the level, between two steps; `escape_time` tells them
    to leading order in d and eta. NaN where that is NaN.
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


def valley(alpha_V: float) -> float:
    """The valley alpha_A = 1 / alpha_V, on which the product is already right (and its mirror branch); not at 0."""
    require(alpha_V != 0.0, "alpha_V", "a value that is not 0", alpha_V)
    return 1.0 / alpha_V


@dataclass
class Constants:
    """Constants of a task; R = P - mu 1', D = diag(mu), S = D - mu mu'."""

    N: int  # tokens in the vocabulary
    T: float  # context length in tokens
    mu: Vector  # (N,)
    mu_min: float  # probability of the rarest token
    q_norm2: float  # |q^(k)|^2, for every k
    q_min: float  # smallest weight
    K_P: float  # transition signal, |R|_mu^2
    K_Q: float  # attention signal, |Q|_mu^2 - 1/T
    c1: float  # tr(R D R' S)
    c2: float  # tr((R D R')^2)
    s2: float  # c1 / K_P^2, noise of the sign
    tr_S: float  # 1 - |mu|^2
    tr_S2: float  # tr(S^2)


def constants(mu: Vector, P: Matrix, w: Vector, T: int) -> Constants:
    """The constants of a task: mu (N,), P (N, N) with P[j] the law after token j, weights w (Q,), T tokens."""
    N = len(mu)
    moved = zero_matrix(N, N)  # R D R'
    for j in range(N):
        for i in range(N):
            for k in range(N):
                moved[i][k] += mu[j] * (P[j][i] - mu[i]) * (P[j][k] - mu[k])
    K_P = 0.0
    c1 = 0.0
    c2 = 0.0
    tr_S2 = 0.0
    for i in range(N):
        for k in range(N):
            S = (mu[i] if i == k else 0.0) - mu[i] * mu[k]
            c1 += moved[i][k] * S
            c2 += moved[i][k] * moved[i][k]
            tr_S2 += S * S
    for j in range(N):
        for i in range(N):
            K_P += mu[j] * (P[j][i] - mu[i]) * (P[j][i] - mu[i])
    q_norm2 = dot(w, w)
    K_Q = q_norm2 - 1.0 / float(T)
    return Constants(
        N=N, T=float(T), mu=mu, mu_min=smallest(mu), q_norm2=q_norm2, q_min=smallest(w), K_P=K_P, K_Q=K_Q, c1=c1,
        c2=c2, s2=c1 / K_P / K_P, tr_S=1.0 - dot(mu, mu), tr_S2=tr_S2,
    )  # fmt: skip


def control_number(batch: float, eta: float, T: float) -> float:
    """G = B / (eta T): the number that decides almost everything plain SGD does here; infinite where nothing moves."""
    return divide(batch, eta * T)


def sign_z(G: float, s2: float) -> float:
    """Signal over noise of the sign, z = sqrt(2 G / s2), from the control number and the task's noise constant."""
    return sqrt(2.0 * G / s2)


def sign_probability(G: float, s2: float) -> float:
    """The sign law: the chance Phi(z) of the true sign, where noise does not feed itself (`noise_loop`)."""
    return normal_cdf(sign_z(G, s2))


def noise_loop(G: float, T: float, N: float, K_P: float, K_Q: float, tr_S2: float) -> float:
    """r: how fast noise feeds itself near zero, in units of the rate 2 eta at which the squared signal grows.

    Noise of V beside the signal makes noise of A, and that of A noise of V: a step multiplies both energies by
    1 + 2 eta r, with r = N sqrt((N - 2) tr(S^2) / ((N - 1) T)) / (2 K_P K_Q G), for uniform tokens
    eta sqrt(T (N - 2)) / (2 K_P K_Q B). Two tokens have no direction beside the signal, and r = 0. The sign law holds
    to about r = 1/2; above, the true sign is rarer, and from r = 1 on noise outgrows the signal.

    Args:
        G: control number; T, N, K_P, K_Q, tr_S2 are of the task, see `Constants`.
    """
    return N * sqrt((N - 2.0) * tr_S2 / ((N - 1.0) * T)) / (2.0 * K_P * K_Q * G)
