"""The figures of the chapter on sparse contextual bigrams that are not explorers; theory is dashed on top."""

from hal.chapters.scb.figures.pictures import (
    convergence,
    final_table,
    projection,
    settings_table,
    signals_over_time,
    softmax,
    test_loss,
)

__all__ = [
    "convergence", "final_table", "projection", "settings_table", "signals_over_time", "softmax", "test_loss",
]  # fmt: skip
