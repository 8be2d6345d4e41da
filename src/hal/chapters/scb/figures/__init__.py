"""The figures of the chapter on sparse contextual bigrams that are not explorers; theory is dashed on top."""

from hal.chapters.scb.figures.feedback import fed_back
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
from hal.chapters.scb.figures.samples import samples_table, skip_table

__all__ = [
    "answers", "closure", "convergence", "fed_back", "final_table", "projection", "samples_table", "settings_table",
    "sign_law", "signals_over_time", "skip_table", "softmax", "test_loss",
]  # fmt: skip
