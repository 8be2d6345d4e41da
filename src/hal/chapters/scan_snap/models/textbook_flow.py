"""Gradient flow of both layers at once on infinitely long sequences: the limit of small steps, in plain Python.

Chapter `scan_snap`. Source: arXiv 2305.16380, Lemma 1, averaged over classes. Classes are equal up to renaming and the
start is zero, so one class stands for all. A row of Y has three different entries: at the class's own next token, at
those of the other classes, and at outputs that never come next. So K and M cost nothing. The flow of the whole model,
with all its rows and columns, is `lib.train.flow`.
"""

from dataclasses import dataclass
from typing import NamedTuple

from hal.chapters.scan_snap.models.kinds import Drive, Kinds, measure, token_kinds, width
from lib.errors import require
from lib.portable.explicit import Flow, flow_from, flow_to
from lib.portable.numbers import exp, log
from lib.portable.primitives import Readings, Vector, inf, nan, sqrt, zeros
from lib.portable.records import Records, column, columns, new_row, room_for
from lib.portable.small import log1p

TOLERANCE = 1e-6  # error of a step, relative and absolute


class Settings(NamedTuple):
    """What a reader can choose."""

    K: int = 2  # classes: next tokens that occur
    sharing: int = 1  # classes that share a query token, a divisor of K
    M: int = 34  # outputs of the decoder, at least K
    common: int = 10  # tokens that all classes have
    weight: float = 1.0  # of a common token, where the most frequent distinct one has 1
    distinct: int = 10  # tokens of each class alone
    lowest: float = 0.1  # weight of the rarest of them
    partly: float = 0.0  # weight of a partly common token; 0 for none
    kappa: float = 1.0  # how much more frequent it is in one of the two classes
    lr_Y: float = 1.0  # learning rate of the decoder, per step
    lr_Z: float = 1.0  # learning rate of attention, per step
    first: float = 0.3  # time of the first record, in steps
    last: float = 1e5  # time of the last one
    points: int = 67  # records, evenly in the logarithm of time


@dataclass
class Motion:
    """What the flow needs to know, and what moves it at one place."""

    settings: Settings
    kinds: Kinds
    now: Drive


@dataclass
class State:
    """A run: where the flow is, and its record."""

    motion: Motion
    flow: Flow  # of y = (own, other, never, z), four times (S,)
    slope: Vector  # dy/dt
    diverged_at: float  # time at which the integrator gave up; not a number while it has not
    kept: Records  # time, and what `textbook_kinds.measure` puts behind it


def steps_of(settings: Settings) -> Vector:
    """(points,) the times of the records, in steps, evenly in their logarithm."""
    times = zeros(settings.points)
    span = log(settings.last / settings.first)
    for i in range(settings.points):
        times[i] = settings.first * exp(span * float(i) / float(settings.points - 1))
    return times


