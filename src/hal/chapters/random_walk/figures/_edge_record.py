"""What `random_walk-edge` draws of the record: a point for each size and start in which attention has moved."""

import numpy as np

from hal.chapters.random_walk.runs import escape
from hal.figure import Recorded


def recorded() -> list[Recorded]:
    """Mean step at which attention moves over theory's, on its circle and walk."""
    found, points = escape.recorded_escapes(), []
    for setting in escape.SWEPT:
        moved = [step for step in found[setting]["moved"] if step is not None]
        if moved:
            K, N, _, _ = setting
            points.append(Recorded(escape.told(setting), float(np.mean(moved)), {"K": K, "N": N}))
    return points
