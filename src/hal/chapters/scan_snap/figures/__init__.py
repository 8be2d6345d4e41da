"""The figures of the chapter on scan and snap that stand still."""

from hal.chapters.scan_snap.figures.at_snap import entropy_at_snap
from hal.chapters.scan_snap.figures.predictions import clock, data, fixed_ratio, growth_factors
from hal.chapters.scan_snap.figures.remarks import asked
from hal.chapters.scan_snap.figures.spurious import tokens_by_chance
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
from hal.chapters.scan_snap.figures.weak import beyond_weak

__all__ = [
    "adam", "asked", "beyond_weak", "clock", "curves", "data", "entropy_at_snap", "entropy_grid",
    "fixed_ratio", "growth_factors", "late", "lost_inverse_square", "memory", "overlap", "recall",
    "residual_connection", "small", "text_entropy", "tokens_by_chance",
]  # fmt: skip
