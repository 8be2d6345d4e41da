"""The whole curve of plain SGD without drawing a sample, in portable Python, and where Stage 2 begins.

Chapter `scb`, beyond the paper (Ren, Wang, Lee 2024, arXiv 2410.23438). With equal weights in every row the N errors of
the attention differ by 1 / mu_k alone. `task` has the constants, eta is the base step, `batch` the samples a step.
"""

from lib.portable.primitives import Readings, Vector, floor, sqrt, zeros
from lib.theory.scb.portable import Constants, control_number, drift_number, escape_time, noise_loop, sign_z


def switch_step(factor: float, eta: float, d: float) -> int:
    """Where Stage 2 begins: so many times the steps until the signal is 0.2; that is 2 / eta at the least."""
    quiet = escape_time(0.2, eta, d)
    return floor(factor * (quiet if quiet > 2.0 / eta else 2.0 / eta) + 0.5)


def closure_holds(task: Constants, eta: float, batch: int) -> bool:
    """Whether SGD is in the closure's range: noise does not feed itself (r at most 1/2), few runs are mirrored (z at
    least 1.5, 93 % upright), and there is a quiet phase to speak of (d at most 0.1).

    There the medians of runs, measured upright, are within 6 % and 0.04 of it, to 10 / eta steps: found by trying
    settings over the ranges of the page's sliders.
    """
    G = control_number(float(batch), eta, task.T)
    loop = noise_loop(G, task.T, float(task.N), task.K_P, task.K_Q, task.tr_S2)
    return loop <= 0.5 and sign_z(G, task.s2) >= 1.5 and drift_number(task.K_Q, task.T) <= 0.1


def closure_run(task: Constants, eta: float, batch: int, steps: int, records: int) -> Readings:
    """Expected signals and distances under SGD with the right projector on, at the true sign, from zero.

    Returns:
        steps, alpha_V, alpha_A, distance_V = |V - P|_mu and distance_A = |A - Q|_mu, each (records + 1,), evenly. A run
        that diverges overflows and stays there.
    """
    at = zeros(records + 1)
    alpha_V = zeros(records + 1)
    alpha_A = zeros(records + 1)
    distance_V = zeros(records + 1)
    distance_A = zeros(records + 1)
    K_P, K_Q = task.K_P, task.K_Q
    x, y = 0.0, 0.0  # alpha_V, alpha_A
    u = 0.0  # E |Delta_U|^2
    e = zeros(task.N)  # E |Delta a^(k)|^2
    spread = 0.0
    step = 0
    for i in range(records + 1):
        due = (i * steps + records - 1) // records
        while step < due:
            x, y, u, spread = closure_move(task, eta, float(batch), x, y, u, spread, e)
            step += 1
        at[i] = float(step)
        alpha_V[i] = x
        alpha_A[i] = y
        distance_V[i] = sqrt((1.0 - x) * (1.0 - x) * K_P + u)
        distance_A[i] = sqrt((1.0 - y) * (1.0 - y) * K_Q + spread)
    return {"steps": at, "alpha_V": alpha_V, "alpha_A": alpha_A, "distance_V": distance_V, "distance_A": distance_A}


def closure_move(
    task: Constants, eta: float, B: float, x: float, y: float, u: float, spread: float, e: Vector
) -> tuple[float, float, float, float]:
    """One step: alpha_V, alpha_A, E |Delta_U|^2 and E |Delta_A|_mu^2 after it; the rows' own, e (N,), move in place.

    x, y, u, spread and e are the same before it.
    """
    N, mu, K_P, K_Q, T = task.N, task.mu, task.K_P, task.K_Q, task.T
    hV, hA = eta / K_Q, eta / K_P
    useful = task.q_norm2 - 1.0 / T
    others = float(N - 1)
    beside = others * (1.0 - 1.0 / (others * others))  # the signal direction is one of the (N - 1)^2
    m = 1.0 / T + y * useful
    v = u / task.tr_S
    x2 = x * x
    tr_MS = x2 * task.c1 + v * task.tr_S2
    tr_MM = x2 * x2 * task.c2 + 2.0 * x2 * v * task.c1 + v * v * task.tr_S2
    tr_MG = x2 * task.c2 + v * task.c1
    c = x2 * K_P + u
    kept = 1.0 - hA * c
    noise = 0.0
    after = 0.0
    for k in range(N):
        n = 1.0 / T + y * y * useful + e[k]
        tr_ME = tr_MS + n * tr_MM - 2.0 * m * x * tr_MG
        noise += mu[k] * (task.tr_S + n * c - 2.0 * m * x * K_P) * n
        e[k] = kept * kept * e[k] + hA * hA * T / B * tr_ME / mu[k]
        after += mu[k] * e[k]
    g = 1.0 / T + y * y * K_Q + spread
    move_V = K_Q * y * (1.0 - x * y) + (1.0 - x) / T - x * spread
    move_A = K_P * x * (1.0 - x * y) - u * y
    u = (1.0 - hV * g) * (1.0 - hV * g) * u + hV * hV * beside * noise / B
    return x + hV * move_V, y + hA * move_A, u, after
