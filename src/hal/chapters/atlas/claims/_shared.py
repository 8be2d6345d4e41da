"""What the claims on the clock share: how far times at half-way spread, and how they go with the learning rate."""

import numpy as np

from hal.chapters.atlas.runs import FACTORS


def spread(values: np.ndarray) -> float:
    """Standard deviation of the logarithm over the five learning rates, mean over seeds with five numbers."""
    return float(np.log(values[np.isfinite(values).all(axis=1)]).std(axis=1).mean())


def exponent(values: np.ndarray) -> float:
    """Slope of the logarithm against that of the learning rate, mean over seeds."""
    return float(np.mean([np.polyfit(np.log(FACTORS), np.log(row), 1)[0] for row in values]))
