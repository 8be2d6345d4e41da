"""Scan and Snap (arXiv 2305.16380): next-token prediction by one attention layer without positions.

A sequence is its token histogram. `Task` is the data, `Transformer` the task with the model as `lib.train.train` takes
it, `loss_and_gradient` the exact gradient, `attention` and `entropy` what a run is measured by.
"""

from lib.models.scan_snap.fast import *  # noqa: F403 - its `__all__` says what
from lib.models.scan_snap.fast import __all__
