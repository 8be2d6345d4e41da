"""What is drawn at some settings: arrays for the panels, a sentence, and what went wrong, in words."""

import base64
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Drawn(NamedTuple):
    """What is drawn at one point.

    Attributes:
        items: the arrays, by panel and role: "0.x", "0.y1.low".
        reading: one sentence or several.
        notice: what went wrong; empty if nothing did.
    """

    items: dict[str, NDArray[np.float64]]
    reading: str
    notice: str


def divergence(data: Mapping[str, Any]) -> str:
    """One sentence about the runs that diverged; empty if none did. `js/facts.js` says the same in the page.

    Args:
        data: `diverged_at`, the step at which each run diverged; a negative number or NaN where it did not.
    """
    at = np.atleast_1d(np.asarray(data["diverged_at"], dtype=float))
    hit = at[np.isfinite(at) & (at >= 0)]
    if not hit.size:
        return ""
    first = f"step {int(hit.min()):,}"
    if at.size == 1:
        return f"This run diverged at {first}; nothing is drawn from there on. A smaller learning rate may help."
    return f"{hit.size} of {at.size} runs diverged, the first at {first}; from there on they are left out."


def packed(runs: Sequence[Mapping[str, Sequence[float]]]) -> list[dict[str, str]]:
    """Readings of runs on their way to the browser, with every bit: each array as the base64 text of its doubles."""
    return [
        {key: base64.b64encode(np.asarray(values, "<f8").tobytes()).decode() for key, values in run.items()}
        for run in runs
    ]
