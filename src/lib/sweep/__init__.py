"""Sweeps: many settings and seeds, on one machine or many, cached point by point.

`vectorise` has the runs that do many settings in one call, `lib.keys` what a stored point is found again by.
"""

from lib.sweep.result import SweepResult
from lib.sweep.runner import grid, sweep
from lib.sweep.vectorise import Vectorised, vectorised

__all__ = ["SweepResult", "Vectorised", "grid", "sweep", "vectorised"]
