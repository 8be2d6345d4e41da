"""Recorded runs as tables: powers of the samples, and the old task that saves them.

Chapter `scb`, beyond the paper; recorded by `python -m hal.chapters.records scb samples` and `... scb skip`.
"""

import numpy as np

from hal.chapters.scb.runs.samples import (
    GOALS,
    RATES,
    SIZES,
    SWEPT,
    along,
    exponent,
    interval,
    recorded_samples,
)
from hal.chapters.scb.runs.skip import LENGTHS, MAP, TOKENS, least_correlation, worth
from hal.tables import Table


def _cell(axis: str, goal: str, optimiser: str, attention: str) -> str:
    sizes, found = along(axis, goal, optimiser, attention)
    middle, low, high = interval(exponent(sizes, found))
    return f"{middle:.2f} [{low:.2f}, {high:.2f}]" if np.isfinite(middle) else "not reached"


def samples_table() -> Table:
    """Exponents of the fewest samples in T, N and Q, with 95% intervals, and how many runs diverged."""
    record = recorded_samples()
    head = ["", *(f"{axis}: {goal}" for axis in SWEPT for goal in GOALS if axis == "T" or goal != GOALS[1])]
    rows = []
    for optimiser, attention in RATES:
        mine = [kept for key, kept in record.items() if key[3:] == (optimiser, attention) and key[:3] in SIZES]
        cells = [_cell(title[0], title[3:], optimiser, attention) for title in head[1:]]
        lost = f"{sum(kept['lost'] for kept in mine)} of {sum(kept['runs'] for kept in mine)}"
        rows.append([f"{optimiser}, {attention}", *cells, lost])
    return Table([*head, "diverged"], rows, "Exponents of the fewest samples")


def skip_table() -> Table:
    """The smallest correlation that saves samples, over T and N, with 95% intervals."""

    def told(T: int, N: int) -> str:
        if (T, N) not in MAP:
            return "–"
        middle, low, high = interval(least_correlation(worth(T, N)))
        return f"{middle:.2f} [{low:.2f}, {f'{high:.2f}' if np.isfinite(high) else 'none saves'}]"

    rows = [[str(N), *(told(T, N) for T in LENGTHS)] for N in TOKENS]
    return Table(["N", *(f"T = {T}" for T in LENGTHS)], rows, "The smallest correlation that saves samples")
