"""The paper's figures of the chapter on scan and snap that stand still."""

from hal.chapters.scan_snap.figures.predictions import clock, fixed_ratio
from hal.chapters.scan_snap.figures.training import adam, entropy_grid, recall, small

__all__ = ["adam", "clock", "entropy_grid", "fixed_ratio", "recall", "small"]
