r"""Errors on a new task against its examples, by a law of few numbers: of a layer whose attention stands, and of none.

Chapter `group_sparse`. Source: beyond arXiv 2504.08638, whose Section 4 has the order of the examples. Online SGD sees
each example once, so that means close. A learner reads $s(\gamma + |g|)$ along the new direction, noise of variance
$\tau^2$ in every direction, and a constant of squared length r. Of its weights count the component a along the
direction, the squared length B across it in q directions, and the squared bias $\beta$. With $w = s^2 + \tau^2$ and
standard normal g, $\xi$ the margin is $m = as(\gamma + |g|) + \sqrt{Bw + \beta + a^2\tau^2}\,\xi$. With $p = 1/(1 +
e^m)$ one example adds $\eta(s\,E[p(\gamma + |g|)] - a\tau^2E[p(1 - p)])$ to a, $-2\eta wB\,E[p(1 - p)] +
\eta^2qw\,E[p^2]$ to B, and $-2\eta r\beta\,E[p(1 - p)] + \eta^2r^2E[p^2]$ to $\beta$. Logistic regression on all
variables has $s = w = 1$, $\tau = r = 0$ and $q = dD - 1$. What is out of range raises `InputError`.
"""

from typing import NamedTuple

from lib.errors import require
from lib.portable.chances import normal_cdf
from lib.portable.numbers import exp, log
from lib.portable.primitives import Vector, floor, nan, sqrt, zeros
from lib.portable.quadrature import gauss_places, gauss_weights
from lib.portable.vectors import scale, total

SIGNALS = 14  # places of |g|
FAR = 4.5  # end of their range
NOISES = 13  # places of the noise
APART = 0.7  # between two of them


class Learner(NamedTuple):
    """What online SGD reads of an example."""

    s: float  # weight on the group that decides
    noise: float  # tau^2, variance of the other groups' part in each direction
    across: float  # directions across the new one
    still: float  # squared length of the constant part
    rate: float  # learning rate


def layer_of(D: int, d: int, attention: float, rate: float) -> Learner:
    """The layer with standing attention on the group; the rate is that of the value, times D^2.

    Source: beyond the paper. What the value reads is divided by D; of the positions it is a vector of squared length
    (D + 1)/2 times (s^2 + tau^2).
    """
    require(D >= 2, "D", "at least 2 groups", D)
    require(d >= 1, "d", "at least 1 variable", d)
    require(attention > 0.0 and attention <= 1.0, "attention", "a share above 0", attention)
    noise = (1.0 - attention) * (1.0 - attention) / float(D - 1)
    return Learner(attention, noise, float(d - 1), 0.5 * float(D + 1) * (attention * attention + noise), rate)


def regression_of(variables: int, rate: float) -> Learner:
    """Logistic regression on so many variables, of which one group decides."""
    require(variables >= 1, "variables", "at least 1", variables)
    return Learner(1.0, 0.0, float(variables - 1), 0.0, rate)


class Rule(NamedTuple):
    """Places and weights of the two normal variables of an example."""

    signal: Vector  # |g|, from 0 to FAR
    weight: Vector
    xi: Vector  # the noise
    share: Vector


def normal_rule() -> Rule:
    """The rule of every mean here. Source: Gauss and Legendre for |g|, equal steps for the noise."""
    signal = gauss_places(SIGNALS)
    weight, xi, share = gauss_weights(signal), zeros(NOISES), zeros(NOISES)
    for k in range(SIGNALS):
        signal[k] *= FAR
        weight[k] *= exp(-0.5 * signal[k] * signal[k])
    for j in range(NOISES):
        xi[j] = APART * (float(j) - 0.5 * float(NOISES - 1))
        share[j] = exp(-0.5 * xi[j] * xi[j])
    scale(weight, 1.0 / total(weight))
    scale(share, 1.0 / total(share))
    return Rule(signal, weight, xi, share)


def spread_of(learner: Learner, y: Vector) -> float:
    """Standard deviation of the margin's noise at y = (a, B, beta), see the head."""
    w = learner.s * learner.s + learner.noise
    return sqrt(y[1] * w + y[2] + y[0] * y[0] * learner.noise)


def one_example(learner: Learner, gamma: float, rule: Rule, y: Vector, out: Vector) -> None:
    """What one example adds to y = (a, B, beta), in the mean, into `out`. Source: beyond the paper, see the head."""
    a, B, bias, s, eta = y[0], y[1], y[2], learner.s, learner.rate
    w = s * s + learner.noise
    spread = spread_of(learner, y)
    push, slope, square = 0.0, 0.0, 0.0
    for k in range(SIGNALS):
        for j in range(NOISES):
            p = 1.0 / (1.0 + exp(a * s * (gamma + rule.signal[k]) + spread * rule.xi[j]))
            both = rule.weight[k] * rule.share[j] * p
            push += both * (gamma + rule.signal[k])
            slope += both * (1.0 - p)
            square += both * p
    out[0] = eta * (s * push - a * learner.noise * slope)
    out[1] = eta * w * (eta * learner.across * square - 2.0 * B * slope)
    out[2] = eta * learner.still * (eta * learner.still * square - 2.0 * bias * slope)


def wrong_share(learner: Learner, gamma: float, rule: Rule, y: Vector) -> float:
    """The share of fresh examples that are wrong at y = (a, B, beta)."""
    spread, wrong = spread_of(learner, y), 0.0
    for k in range(SIGNALS):
        along = y[0] * learner.s * (gamma + rule.signal[k])
        wrong += rule.weight[k] * (normal_cdf(-along / spread) if spread > 0.0 else 0.0)
    return wrong


def examples_until(learner: Learner, gamma: float, level: float, most: int) -> float:
    """After how many examples the share of wrong ones falls to a level; NaN if not before `most` of them.

    Straight between logarithms of the error. The steps grow by a sixth of the examples so far, with the additions of
    their middle, as far as no part of the weights shrinks by more than half in one: near 1 % of single steps.
    """
    require(level > 0.0 and level < 0.5, "level", "a share above 0 and below 1/2", level)
    require(most >= 4, "most", "at least 4 examples", most)
    rule, y, middle, added = normal_rule(), zeros(3), zeros(3), zeros(3)
    fastest = learner.rate * max(learner.s * learner.s + learner.noise, learner.still)
    widest = max(1, floor(min(1.0 / fastest, float(most))))
    seen, wide, before = 0, 1, 0.5
    while seen + wide < most:
        one_example(learner, gamma, rule, y, added)
        if wide > 1:
            # the sum over the examples from here on is the integral from half an example earlier
            for k in range(3):
                middle[k] = y[k] + 0.5 * float(wide - 1) * added[k]
            one_example(learner, gamma, rule, middle, added)
        for k in range(3):
            y[k] += float(wide) * added[k]
        wrong = wrong_share(learner, gamma, rule, y)
        if before > level and wrong <= level:
            return float(seen) + log(before / level) / log(before / wrong) * float(wide)
        before = wrong
        seen += wide
        wide = max(1, min(widest, seen // 6))
    return nan
