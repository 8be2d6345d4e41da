"""Many tasks as one with a run axis.

Chapter `scb`. Source: arXiv 2410.23438, Section 2.1.
"""

from collections.abc import Sequence

import numpy as np

from lib.errors import require
from lib.models import scb


def stack(tasks: Sequence[scb.Task]) -> scb.Task:
    """R tasks of one shape as one `Task` with a leading run axis; a single task stays as it is.

    Raises:
        InputError: if the shapes differ or the list is empty.
    """
    require(len(tasks) > 0, "tasks", "at least one task", "none")
    shapes = sorted({(t.N, t.T) for t in tasks})
    require(len(shapes) == 1, "tasks", "tasks of one shape (N, T)", shapes)
    if all(t is tasks[0] for t in tasks):
        return tasks[0]
    return scb.Task(*(np.stack([getattr(t, name) for t in tasks]) for name in ("mu", "P", "Q")))