def start(settings: Settings, seed: int) -> State:
    """Both layers zero. Nothing is random: the seed changes nothing."""
    require(seed >= 0, "seed", "at least 0", seed)
    K, sharing = settings.K, settings.sharing
    require(K >= 2, "K", "at least 2 classes", K)
    require(sharing >= 1 and sharing <= K and K // sharing * sharing == K, "sharing", "a divisor of K", sharing)
    require(settings.M >= K, "M", "at least K outputs", settings.M)
    require(settings.partly == 0.0 or K == 2, "partly", "0, unless there are 2 classes", settings.partly)
    require(settings.lr_Y > 0.0 and settings.lr_Y < inf, "lr_Y", "a finite positive rate", settings.lr_Y)
    require(settings.lr_Z >= 0.0 and settings.lr_Z < inf, "lr_Z", "a finite rate of at least 0", settings.lr_Z)
    require(settings.first > 0.0, "first", "a positive time", settings.first)
    require(settings.last > settings.first and settings.last < inf, "last", "a time after the first", settings.last)
    require(settings.points >= 2, "points", "at least 2 records", settings.points)
    kinds = token_kinds(
        settings.common, settings.weight, settings.distinct, settings.lowest, settings.partly, settings.kappa
    )
    S = len(kinds.law)
    motion = Motion(settings, kinds, Drive(zeros(S), zeros(S), 0.0, 0.0, 0.0))
    kept = room_for(steps_of(settings), 1 + width(settings.distinct))
    return State(motion, flow_from(0.0, zeros(4 * S)), zeros(4 * S), nan, kept)


def velocity(t: float, y: Vector, out: Vector, motion: Motion) -> None:
    """dy/dt of the flow, and what moves it at y. Time t does not matter."""
    settings, kinds, now, f, g = motion.settings, motion.kinds, motion.now, motion.now.f, motion.now.g
    S, K, others = len(f), float(settings.K), float(settings.K) - 1.0
    never = float(settings.M) - K
    attend(y, 3 * S, kinds, f)
    logit_own, logit_other, logit_never = 0.0, 0.0, 0.0
    for i in range(S):
        logit_own += kinds.many[i] * f[i] * y[i]
        logit_other += kinds.many[i] * f[i] * y[S + i]
        logit_never += kinds.many[i] * f[i] * y[2 * S + i]
    top = max(logit_own, logit_other)
    if never > 0.0:
        top = max(top, logit_never)
    right, other = exp(logit_own - top), exp(logit_other - top)
    none = exp(logit_never - top) if never > 0.0 else 0.0
    wrong = others * other + never * none
    behind = top - logit_own
    now.loss = behind + (log1p(wrong) if behind == 0.0 else log(wrong + right))
    delta_own, delta_other, delta_never = wrong / (wrong + right), -other / (wrong + right), -none / (wrong + right)
    now.mean = 0.0
    now.overlap = 0.0
    for i in range(S):
        g[i] = y[i] * delta_own + others * y[S + i] * delta_other + never * y[2 * S + i] * delta_never
        now.mean += kinds.many[i] * f[i] * g[i]
        now.overlap += kinds.many[i] * f[i] * (f[kinds.twin[i]] if kinds.twin[i] >= 0 else 0.0)
    rate_Y, rate_Z = settings.lr_Y / K, settings.lr_Z / K
    for i in range(S):
        own, theirs = f[i], f[kinds.twin[i]] if kinds.twin[i] >= 0 else 0.0
        out[i] = rate_Y * (own * delta_own + others * theirs * delta_other)
        out[S + i] = rate_Y * (own * delta_other + theirs * (delta_own + (others - 1.0) * delta_other))
        out[2 * S + i] = rate_Y * (own + others * theirs) * delta_never
        moved = own * (g[i] - own * now.mean)
        if settings.sharing > 1:  # what the other classes of the query add, in which the token is its twin
            there = y[S + i] * delta_own + (y[i] + (others - 1.0) * y[S + i]) * delta_other
            there += never * y[2 * S + i] * delta_never
            moved += (float(settings.sharing) - 1.0) * theirs * (there - theirs * now.mean)
        out[3 * S + i] = rate_Z * moved if now.overlap > 0.0 else 0.0  # else g is along f, but for rounding


def attend(y: Vector, place: int, kinds: Kinds, f: Vector) -> None:
    """The decoder input f = P e^z / |P e^z| of the class, from the logits z at this place of y."""
    top = -inf
    for i in range(len(f)):
        if kinds.many[i] > 0.0:
            top = max(top, y[place + i])
    square = 0.0
    for i in range(len(f)):
        f[i] = kinds.law[i] * exp(y[place + i] - top) if kinds.many[i] > 0.0 else 0.0
        square += kinds.many[i] * f[i] * f[i]
    length = sqrt(square)
    for i in range(len(f)):
        f[i] = f[i] / length


def step(state: State) -> None:
    """Follow the flow to its next record."""
    motion, now = state.motion, state.kept.due[state.kept.count]
    flow_to(now, state.flow, velocity, motion, TOLERANCE)
    if state.flow.failed:
        state.diverged_at = now
        return
    velocity(now, state.flow.y, state.slope, motion)
    row = new_row(state.kept)
    row[0] = now
    measure(state.flow.y, state.slope, motion.kinds, motion.now, motion.settings.sharing, row)


def done(state: State) -> bool:
    """Whether all records are made, or the integrator has given up."""
    return state.diverged_at >= 0.0 or state.kept.count >= len(state.kept.due)


def read(state: State) -> Readings:
    """The record so far, count times.

    Returns:
        steps; loss and entropy (nats); speed, the length of dz/dt under the query (nats a step); logits (nats) common,
        partly, mirror and top (the most frequent distinct token), and distinct (count * D,), record after record,
        rarest first; partly_speed, dz/dt of the partly common token; overlap, of two classes; kappa, how many times as
        strong that token is in this class as in the other, in decoder inputs; growth, of the top token, e^{2 z}; lead
        (count * (D - 1),), of that token over each other one, over its start and the growth, NaN until that has reached
        1.001; pull (count * (D + 1),), g_l / f_l of a common token and of each distinct one over the average
        f.g of all, with the weights f_l^2; attention (count * (D + 1),), fractions, on one common token, NaN where it
        has none, and on each distinct one; ink (count * (D + 3),), e^z, attention over frequency but for a factor, of
        a common token, of the partly common one and its mirror, and of each distinct one; diverged_at, the time at
        which the integrator gave up, or NaN.
    """
    kept, D = state.kept, state.motion.settings.distinct
    return {
        "steps": column(kept, 0), "loss": column(kept, 1), "entropy": column(kept, 2), "speed": column(kept, 3),
        "common": column(kept, 4), "partly": column(kept, 5), "mirror": column(kept, 6),
        "partly_speed": column(kept, 7), "overlap": column(kept, 8), "kappa": column(kept, 9),
        "growth": column(kept, 10), "top": column(kept, 10 + D), "distinct": columns(kept, 11, D),
        "lead": columns(kept, 11 + D, D - 1), "pull": columns(kept, 10 + 2 * D, D + 1),
        "attention": columns(kept, 11 + 3 * D, D + 1), "ink": ink(columns(kept, 4, 3), columns(kept, 11, D), D),
        "diverged_at": [state.diverged_at],
    }  # fmt: skip


def ink(shared: Vector, distinct: Vector, D: int) -> Vector:
    """(count * (D + 3),) e^z of three logits and of D others, record after record."""
    count = len(shared) // 3
    found = zeros(count * (D + 3))
    for i in range(count):
        for k in range(D + 3):
            found[i * (D + 3) + k] = exp(shared[3 * i + k] if k < 3 else distinct[D * i + k - 3])
    return found
