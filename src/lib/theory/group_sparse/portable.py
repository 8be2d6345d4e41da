r"""The population's two scalars in plain Python: their flow and the late laws, as a page draws them.

Chapter `group_sparse`. Source: the reduction is ours, see `lib.models.group_sparse.pair`: the margin is
$\alpha D\sigma(s|g| + \tau\xi)$ with independent standard normal g, $\xi$, and $\tau = (1-s)/\sqrt{D-1}$. In
z = log |g| and in $\xi$ the trapezoid rule is exact to some 1e-6: all that happens late happens at $|g|$ near 0, which
z resolves at every time.
"""

from __future__ import annotations

from dataclasses import dataclass

from lib.portable.explicit import flow_from, flow_to
from lib.portable.numbers import exp, log
from lib.portable.primitives import Vector, sqrt, zeros
from lib.portable.vectors import total

SIGNALS = 45  # places of |g|
NOISES = 9  # of the noise
LEAST = -14.8  # log of the smallest |g|
FINE = 0.385  # between two of the logarithms
SPREAD = 1.0  # between two places of the noise
PI = 3.141592653589793
MARGIN_CONSTANT = sqrt(2.0 / PI) * PI * PI / 12.0  # C: loss times D alpha when all attention is on the group


@dataclass
class Law:
    """A size, and the rule of its means."""

    D: float
    sigma: float
    g: Vector  # (45,) places of |g|
    weight: Vector  # (45,) their weights, which sum to 1
    xi: Vector  # (9,) places of the noise
    share: Vector  # (9,) theirs


def law_of(D: int, sigma: float) -> Law:
    """D groups, variables of standard deviation sigma."""
    g, weight, xi, share = zeros(SIGNALS), zeros(SIGNALS), zeros(NOISES), zeros(NOISES)
    for i in range(SIGNALS):
        g[i] = exp(LEAST + FINE * float(i))
        weight[i] = g[i] * exp(-0.5 * g[i] * g[i])
    for k in range(NOISES):
        xi[k] = SPREAD * (float(k) - 0.5 * float(NOISES - 1))
        share[k] = exp(-0.5 * xi[k] * xi[k])
    unit(weight)
    unit(share)
    return Law(float(D), sigma, g, weight, xi, share)


def unit(weights: Vector) -> None:
    """Make the weights sum to 1."""
    whole = total(weights)
    for i in range(len(weights)):
        weights[i] /= whole


def leak_of(D: float, b: float) -> float:
    """1 - s: the attention outside the group at a logit gap b."""
    rest = (D - 1.0) * exp(-b)
    return rest / (1.0 + rest)


def push(t: float, place: Vector, out: Vector, law: Law) -> None:
    """Speeds of (alpha, b) at a place, per unit of learning rate times steps."""
    alpha = place[0]
    leak = leak_of(law.D, place[1])
    s, tau = 1.0 - leak, leak / sqrt(law.D - 1.0)
    strength = alpha * law.D * law.sigma
    by_signal, by_noise = 0.0, 0.0
    for i in range(len(law.g)):
        sum_slope, sum_noise = 0.0, 0.0
        for k in range(len(law.xi)):
            m = strength * (s * law.g[i] + tau * law.xi[k])
            e = exp(-abs(m))
            slope = law.share[k] * (e if m > 0.0 else 1.0) / (1.0 + e)
            sum_slope += slope
            sum_noise += slope * law.xi[k]
        by_signal += law.weight[i] * law.g[i] * sum_slope
        by_noise += law.weight[i] * sum_noise
    out[0] = law.D * law.sigma * (s * by_signal + tau * by_noise)
    rho = 0.5 * (law.D + 1.0)
    front = rho * rho * law.D / (law.D - 1.0)
    out[1] = front * alpha * s * law.sigma * (leak * by_signal - tau * by_noise)


def loss_at(place: Vector, law: Law) -> float:
    """The loss at (alpha, b) in nats."""
    leak = leak_of(law.D, place[1])
    tau = leak / sqrt(law.D - 1.0)
    strength = place[0] * law.D * law.sigma
    loss = 0.0
    for i in range(len(law.g)):
        for k in range(len(law.xi)):
            m = strength * ((1.0 - leak) * law.g[i] + tau * law.xi[k])
            loss += law.weight[i] * law.share[k] * ((0.0 if m > 0.0 else -m) + log(1.0 + exp(-abs(m))))
    return loss


def path(law: Law, times: Vector, tolerance: float) -> tuple[Vector, Vector, Vector]:
    """The flow from zero at growing times (learning rate times steps): alpha, 1 - s, loss in nats, each as many.

    Args:
        law: from `law_of`.
        times: growing, the first may be 0.
        tolerance: error allowed a step of the integrator.
    """
    n = len(times)
    alpha, leak, loss = zeros(n), zeros(n), zeros(n)
    flow = flow_from(0.0, zeros(2))
    for i in range(n):
        flow_to(times[i], flow, push, law, tolerance)
        alpha[i] = flow.y[0]
        leak[i] = leak_of(law.D, flow.y[1])
        loss[i] = loss_at(flow.y, law)
    return alpha, leak, loss


def steps_at(i: int, steps: int, records: int) -> int:
    """The step of record number i of a textbook run: the first that is not before the share i / records of all."""
    return (i * steps + records - 1) // records


def beside_a_run(law: Law, lr: float, steps: int, records: int) -> tuple[Vector, Vector, Vector]:
    """The flow at the steps of a textbook run's records: the steps, attention on the group, loss, each records + 1."""
    n = records + 1
    t, time, attention = zeros(n), zeros(n), zeros(n)
    for i in range(n):
        t[i] = float(steps_at(i, steps, records))
        time[i] = lr * t[i]
    _alpha, leak, loss = path(law, time, 1e-3)
    for i in range(n):
        attention[i] = 1.0 - leak[i]
    return t, attention, loss


def numbered(count: int) -> Vector:
    """1, 2 and so on to `count`, as groups are counted."""
    numbers = zeros(count)
    for i in range(count):
        numbers[i] = float(i + 1)
    return numbers


def cube_root(x: float) -> float:
    """The cube root of a number above 0."""
    return exp(log(x) / 3.0)


def late_loss(time: float, D: float) -> float:
    """The late law of the loss at standard deviation 1, see `lib.theory.group_sparse.late_loss`."""
    return cube_root(MARGIN_CONSTANT * MARGIN_CONSTANT / (3.0 * time * D * D))


def late_leak(time: float, D: float) -> float:
    """The late law of the attention outside the group at standard deviation 1, see `late_leak` of the library."""
    c = cube_root(3.0 * MARGIN_CONSTANT / D)
    front = 0.25 * D * (D + 1.0) * (D + 1.0) / (D - 1.0)
    square = front * c / (sqrt(2.0 * PI) * (D - 1.0))
    linear = front * MARGIN_CONSTANT / (c * D * D)
    A = (sqrt(linear * linear + 8.0 * square / 3.0) - linear) / (2.0 * square)
    return A * exp(-2.0 * log(time) / 3.0)


def time_to_loss(level: float, D: float) -> float:
    """Learning rate times steps until the late law has this loss, see `lib.theory.group_sparse.time_to_loss`."""
    return MARGIN_CONSTANT * MARGIN_CONSTANT / (3.0 * D * D * level * level * level)


def largest_rate(D: float) -> float:
    """Learning rate up to which the value's positions are stable, see `lib.theory.group_sparse.largest_rate`."""
    return 16.0 / (D * (D + 1.0))
