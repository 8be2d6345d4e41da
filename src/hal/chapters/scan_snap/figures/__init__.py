"""The figures of the chapter on scan and snap that stand still."""

from hal.chapters.scan_snap.figures.at_snap import entropy_at_snap
from hal.chapters.scan_snap.figures.predictions import clock, data, fixed_ratio, growth_factors
from hal.chapters.scan_snap.figures.remarks import asked
from hal.chapters.scan_snap.figures.training import (
    adam,
    curves,
    entropy_grid,
    late,
    lost_inverse_square,
    memory,
    overlap,
    recall,
    residual_connection,
    small,
    text_entropy,
)

__all__ = [
    "adam", "asked", "clock", "curves", "data", "entropy_at_snap", "entropy_grid", "fixed_ratio", "growth_factors",
    "late", "lost_inverse_square", "memory", "overlap", "recall", "residual_connection", "small", "text_entropy",
]  # fmt: skip
