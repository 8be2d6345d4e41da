"""What goes wrong, said to a reader: runs that diverged, and errors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from lib.errors import InputError


def divergence(data: Mapping[str, Any]) -> str:
    """One sentence about the runs that diverged; empty if none did."""
    if "diverged_at" not in data:
        return ""
    at = np.atleast_1d(np.asarray(data["diverged_at"], dtype=float))
    hit = at[np.isfinite(at) & (at >= 0)]
    if not hit.size:
        return ""
    first = f"step {int(hit.min()):,}"
    if at.size == 1:
        return f"This run diverged at {first}; nothing is drawn from there on. A smaller learning rate may help."
    return f"{hit.size} of {at.size} runs diverged, the first at {first}; from there on they are left out."


def words(error: Exception) -> str:
    """An exception as a sentence for a reader."""
    text = str(error) or type(error).__name__
    return text if isinstance(error, InputError) else f"{type(error).__name__}: {text}"
