"""Training on infinitely long sequences, where nothing is random: the limit that figures draw dashed; portable Python.

Chapter `scan_snap`. Source: arXiv 2305.16380, Lemma 1, averaged over classes.
"""

from lib.models.scan_snap.textbook import Settings, done, start, step
from lib.portable.primitives import Readings
from lib.portable.records import column


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
