"""Numbers on their way to the browser with every bit."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence

import numpy as np


def packed(runs: Sequence[Mapping[str, Sequence[float]]]) -> list[dict[str, str]]:
    """Readings of runs, each array as the base64 text of its doubles."""
    return [
        {key: base64.b64encode(np.asarray(values, "<f8").tobytes()).decode() for key, values in run.items()}
        for run in runs
    ]
