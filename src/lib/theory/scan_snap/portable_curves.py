"""Curves that pages draw: the decoder's clock, the threshold of fates, and the reference dynamics over time.

Chapter `scan_snap`. Each is made of the closed forms of `portable` and of the paths of `portable_reference`. Time is in
steps, logits are in nats. Source: Tian, Wang, Chen, Du (2023), arXiv 2305.16380, Theorems 1 to 4.
"""

from lib.portable.numbers import exp, log
from lib.portable.primitives import Matrix, Readings, Vector, floor, nan, zeros
from lib.portable.small import log1p
from lib.portable.vectors import argmax, column_of, fill
from lib.theory.scan_snap.portable import (
    kappa_star,
    knowledge,
    logit_gap,
    lower_bound,
    obeys_assumption_2,
    operational_time,
    reduced_B,
    residual,
    scan_end,
    snap_start,
    speed,
    upper_bound,
)
from lib.theory.scan_snap.portable_reference import (
    Reference,
    inputs,
    overlap_at,
    own_entropy,
    reference_path,
    row_speed,
)

TOLERANCE = 1e-6  # of a step of the reference dynamics: logits are within 1e-4 nats wherever the sliders stand


def clock_curves(K: int, M: int, lr_Y: float, times: Vector) -> Readings:
    """The speed coefficient gamma and its two factors: what the decoder knows, and how often it errs.

    Args:
        K: classes.
        M: output tokens.
        lr_Y: rate of the decoder.
        times: (T,).

    Returns:
        knows (nats), errs, gamma, each (T,).

    Source: the paper's Theorem 1.
    """
    knows, errs, gamma = zeros(len(times)), zeros(len(times)), zeros(len(times))
    for i in range(len(times)):
        x = logit_gap(times[i], K, M, lr_Y)
        knows[i] = knowledge(x, M)
        errs[i] = residual(x, M)
        gamma[i] = speed(x, M)
    return {"knows": knows, "errs": errs, "gamma": gamma}


def threshold_plane(shared: bool, points: int, across: int, up: int, most: float) -> Readings:
    """Where in the plane of overlap and ratio a partly common token gains, and the threshold that parts it.

    Args:
        shared: one query for both classes.
        points: of the threshold.
        across: overlaps of the grid, from 0 to 1.
        up: ratios of the grid, from 1.
        most: the largest ratio.

    Returns:
        curve (points,), overlaps from 0.08 to 1, and kappa (points,), the threshold there, NaN above `most`; rho
        (across,), ratio (up,), and row by row of the ratio gains (across up,), 1 where the token gains, else 2; arrows,
        as many, NaN: a plane's regions lie on a field, and here is none.

    Source: beyond the paper, see `kappa_star`.
    """
    curve, kappa = zeros(points), zeros(points)
    for i in range(points):
        curve[i] = 0.08 + 0.92 * float(i) / float(points - 1)
        needed = kappa_star(curve[i], shared)
        kappa[i] = needed if needed <= most else nan
    rho, ratio, gains, arrows = zeros(across), zeros(up), zeros(across * up), zeros(across * up)
    fill(arrows, nan)
    for j in range(up):
        ratio[j] = 1.0 + (most - 1.0) * float(j) / float(up - 1)
        for i in range(across):
            rho[i] = float(i) / float(across - 1)
            gains[j * across + i] = 1.0 if ratio[j] > kappa_star(rho[i], shared) else 2.0
    return {"curve": curve, "kappa": kappa, "rho": rho, "ratio": ratio, "gains": gains, "arrows": arrows}


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


def fate_path(task: Reference, path: Matrix, token: int, mirror: int) -> tuple[Vector, Vector, Vector]:
    """The way of a partly common token through the plane of overlap and ratio.

    Args:
        task: the kinds of token, of two classes.
        path: (T, at least S) logits of each kind, as from `reference_path`.
        token: kind of the token.
        mirror: kind of its mirror image.

    Returns:
        (T,) each: overlap of the classes; the token's ratio kappa, in decoder inputs; that less the threshold, which
        has the sign of the token's motion in the reference dynamics.

    Source: beyond the paper (its Lemma 4 with K = 2), see `kappa_star`.
    """
    rho, kappa, above = zeros(len(path)), zeros(len(path)), zeros(len(path))
    for i in range(len(path)):
        rho[i] = overlap_at(task, path[i])
        kappa[i] = task.f[token] / task.f[mirror]
        above[i] = kappa[i] - kappa_star(rho[i], task.sharing > 1)
    return rho, kappa, above


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
    """A time above 0 to two significant digits, as `peak_time` and `turning_time` know it at twelve records a decade,
    where they are within 5 %; NaN stays. Source: beyond the paper."""
    if not time > 0.0:
        return nan
    unit = 1.0
    while time >= 100.0 * unit:
        unit *= 10.0
    while time < 10.0 * unit:
        unit /= 10.0
    return unit * float(floor(time / unit + 0.5))


def turning_time(times: Vector, values: Vector) -> float:
    """First time at which values change sign, between two of them on a straight line over ln t; NaN if they do not.

    Source: beyond the paper.
    """
    for i in range(1, len(times)):
        if (values[i - 1] > 0.0 and values[i] < 0.0) or (values[i - 1] < 0.0 and values[i] > 0.0):
            share = values[i - 1] / (values[i - 1] - values[i])
            return times[i - 1] * exp(share * log(times[i] / times[i - 1]))
    return nan
