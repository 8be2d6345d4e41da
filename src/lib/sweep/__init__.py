"""Sweeps: many settings and seeds, on one machine or many, cached point by point.

`runner` has `sweep` and `grid`, `result` what a sweep returns, `vectorise` the runs that do many settings in one call.
`keys`, `sources` and `cache` keep finished points under the code that computed them.
"""

from lib.keys import leave_out
from lib.sweep.result import SweepResult
from lib.sweep.runner import grid, sweep
from lib.sweep.vectorise import Vectorised, vectorised

__all__ = ["SweepResult", "Vectorised", "grid", "leave_out", "sweep", "vectorised"]
