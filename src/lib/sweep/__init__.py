"""Sweeps: many settings and seeds, on one machine or many; finished points are found again, by `lib.keys`."""

from lib.sweep.result import SweepResult
from lib.sweep.runner import grid, sweep
from lib.sweep.vectorise import Vectorised, vectorised

__all__ = ["SweepResult", "Vectorised", "grid", "sweep", "vectorised"]
