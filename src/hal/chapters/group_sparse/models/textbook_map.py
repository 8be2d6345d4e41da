"""The textbook's run whose attention map is kept as finely as its colours can show, a seventh of the weight.

Chapter `group_sparse`. Source: arXiv 2504.08638, Section 2. The run is that of `textbook`, and so are all its numbers.
"""

from lib.models.group_sparse.textbook import State, count_step, done, gradient, parameters, start, step, steps_of
from lib.portable.primitives import Readings, Vector, floor, zeros
from lib.portable.records import column, columns, ended

__all__ = ["count_step", "done", "gradient", "parameters", "read", "start", "step", "steps_of"]

PARTS = 512.0  # of one, in which the map is kept


def coarse(values: Vector) -> Vector:
    """Each number as the nearest part."""
    found = zeros(len(values))
    for k in range(len(values)):
        found[k] = floor(PARTS * values[k] + 0.5) / PARTS
    return found


def read(state: State) -> Readings:
    """What `textbook.read` reads; the numbers of the map in parts of 1/512."""
    kept, D = state.kept, state.settings.D
    return {
        "steps": column(kept, 0), "loss": column(kept, 1), "cosine": column(kept, 2), "ratio": column(kept, 3),
        "attention": column(kept, 4), "accuracy": column(kept, 5), "test": column(kept, 6),
        "map": coarse(columns(kept, 7, D * D)), "diverged_at": ended(state.diverged_at),
    }  # fmt: skip
