"""A textbook run that is asked one thing: which way does it leave zero?

Chapter `scb`, beyond the paper (arXiv 2410.23438). The run is that of `textbook`; here its signal is told by its sign.
"""

from lib.models.scb.textbook import State, done, start, step, steps_of
from lib.portable.primitives import Readings, nan
from lib.portable.records import column, ended

__all__ = ["done", "read", "start", "step", "steps_of"]


def read(state: State) -> Readings:
    """So far: steps, both signals, and alpha_V again as `upright` or as `mirrored`, by its sign now; each (count,)."""
    upright, mirrored = column(state.kept, 1), column(state.kept, 1)
    last = len(upright) - 1
    turned = upright[last] < 0.0
    for i in range(last + 1):
        if turned:
            upright[i] = nan
        else:
            mirrored[i] = nan
    return {
        "steps": column(state.kept, 0), "alpha_V": column(state.kept, 1), "alpha_A": column(state.kept, 2),
        "upright": upright, "mirrored": mirrored,
        "diverged_at": ended(state.diverged_at),
    }  # fmt: skip
