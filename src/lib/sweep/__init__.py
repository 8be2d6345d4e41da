"""Sweeps: many settings and seeds, on one machine or many, cached point by point."""

from lib.sweep.cost import Forecast, Own, duration, forecast
from lib.sweep.keys import leave_out
from lib.sweep.points import grid
from lib.sweep.result import SweepResult
from lib.sweep.runner import sweep
from lib.sweep.vectorise import Vectorised, vectorised

__all__ = [
    "Forecast", "Own", "SweepResult", "Vectorised", "duration", "forecast", "grid", "leave_out", "sweep", "vectorised",
]  # fmt: skip
