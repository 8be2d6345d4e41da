r"""The population's two scalars in plain Python: their flow, the late laws, the limit of the learning rate.

Chapter `group_sparse`. Source: the reduction is ours, derived in the chapter: the margin is
$\alpha D\sigma(s|g| + \tau\xi)$ with independent standard normal g, $\xi$, and $\tau = (1-s)/\sqrt{D-1}$. In z = log
|g| and in $\xi$ the trapezoid rule is exact to some 1e-6: all that happens late happens at $|g|$ near 0, which z
resolves at every time. Of labels turned over with the chance q the loss is log(1 + e^(-m)) + q m in the mean.
`lib.theory.group_sparse` has the laws over arrays. Groups D are at least 2; fewer raise `InputError`.
"""

from dataclasses import dataclass

from lib.errors import require
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
    flips: float  # share of labels turned over; `law_of` has none
    others: float  # scale of the other groups; `law_of` has 1


def law_of(D: int, sigma: float) -> Law:
    """The rule of the means for D groups and a standard deviation sigma of a variable."""
    return ruled(D, sigma, LEAST, FINE, SIGNALS, SPREAD, NOISES)


def ruled(D: int, sigma: float, least: float, fine: float, signals: int, spread: float, noises: int) -> Law:
    """So many places of log |g| from `least` on, `fine` apart, and of the noise, `spread` apart."""
    g, weight, xi, share = zeros(signals), zeros(signals), zeros(noises), zeros(noises)
    for i in range(signals):
        g[i] = exp(least + fine * float(i))
        weight[i] = g[i] * exp(-0.5 * g[i] * g[i])
    for k in range(noises):
        xi[k] = spread * (float(k) - 0.5 * float(noises - 1))
        share[k] = exp(-0.5 * xi[k] * xi[k])
    _unit(weight)
    _unit(share)
    return Law(float(D), sigma, g, weight, xi, share, 0.0, 1.0)


def _unit(weights: Vector) -> None:
    """Make the weights sum to 1."""
    whole = total(weights)
    for i in range(len(weights)):
        weights[i] /= whole


def leak_of(D: float, b: float) -> float:
    """1 - s: the attention outside the group at a logit gap b. Source: beyond the paper; softmax with one gap."""
    rest = (D - 1.0) * exp(-b)
    return rest / (1.0 + rest)


def push(t: float, place: Vector, out: Vector, law: Law) -> None:
    """Put into `out` the speeds of `place`, (2,): alpha, the strength of the value, and b, the logit gap in nats.

    They are per unit of learning rate times steps, and do not depend on t. Source: beyond the paper; population
    gradient descent with W_11 = 0, in the limit of small steps.
    """
    alpha = place[0]
    leak = leak_of(law.D, place[1])
    s, tau = 1.0 - leak, law.others * leak / sqrt(law.D - 1.0)
    strength = alpha * law.D * law.sigma
    by_signal, by_noise = 0.0, 0.0
    for i in range(len(law.g)):
        sum_slope, sum_noise = 0.0, 0.0
        for k in range(len(law.xi)):
            m = strength * (s * law.g[i] + tau * law.xi[k])
            e = exp(-abs(m))
            slope = law.share[k] * ((e if m > 0.0 else 1.0) / (1.0 + e) - law.flips)
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
    tau = law.others * leak / sqrt(law.D - 1.0)
    strength = place[0] * law.D * law.sigma
    loss = 0.0
    for i in range(len(law.g)):
        for k in range(len(law.xi)):
            m = strength * ((1.0 - leak) * law.g[i] + tau * law.xi[k])
            one = (0.0 if m > 0.0 else -m) + log(1.0 + exp(-abs(m))) + law.flips * m
            loss += law.weight[i] * law.share[k] * one
    return loss


def path(law: Law, times: Vector, tolerance: float) -> tuple[Vector, Vector, Vector]:
    """The flow from zero at growing times (learning rate times steps): alpha, 1 - s, loss in nats, each as many.

    The `tolerance` is the error allowed a step of the integrator.
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


def beside_a_run(law: Law, lr: float, steps: Vector) -> tuple[Vector, Vector]:
    """The flow at a run's records: attention on the group, loss in nats, each as many."""
    n = len(steps)
    time, attention = zeros(n), zeros(n)
    for i in range(n):
        time[i] = lr * steps[i]
    _alpha, leak, loss = path(law, time, 1e-3)
    for i in range(n):
        attention[i] = 1.0 - leak[i]
    return attention, loss


def _cube_root(x: float) -> float:
    """The cube root of a number above 0."""
    return exp(log(x) / 3.0)


def late_loss(time: float, D: int) -> float:
    r"""The late law of the loss, $C^{2/3}(3\eta t)^{-1/3}D^{-2/3}$ in nats, at deviation 1; `time` is $\eta t$.

    Source: beyond the paper, whose Theorem 3.1 has a time and a loss up to constants.
    """
    require(D >= 2, "D", "at least 2 groups", D)
    return _cube_root(MARGIN_CONSTANT * MARGIN_CONSTANT / (3.0 * time * float(D) * float(D)))


def leak_constant(D: int) -> float:
    r"""A in $1 - s = A(\eta t)^{-2/3}$, the attention that is not on the deciding group, at standard deviation 1.

    From $\dot b = \rho^2\frac{D}{D-1}\alpha\,E[((1-s)|g| - \tau\xi)/(1 + e^m)]$, with $1 - s = (D-1)e^{-b}$ and
    $m = D\alpha(|g| + \tau\xi)$: the first term is $(1-s)C/(D\alpha)^2$, the second, by Stein's identity,
    $D\alpha\tau^2/(\sqrt{2\pi}\,D\alpha)$. A solves
    $\frac23 = \frac{D\rho^2}{D-1}\big[\frac{CA}{cD^2} + \frac{cA^2}{\sqrt{2\pi}(D-1)}\big]$, $c = (3C/D)^{1/3}$.

    Example:
        >>> [round(leak_constant(D), 3) for D in (4, 6, 8)]
        [0.66, 0.699, 0.698]
    """
    require(D >= 2, "D", "at least 2 groups", D)
    n = float(D)
    c = _cube_root(3.0 * MARGIN_CONSTANT / n)
    front = 0.25 * n * (n + 1.0) * (n + 1.0) / (n - 1.0)
    square = front * c / (sqrt(2.0 * PI) * (n - 1.0))
    linear = front * MARGIN_CONSTANT / (c * n * n)
    return (sqrt(linear * linear + 8.0 * square / 3.0) - linear) / (2.0 * square)


def late_leak(time: float, D: int) -> float:
    r"""The late law of the attention outside the group, $A(\eta t)^{-2/3}$, at deviation 1; `time` is $\eta t$.

    Source: beyond the paper, whose Theorem 3.1 has an exponential of D; see `leak_constant`.
    """
    return leak_constant(D) * exp(-2.0 * log(time) / 3.0)


def largest_rate(D: int) -> float:
    r"""Learning rate up to which the positions' part of the value is stable under even attention, 16/(D (D + 1)).

    With even attention $HS1 = [\sum_j x_j; \sum_j p_j]$: along $\sum_j p_j$, of squared length $D\rho$, the logistic
    loss has curvature $D\rho/4$, and steps grow from $\eta = 8/(D\rho)$ on.

    Example:
        >>> [round(largest_rate(D), 2) for D in (4, 6)]
        [0.8, 0.38]
    """
    require(D >= 1, "D", "at least 1 group", D)
    return 16.0 / (float(D) * (float(D) + 1.0))
