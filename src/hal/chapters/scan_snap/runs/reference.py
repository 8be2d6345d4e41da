"""The reference dynamics of the task that a textbook flow trains on, in portable Python.

Chapter `scan_snap`. Source: arXiv 2305.16380, Section 5.
"""

from lib.models.scan_snap.textbook_flow import Settings
from lib.models.scan_snap.textbook_kinds import token_kinds
from lib.portable.primitives import zeros
from lib.theory.scan_snap.portable_reference import Reference


def reference_of(s: Settings) -> Reference:
    """What the reference dynamics need to know of a task.

    Raises:
        InputError: if a setting of the tokens is out of range.
    """
    kinds = token_kinds(s.common, s.weight, s.distinct, s.lowest, s.partly, s.kappa)
    return Reference(kinds.law, kinds.many, kinds.twin, s.K, s.M, s.sharing, zeros(len(kinds.law)))
