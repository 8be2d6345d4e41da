"""Sweeps: many settings and seeds, on one machine or many, cached point by point."""

from lib.sweep.keys import leave_out
from lib.sweep.points import grid
from lib.sweep.result import SweepResult
from lib.sweep.runner import sweep
from lib.sweep.vectorise import Vectorised, vectorised

__all__ = ["SweepResult", "Vectorised", "grid", "leave_out", "sweep", "vectorised"]
