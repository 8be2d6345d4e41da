"""Gradient flow of both layers at once on infinitely long sequences: the limit of small steps, in plain Python.

Chapter `scan_snap`. Source: arXiv 2305.16380, Lemma 1, averaged over classes. Classes are equal up to renaming and the
start is zero, so one class stands for all. A row of Y has three different entries: at the class's own next token, at
those of the other classes, and at outputs that never come next. So K and M cost nothing. The flow of the whole model,
with all its rows and columns, is `lib.train.flow`. Times are in steps, logits and losses in nats. Settings out of range
are refused with an `InputError`.
"""

from dataclasses import dataclass
from typing import NamedTuple

from hal.chapters.scan_snap.models.kinds import COMMON, DISTINCT, Kinds, inputs, overlap, token_kinds
from lib.errors import require
from lib.portable.explicit import Flow, flow_from, flow_to
from lib.portable.numbers import exp, log
from lib.portable.primitives import Readings, Vector, inf, nan, zeros
from lib.portable.small import log1p
from lib.portable.vectors import part

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
    lr_Y: float = 1.0  # learning rate of the decoder, per step
    lr_Z: float = 1.0  # learning rate of attention, per step
    first: float = 0.3  # time of the first record, in steps
    last: float = 1e5  # time of the last one
    points: int = 67  # records, evenly in the logarithm of time


@dataclass
class Motion:
    """What the flow needs to know, and what moves a class at one place."""

    settings: Settings
    kinds: Kinds
    f: Vector  # (S,) decoder input
    g: Vector  # (S,) what a little more of a token in f would help, Y delta
    mean: float  # f.g
    loss: float
    overlap: float  # of two classes


@dataclass
class State:
    """A run: where the flow is."""

    motion: Motion
    flow: Flow  # of y = (own, other, never, z), four times (S,)
    slope: Vector  # dy/dt
    stops: Vector  # (points,) the times of the records
    made: int  # of them
    step: float  # time of the last one
    diverged_at: float  # time at which the integrator gave up; -1 while it has not


def steps_of(settings: Settings) -> Vector:
    """(points,) the times of the records, in steps, evenly in their logarithm."""
    times = zeros(settings.points)
    span = log(settings.last / settings.first)
    for i in range(settings.points):
        times[i] = settings.first * exp(span * float(i) / float(settings.points - 1))
    return times


def start(settings: Settings, seed: int) -> State:
    """The first record of the flow from zero in both layers. Nothing is random: the seed changes nothing."""
    require(seed >= 0, "seed", "at least 0", seed)
    K, sharing = settings.K, settings.sharing
    require(K >= 2, "K", "at least 2 classes", K)
    require(sharing >= 1 and sharing <= K and K // sharing * sharing == K, "sharing", "a divisor of K", sharing)
    require(settings.M >= K, "M", "at least K outputs", settings.M)
    require(settings.lr_Y > 0.0 and settings.lr_Y < inf, "lr_Y", "a finite positive rate", settings.lr_Y)
    require(settings.lr_Z >= 0.0 and settings.lr_Z < inf, "lr_Z", "a finite rate of at least 0", settings.lr_Z)
    require(settings.first > 0.0, "first", "a positive time", settings.first)
    require(settings.last > settings.first and settings.last < inf, "last", "a time after the first", settings.last)
    require(settings.points >= 2, "points", "at least 2 records", settings.points)
    kinds = token_kinds(settings.common, settings.weight, settings.distinct, settings.lowest)
    S = len(kinds.law)
    motion = Motion(settings, kinds, zeros(S), zeros(S), 0.0, 0.0, 0.0)
    state = State(motion, flow_from(0.0, zeros(4 * S)), zeros(4 * S), steps_of(settings), 0, 0.0, -1.0)
    step(state)
    return state


def velocity(t: float, y: Vector, out: Vector, motion: Motion) -> None:
    """dy/dt of the flow, and what moves it at y. Time t does not matter."""
    settings, kinds, f, g = motion.settings, motion.kinds, motion.f, motion.g
    S, K, others = len(f), float(settings.K), float(settings.K) - 1.0
    never = float(settings.M) - K
    inputs(kinds, y, 3 * S, f)
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
    motion.loss = behind + (log1p(wrong) if behind == 0.0 else log(wrong + right))
    delta_own, delta_other, delta_never = wrong / (wrong + right), -other / (wrong + right), -none / (wrong + right)
    motion.mean = 0.0
    motion.overlap = overlap(kinds, f)
    for i in range(S):
        g[i] = y[i] * delta_own + others * y[S + i] * delta_other + never * y[2 * S + i] * delta_never
        motion.mean += kinds.many[i] * f[i] * g[i]
    rate_Y, rate_Z = settings.lr_Y / K, settings.lr_Z / K
    for i in range(S):
        own, theirs = f[i], f[i] if i == COMMON else 0.0
        out[i] = rate_Y * (own * delta_own + others * theirs * delta_other)
        out[S + i] = rate_Y * (own * delta_other + theirs * (delta_own + (others - 1.0) * delta_other))
        out[2 * S + i] = rate_Y * (own + others * theirs) * delta_never
        moved = own * (g[i] - own * motion.mean)
        if settings.sharing > 1:  # what the other classes of the query add, if they have the token
            there = y[S + i] * delta_own + (y[i] + (others - 1.0) * y[S + i]) * delta_other
            there += never * y[2 * S + i] * delta_never
            moved += (float(settings.sharing) - 1.0) * theirs * (there - theirs * motion.mean)
        out[3 * S + i] = rate_Z * moved if motion.overlap > 0.0 else 0.0  # else g is along f, but for rounding


def step(state: State) -> None:
    """Follow the flow to its next record."""
    motion, now = state.motion, state.stops[state.made]
    flow_to(now, state.flow, velocity, motion, TOLERANCE)
    if state.flow.failed:
        state.diverged_at = now
        return
    velocity(now, state.flow.y, state.slope, motion)
    state.step = now
    state.made += 1


def done(state: State) -> bool:
    """Whether all records are made, or the integrator has given up."""
    return state.diverged_at >= 0.0 or state.made >= len(state.stops)


def measure(state: State) -> Readings:
    """Loss, logits of a common token (NaN where there is none) and of each distinct one (D,), rarest first."""
    kinds, y, z = state.motion.kinds, state.flow.y, 3 * len(state.motion.kinds.law)
    return {
        "loss": [state.motion.loss], "common": [y[z + COMMON] if kinds.many[COMMON] > 0.0 else nan],
        "distinct": part(y, z + DISTINCT, len(kinds.law) - DISTINCT),
    }  # fmt: skip
