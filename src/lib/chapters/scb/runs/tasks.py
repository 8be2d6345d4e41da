"""The tasks of the chapter's runs: one from the settings of a point, and many as one with a run axis.

Chapter `scb`. Source: arXiv 2410.23438, Section 2.1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lib.errors import require
from lib.models import scb
from lib.sampling import generators


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


def make_task(point: dict[str, Any], seed: int = 0) -> scb.Task:
    """The ring task of an explorer's settings T, N, Q, skew and (where it has one) strength c.

    Args:
        point: settings; T tokens, N tokens in the vocabulary, Q positions.
        seed: seed of the positions.

    Raises:
        InputError: if a setting is out of range, among them Q > T.
    """
    return scb.ring_task(
        point["T"],
        point.get("N", 4),
        point.get("c", 0.75),
        scb.even_weights(point.get("Q", 2)),
        point.get("skew", 0.0),
        rng=generators([seed], 1)[0],
    )
