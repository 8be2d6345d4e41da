"""How much each token helps per share of attention, over the mean, at one time of the joint flow; portable Python.

Chapter `scan_snap`. Source: arXiv 2305.16380, Lemma 1: dz_l is f_l (g_l - f_l (f.g)), so that f_l^2 weighs g_l / f_l.
"""

from hal.chapters.scan_snap.models.kinds import COMMON, DISTINCT, token_kinds
from hal.chapters.scan_snap.models.textbook_flow import Settings, done, start, step
from lib.portable.numbers import exp
from lib.portable.primitives import Matrix, nan, zeros
from lib.portable.records import column, columns
from lib.portable.vectors import scale, total


def water_level(s: Settings) -> Matrix:
    """At the end of the flow, the common tokens first and then each distinct one, rarest first.

    Args:
        s: task, rates and times; `last` is the time that counts.

    Returns:
        Four rows: widths (1 + distinct,), f_l^2 of all common tokens together and of each distinct one, with sum 1;
        heights (1 + distinct,), g_l / f_l over the mean with these weights, NaN where there is no such token; gains
        (1 + distinct,), of one token, f_l^2 times its height less 1, in proportion to dz_l; speed (1,), the length of
        dz/dt in nats a step.

    Raises:
        InputError: if a setting is refused.

    Source: the paper's Lemma 1.
    """
    state = start(s, 0)
    while not done(state):
        step(state)
    kept, D, at = state.kept, s.distinct, s.points - 1
    law = token_kinds(s.common, s.weight, D, s.lowest, s.partly, s.kappa).law
    z, pull, commons = columns(kept, 11, D), columns(kept, 10 + 2 * D, D + 1), column(kept, 4)
    speeds = column(kept, 3)
    widths, heights, gains = zeros(1 + D), zeros(1 + D), zeros(1 + D)
    for i in range(1 + D):
        heights[i] = pull[at * (D + 1) + i]
        score = 0.0
        if i > 0:
            score = law[DISTINCT + i - 1] * exp(z[at * D + i - 1])
        elif s.common > 0:
            score = law[COMMON] * exp(commons[at])
        widths[i] = score * score
    if s.common == 0:
        heights[0] = nan
    for i in range(1 + D):
        gains[i] = widths[i] * (heights[i] - 1.0)
    widths[0] = float(s.common) * widths[0]
    whole = 1.0 / total(widths)
    scale(widths, whole)
    scale(gains, whole)
    return [widths, heights, gains, [speeds[at]]]
