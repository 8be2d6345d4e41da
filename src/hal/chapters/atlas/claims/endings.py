"""Claim ATL-19: how the six tasks end.

Chapter `atlas`. Source: our own; the laws are those of the six chapters.
"""

import numpy as np

from hal.chapters.atlas.runs.endings import ENDS, End, neighbours_end
from hal.claims import Part, Result, claim, result


def _slope(x: np.ndarray, left: np.ndarray, within: np.ndarray) -> float:
    return float(np.polyfit(x[within], np.log(left[within]), 1)[0])


def _power(end: End, since: float) -> float:
    return _slope(np.log(end.time), end.left, end.time >= since)


@claim(
    "ATL-19",
    where="our own; six laws side by side",
    says="The six tasks end by four laws: exponentially in chapters 1 and 6, like $t^{-1/2}$ in chapter 5, like $1/t$ "
    "for the decoder of chapter 2, and like $t^{-1/3}$ in chapters 3 and 4, where only near ties still cost anything.",
    control={"apart": 0.1},
    breaks="no prompt of chapter 3 has a near tie",
)
def _check_19(apart: float = 0.0) -> Result:
    """Powers and rates along integrated flows, against the laws; sizes where a law has one."""
    ends = {name: end() for name, end in ENDS.items() if name != "Neighbours"} | {"Neighbours": neighbours_end(apart)}
    powers = {"Sentences": (1e4, 0.01), "Neighbours": (1e6, 0.01), "Groups": (1e5, 0.005), "Walks": (1e4, 0.02)}
    parts = [
        Part(f"power of time, {name}", _power(ends[name], since), ends[name].power, within)
        for name, (since, within) in powers.items()
    ]
    parts += [Part(f"left over law at the end, {name}", ends[name].left[-1] / ends[name].law[-1], 1.0, 0.02)
              for name in powers]  # fmt: skip
    for name, (low, high) in {"Places": (3e-3, 0.03), "Prompts": (1e-12, 1e-4)}.items():
        end = ends[name]
        passed = (end.left < high) & (end.left > low)
        rate = -_slope(end.time, end.left, passed)
        parts.append(Part(f"rate, a unit of time, {name}", rate, end.rate, 0.02, "relative"))
    return result(*parts)
