"""Training: the one loop for any problem and any optimiser, and what a run leaves."""

from lib.train.loop import Record, Task, record_points, train
from lib.train.trajectory import Trajectory

__all__ = ["Record", "Task", "Trajectory", "record_points", "train"]
