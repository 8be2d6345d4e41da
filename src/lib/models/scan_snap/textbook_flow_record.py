"""What a textbook flow records of itself: logits, their speed, what drives them, loss, entropy, overlap, growth.

Chapter `scan_snap`. All is of one class, under its query. Source: arXiv 2305.16380, Sections 5 to 7.
"""

from __future__ import annotations

from dataclasses import dataclass

from lib.models.scan_snap.textbook_kinds import COMMON, DISTINCT, MIRROR, PARTLY, Drive, Kinds
from lib.portable.numbers import exp, log
from lib.portable.primitives import Readings, Vector, divide, first, nan, sqrt, zeros
from lib.portable.small import expm1

# The leads are ratios of two small numbers until the leading token has grown by this factor.
GROWN = 1.001


@dataclass
class FlowRecord:
    """Measurements so far; `count` of them are filled in."""

    steps: Vector
    loss: Vector
    entropy: Vector
    speed: Vector
    common: Vector
    partly: Vector
    mirror: Vector
    partly_speed: Vector
    overlap: Vector
    kappa: Vector
    growth: Vector
    distinct: Vector  # (points * D,)
    pull: Vector  # (points * (D + 1),)
    lead: Vector  # (points * (D - 1),)
    tokens: int  # distinct ones, D
    sharing: int  # classes of one query
    count: int


def new_flow_record(points: int, distinct: int, sharing: int) -> FlowRecord:
    """Room for so many records of a class with so many distinct tokens, one of `sharing` under its query."""
    return FlowRecord(
        zeros(points), zeros(points), zeros(points), zeros(points), zeros(points), zeros(points), zeros(points),
        zeros(points), zeros(points), zeros(points), zeros(points),
        zeros(points * distinct), zeros(points * (distinct + 1)), zeros(points * (distinct - 1)), distinct, sharing, 0,
    )  # fmt: skip


def write_flow(record: FlowRecord, t: float, y: Vector, slope: Vector, kinds: Kinds, now: Drive) -> None:
    """Measure the flow and keep it.

    Args:
        record: what is written to.
        t: time, steps.
        y: (4 S,) the parameters: the last quarter are the logits z.
        slope: (4 S,) dy/dt.
        kinds: gives the tokens.
        now: what moves the class there.
    """
    f, g = now.f, now.g
    i, S, D = record.count, len(f), record.tokens
    at, top = 3 * S, S - 1
    record.steps[i] = t
    record.loss[i] = now.loss
    record.common[i] = y[at + COMMON] if kinds.many[COMMON] > 0.0 else nan
    record.partly[i] = y[at + PARTLY]
    record.mirror[i] = y[at + MIRROR]
    record.partly_speed[i] = slope[at + PARTLY]
    chi = exp(2.0 * y[at + top])
    record.growth[i] = chi
    square = 0.0
    for j in range(S):
        tokens = kinds.many[j] if kinds.twin[j] >= 0 else float(record.sharing)  # under the query
        square += tokens * slope[at + j] * slope[at + j]
    record.speed[i] = sqrt(square)
    record.overlap[i] = now.overlap
    record.kappa[i] = divide(f[PARTLY], f[MIRROR])
    record.entropy[i] = own_entropy(f)
    record.pull[i * (D + 1)] = divide(g[COMMON], f[COMMON] * now.mean)
    for j in range(D):
        token = DISTINCT + j
        record.distinct[i * D + j] = y[at + token]
        record.pull[i * (D + 1) + 1 + j] = divide(g[token], f[token] * now.mean)
        if j < D - 1:
            ratio = kinds.law[top] / kinds.law[token]
            start = ratio * ratio - 1.0  # r = score_top^2 / score^2 - 1
            ahead = expm1(2.0 * (log(ratio) + y[at + top] - y[at + token]))
            record.lead[i * (D - 1) + j] = divide(ahead, start * chi) if chi >= GROWN else nan
    record.count = i + 1


def own_entropy(f: Vector) -> float:
    """Entropy in nats of the attention on distinct tokens, renormalised; attention is proportional to f."""
    own, result = 0.0, 0.0
    for j in range(DISTINCT, len(f)):
        own += f[j]
    for j in range(DISTINCT, len(f)):
        share = divide(f[j], own)
        if share > 0.0:
            result -= share * log(share)
    return result


def flow_readings(record: FlowRecord, diverged_at: float) -> Readings:
    """The record so far, count times.

    Returns:
        steps; loss and entropy (nats); speed, the length of dz/dt under the query (nats a step); logits (nats) common,
        partly, mirror and top (the most frequent distinct token), and distinct (count * D,), record after record,
        rarest first; partly_speed, dz/dt of the partly common token; overlap, of two classes; kappa, how many times as
        strong that token is in this class as in the other, in decoder inputs; growth, of the top token, e^{2 z}; lead
        (count * (D - 1),), of that token over each other one, over its start and the growth, NaN until that has reached
        1.001; pull (count * (D + 1),), g_l / f_l of a common token and of each distinct one over the average
        f.g of all, with the weights f_l^2; diverged_at, the time at which the integrator gave up, or NaN.
    """
    n, D = record.count, record.tokens
    top = zeros(n)
    for i in range(n):
        top[i] = record.distinct[i * D + D - 1]
    return {
        "steps": first(record.steps, n),
        "loss": first(record.loss, n),
        "entropy": first(record.entropy, n),
        "speed": first(record.speed, n),
        "common": first(record.common, n),
        "partly": first(record.partly, n),
        "mirror": first(record.mirror, n),
        "top": top,
        "distinct": first(record.distinct, n * D),
        "partly_speed": first(record.partly_speed, n),
        "overlap": first(record.overlap, n),
        "kappa": first(record.kappa, n),
        "growth": first(record.growth, n),
        "lead": first(record.lead, n * (D - 1)),
        "pull": first(record.pull, n * (D + 1)),
        "diverged_at": [diverged_at if diverged_at >= 0.0 else nan],
    }
