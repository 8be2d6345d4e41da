"""What the explorers of the chapter share: sliders, named alike through the whole chapter, and the columns of maps."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lib.explorer import Slider
from lib.models import scb

# Positions drawn in the map: all useful ones first, then as many others; a map of 512 columns shows nothing.
COLUMNS = 40

TIME_LABEL = "training time (steps)"
_SLIDERS = {
    "T": Slider("Context T", unit="tokens", integer=True, live=(32, 2048)),
    "N": Slider("Vocabulary N", unit="tokens", integer=True, live=(2, 12)),
    "Q": Slider("Sparsity Q", unit="positions", integer=True, live=(1, 8)),
    "skew": Slider("Skew of μ", unit="no unit", live=(0.0, 1.5)),
    "lr": Slider("Learning rate η", unit="no unit", live=(0.01, 0.06)),
    "batch": Slider("Batch B", unit="samples", integer=True, live=(2, 256)),
    "samples": Slider("Samples", unit="samples", integer=True, live=(16, 32768)),
    "lam": Slider("Threshold λ / η", unit="no unit", live=(0.0, 1.0)),
    "c": Slider("Strength c of P", unit="no unit", live=(0.3, 1.0)),
    "rho": Slider("Correlation ρ", unit="no unit", live=(0.05, 1.0)),
    "seed": Slider("Seed", unit="no unit", integer=True, live=(0, 99)),
}


def sliders(*names: str) -> dict[str, Slider]:
    """The sliders of these settings, named alike through the whole chapter."""
    return {name: _SLIDERS[name] for name in names}


def columns(task: scb.Task) -> NDArray[np.intp]:
    """Positions to draw, (columns,): the useful ones, then others, in the order of the context."""
    useful = np.flatnonzero(task.Q.any(axis=0))
    other = np.flatnonzero(~task.Q.any(axis=0))
    room = min(COLUMNS, task.T) - useful.size
    return np.sort(np.r_[useful, other[np.linspace(0, other.size - 1, room).astype(int)]])
