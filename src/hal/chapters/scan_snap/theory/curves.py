"""Curves that pages draw: the reference dynamics over time.

Chapter `scan_snap`. Each is made of the closed forms of `portable` and of the paths of `portable_reference`. Time is in
steps, logits are in nats. Source: Tian, Wang, Chen, Du (2023), arXiv 2305.16380, Theorems 1 to 4.
"""

from hal.chapters.scan_snap.theory.portable_reference import (
    Reference,
    inputs,
    own_entropy,
    reference_path,
    row_speed,
)
from lib.portable.numbers import exp, log
from lib.portable.primitives import Readings, Vector, floor, nan, zeros
from lib.portable.small import log1p
from lib.portable.vectors import argmax, column_of
from lib.theory.scan_snap.portable import (
    logit_gap,
    lower_bound,
    obeys_assumption_2,
    operational_time,
    reduced_B,
    scan_end,
    snap_start,
    upper_bound,
)

TOLERANCE = 1e-6  # of a step of the reference dynamics: logits are within 1e-4 nats wherever the sliders stand


def motion_curves(task: Reference, lr_Y: float, lr_Z: float, times: Vector, top: int, common: int) -> Readings:
    """The reference dynamics: how far two logits have gone, how fast attention moves, what entropy and loss are.

    Args:
        task: the kinds of token.
        lr_Y: rate of the decoder.
        lr_Z: rate of attention.
        times: (T,) increasing.
        top: kind of the most frequent distinct token.
        common: kind of the common tokens.

    Returns:
        top and common, logits, the second NaN where there is no such token; speed, nats a step; entropy on distinct
        tokens and loss, nats; each (T,). peak, when attention is fastest, NaN if it never moves, and about, the same to
        two digits.

    Source: the paper's Lemma 4 and Lemma 5.
    """
    path = reference_path(task, lr_Y, lr_Z, times, TOLERANCE)
    T, commons = len(times), column_of(path, common)
    loss, entropies, moves = zeros(T), zeros(T), zeros(T)
    for i in range(T):
        x = logit_gap(times[i], task.K, task.M, lr_Y)
        loss[i] = log1p((float(task.M) - 1.0) * exp(-x))
        entropies[i] = own_entropy(task, path[i])
        moves[i] = row_speed(task, path[i], x, lr_Z)
        if task.many[common] == 0.0:
            commons[i] = nan
    peak = peak_time(times, moves)
    return {
        "top": column_of(path, top), "common": commons, "speed": moves, "entropy": entropies, "loss": loss,
        "peak": [peak], "about": [two_digits(peak)],
    }  # fmt: skip


def growth_curves(task: Reference, lr_Y: float, lr_Z: float, times: Vector, top: int, common: int) -> Readings:
    """Growth of the leading distinct token and fall of the only common one, with what Theorems 3 and 4 say of them.

    Args:
        task: the kinds of token, the common ones a single token.
        lr_Y: rate of the decoder.
        lr_Z: rate of attention.
        times: (T,) increasing.
        top: kind of the most frequent distinct token.
        common: kind of the common token.

    Returns:
        growth, factor e^{2 z}; common, logit; lower and upper, Theorem 3's bounds; closed and closed_common, both by
        Theorem 4; one, where Theorem 3 puts leads; each (T,). Single numbers: scan and snap, end of the one and start
        of the other; end, low, high and theorem, the last growth, bounds and closed form; obeys, 1 if the classes obey
        Assumption 2 at the start.

    Source: the paper's Theorems 3 and 4.
    """
    path = reference_path(task, lr_Y, lr_Z, times, TOLERANCE)
    S, T, K, M = len(task.f), len(times), task.K, task.M
    z, B = column_of(path, top), column_of(path, S)
    inputs(task.law, task.many, zeros(S), task.f)
    leader, rho = task.f[top], task.f[common] * task.f[common]
    growth, lower, upper = zeros(T), zeros(T), zeros(T)
    closed, closed_common, one = zeros(T), zeros(T), zeros(T)
    for i in range(T):
        growth[i] = exp(2.0 * z[i])
        lower[i] = lower_bound(leader, B[i])
        upper[i] = upper_bound(B[i])
        Gamma = operational_time(logit_gap(times[i], K, M, lr_Y), K, M, lr_Y, lr_Z)
        # the reduced system has f_n.f_n' = e^{2z} / rho_0^2: at the start that is rho, so C0 = 1 / (K rho^2)
        reduced = reduced_B(Gamma, 1.0 / (float(K) * rho * rho))
        closed[i] = exp(2.0 * reduced / float(K))
        closed_common[i] = -reduced
        one[i] = 1.0
    last = T - 1
    return {
        "growth": growth, "common": column_of(path, common), "lower": lower, "upper": upper, "closed": closed,
        "closed_common": closed_common, "one": one, "scan": [scan_end(K, M, lr_Y)], "snap": [snap_start(K, M, lr_Y)],
        "end": [growth[last]], "low": [lower[last]], "high": [upper[last]], "theorem": [closed[last]],
        "obeys": [1.0 if obeys_assumption_2(K, rho, M) else 0.0],
    }  # fmt: skip


def peak_time(times: Vector, values: Vector) -> float:
    """Time of the largest of some values, by a parabola through three of them over ln t; NaN if none is above 0.

    Source: beyond the paper.
    """
    best, last = argmax(values), len(times) - 1
    if not values[best] > 0.0:
        return nan
    if best == 0 or best == last:
        return times[best]
    left, middle, right = values[best - 1], values[best], values[best + 1]
    bend = left - 2.0 * middle + right
    shift = 0.5 * (left - right) / bend if bend < 0.0 else 0.0
    return times[best] * exp(shift * log(times[best + 1] / times[best]))


def two_digits(time: float) -> float:
    """A time above 0 to two significant digits, as `peak_time` knows it at twelve records a decade, where it is
    within 5 %; NaN stays. Source: beyond the paper."""
    if not time > 0.0:
        return nan
    unit = 1.0
    while time >= 100.0 * unit:
        unit *= 10.0
    while time < 10.0 * unit:
        unit /= 10.0
    return unit * float(floor(time / unit + 0.5))
