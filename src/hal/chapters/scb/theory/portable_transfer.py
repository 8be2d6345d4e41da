"""How large the batch of one attention step must be for the support to be found, in portable Python.

Chapter `scb`, beyond the paper (Ren, Wang, Lee 2024, arXiv 2410.23438), whose Theorem 4.1 asks for a large batch.
`half_batch` of `transfer` has it for one start; here the part of the old transition
that is beside the new one is a random one, and attention that is not useful has its mean, which counts in short
contexts.
"""

from lib.portable.chances import normal_cdf
from lib.portable.numbers import exp, log
from lib.portable.primitives import Vector, inf, sqrt, zeros
from lib.theory.scb.portable import Constants

_LEVELS = 40  # of the integral over the largest score that is not useful,
_APART = 0.15  # so many standard deviations apart
_MOST = 1e9  # samples; more count as infinitely many


def score_noise(task: Constants, rho: float) -> float:
    """Variance (no unit) of one score of one sample, times the frequency of its last token: tr(M S).

    M = U D U' of a start U as strong as R and of correlation rho with it, the rest in a random direction; at least
    three tokens.
    """
    others = float(task.N - 1)
    rest = (others * task.K_P * task.tr_S - task.c1) / (others * others - 1.0)
    return rho * rho * task.c1 + (1.0 - rho * rho) * rest


def support_chance(task: Constants, w: Vector, rho: float, batch: float) -> float:
    """Chance that one step of a batch ranks the positions of weights w (Q,) first, by size, in every row.

    Exact to 0.01; chances below one half may come out as another one below.
    """
    noise, chance, row = score_noise(task, rho), 1.0, 1.0
    many = task.T - float(len(w))
    useful = zeros(len(w))
    for k in range(task.N):
        if k > 0 and task.mu[k] == task.mu[k - 1]:
            chance *= row
            continue
        if chance < 0.5:
            break
        scale = abs(rho) * task.K_P * sqrt(batch * task.mu[k] / noise)
        empty = scale / task.T
        for q in range(len(w)):
            useful[q] = scale * (w[q] - 1.0 / task.T)
        before, below = 1.0, 0.0
        row = 0.0
        for i in range(_LEVELS + 1):
            level = empty + _APART * float(i) if i > 0 else 0.0
            one = normal_cdf(level - empty) + normal_cdf(level + empty) - 1.0
            largest = exp(many * log(one)) if one > 0.0 else 0.0
            every = 1.0
            for q in range(len(w)):
                every *= normal_cdf(useful[q] - level) + normal_cdf(-useful[q] - level)
            row += 0.5 * (every + before) * (largest - below)
            before, below = every, largest
        chance *= row
    return chance


def support_batch(task: Constants, w: Vector, rho: float) -> float:
    """Samples with which one attention step finds the support in half of the tries; infinite where no batch does.

    No batch does where the least of the weights w (Q,) is no more than 2 / T: what is not useful then scores as high,
    with the other sign, and sizes are ranked.
    """
    if abs(rho) < 1e-9 or float(len(w)) >= task.T or support_chance(task, w, rho, _MOST) < 0.5:
        return inf
    low, high = 0.0, log(_MOST)
    for _ in range(11):
        middle = 0.5 * (low + high)
        if support_chance(task, w, rho, exp(middle)) < 0.5:
            low = middle
        else:
            high = middle
    return exp(0.5 * (low + high))
