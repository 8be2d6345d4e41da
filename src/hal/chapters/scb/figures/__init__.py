"""The figures of the chapter on sparse contextual bigrams that are not explorers; theory is dashed on top."""

from hal.chapters.scb.figures.pictures import (
    answers,
    closure,
    convergence,
    final_table,
    projection,
    settings_table,
    sign_law,
    signals_over_time,
    softmax,
    test_loss,
)

__all__ = [
    "answers", "closure", "convergence", "final_table", "projection", "settings_table", "sign_law",
    "signals_over_time", "softmax", "test_loss",
]  # fmt: skip
