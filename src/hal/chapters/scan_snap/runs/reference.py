"""The reference dynamics of the task that a textbook flow trains on, in portable Python.

Chapter `scan_snap`. Source: arXiv 2305.16380, Section 5.
"""

from hal.chapters.scan_snap.models.kinds import DISTINCT, shares, token_kinds
from hal.chapters.scan_snap.models.textbook_flow import Settings
from hal.chapters.scan_snap.theory.curves import TOLERANCE
from hal.chapters.scan_snap.theory.portable_reference import Reference, inputs, reference_path
from lib.portable.primitives import Vector, zeros


def reference_of(s: Settings) -> Reference:
    """What the reference dynamics need to know of a task.

    Raises:
        InputError: if a setting of the tokens is out of range.
    """
    kinds = token_kinds(s.common, s.weight, s.distinct, s.lowest, s.partly, s.kappa)
    return Reference(kinds.law, kinds.many, kinds.twin, s.K, s.M, s.sharing, zeros(len(kinds.law)))


def reference_shares(s: Settings, times: Vector) -> Vector:
    """Attention in the reference dynamics, in the form of the reading `attention` of the textbook flow.

    Args:
        s: task and rates.
        times: (T,) increasing, in steps.

    Returns:
        (T (1 + D),): at each time the attention on one common token and on each distinct one, as fractions, the first
        NaN where no token is common.

    Source: the paper's Section 5.
    """
    task = reference_of(s)
    path, count = reference_path(task, s.lr_Y, s.lr_Z, times, TOLERANCE), len(task.f) - DISTINCT + 1
    found = zeros(len(path) * count)
    for i in range(len(path)):
        inputs(task.law, task.many, path[i], task.f)
        shares(task.f, task.many, found, i * count)
    return found
