"""The reference dynamics as several claims run them: rates, vocabulary, and a path that reaches far past the snap.

Chapter `scan_snap`. Source: arXiv 2305.16380, Section 5.
"""

import numpy as np

from lib.models import scan_snap as ss
from lib.theory import scan_snap as theory

LR_Y, LR_Z, M = 0.1, 0.05, 1000


def reference_path(task: ss.Task, count: int = 300) -> theory.ReferencePath:
    """Reference dynamics over 20 times t0', recorded at times that grow by a constant factor."""
    scan = float(theory.transition_times(task.K, task.M, LR_Y)[0])
    times = np.concatenate([[0.0], np.geomspace(1.0, 20 * scan, count)])
    return theory.reference_run(task.P, task.query, task.M, LR_Y, LR_Z, times)
