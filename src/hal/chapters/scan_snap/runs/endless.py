"""Training on infinitely long sequences, where nothing is random: the limit that figures draw dashed; portable Python.

Chapter `scan_snap`. Source: arXiv 2305.16380, Lemma 1, averaged over classes.
"""

from lib.models.scan_snap.textbook import Settings, done, start, step
from lib.models.scan_snap.textbook_classes import vocabulary
from lib.models.scan_snap.textbook_flow import Settings as FlowSettings
from lib.models.scan_snap.textbook_flow import start as start_flow
from lib.models.scan_snap.textbook_flow import velocity
from lib.models.scan_snap.textbook_kinds import own_entropy
from lib.models.scan_snap.textbook_ratios import COMMON, DISTINCT, Sweep
from lib.portable.numbers import exp, log
from lib.portable.optimisers import momentum
from lib.portable.primitives import Readings, zeros
from lib.portable.records import column
from lib.portable.vectors import argmax, argmin


def endless_run(s: Settings) -> Readings:
    """The textbook's training with these settings but for the length: loss, entropy (nats) and common_mass, (records,).

    Raises:
        InputError: if a setting is refused.
    """
    limit = Settings(0, s.K, s.queries, s.common, s.distinct, s.M, s.lr_Y, s.lr_Z, s.optimiser, 1, 0.0, s.steps)
    state = start(limit, 0)
    while not done(state):
        step(state)
    return {"loss": column(state.kept, 1), "entropy": column(state.kept, 2), "common_mass": column(state.kept, 3)}


def endless_ratios(sweep: Sweep, low: float, high: float, points: int) -> Readings:
    """Entropy at the end of training from zero, over the ratio of rates; momentum along the velocity of the flow.

    Args:
        sweep: two classes a query; lr_Z and steps.
        low: smallest ratio.
        high: largest ratio.
        points: how many, evenly in their logarithm.

    Returns:
        ratios and entropy (nats), each (points,); best, the ratio with the least entropy, and least, that entropy;
        range, how much more the largest is; edge, 1 if best is an end of the range.

    Raises:
        InputError: if a setting is refused.
    """
    ratios, found = zeros(points), zeros(points)
    K = 2 * sweep.queries
    M = vocabulary(K, sweep.queries, COMMON, DISTINCT)
    for i in range(points):
        ratios[i] = low * exp(log(high / low) * float(i) / float(points - 1))
        lr_Y, lr_Z = ratios[i] * sweep.lr_Z, sweep.lr_Z
        state = start_flow(FlowSettings(K, 2, M, COMMON, 1.0, DISTINCT, 0.1, 0.0, 1.0, lr_Y, lr_Z, 1.0, 2.0, 2), 0)
        y, trace = state.flow.y, zeros(len(state.flow.y))
        for _ in range(sweep.steps):
            velocity(0.0, y, state.slope, state.motion)
            momentum(y, trace, state.slope, -1.0, 0.9)  # uphill: the slope has the rates and the sign in it
        velocity(0.0, y, state.slope, state.motion)
        found[i] = own_entropy(state.motion.now.f)
    best = argmin(found)
    return {
        "ratios": ratios, "entropy": found, "best": [ratios[best]], "least": [found[best]],
        "range": [found[argmax(found)] - found[best]], "edge": [1.0 if best == 0 or best == points - 1 else 0.0],
    }  # fmt: skip
