"""How the distinct tokens of a class move, in the joint flow or in the reference dynamics; portable Python.

Chapter `scan_snap`. Source: arXiv 2305.16380, Lemma 1 and Section 5.
"""

from hal.chapters.scan_snap.runs.reference import reference_of
from lib.models.scan_snap.textbook_flow import Settings, done, start, step, steps_of
from lib.models.scan_snap.textbook_kinds import DISTINCT
from lib.portable.primitives import Matrix, zero_matrix, zeros
from lib.portable.records import columns
from lib.theory.scan_snap.portable_curves import TOLERANCE
from lib.theory.scan_snap.portable_reference import reference_path


def distinct_path(s: Settings, joint: int) -> Matrix:
    """Logits of a class's distinct tokens over time, in the joint flow (1) or the reference dynamics (0).

    Args:
        s: task, rates and times.
        joint: which of the two.

    Returns:
        (points, 1 + distinct): the time in steps, and the logits in nats, rarest first.

    Raises:
        InputError: if a setting is refused.

    Source: the paper's Lemma 1 for the joint flow, its Section 5 for the reference.
    """
    rows, times, found = zero_matrix(s.points, 1 + s.distinct), steps_of(s), zeros(0)
    if joint == 1:
        state = start(s, 0)
        while not done(state):
            step(state)
        found = columns(state.kept, 11, s.distinct)  # as `read` has them
    else:
        path = reference_path(reference_of(s), s.lr_Y, s.lr_Z, times, TOLERANCE)
        found = zeros(s.points * s.distinct)
        for i in range(s.points):
            for j in range(s.distinct):
                found[i * s.distinct + j] = path[i][DISTINCT + j]
    for i in range(s.points):
        rows[i][0] = times[i]
        for j in range(s.distinct):
            rows[i][1 + j] = found[i * s.distinct + j]
    return rows
