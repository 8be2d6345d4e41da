"""The paper's figures of the chapter on scan and snap that stand still."""

from hal.chapters.scan_snap.figures._stills import adam, clock, entropy_grid, fixed_ratio, recall, small

__all__ = ["adam", "clock", "entropy_grid", "fixed_ratio", "recall", "small"]
