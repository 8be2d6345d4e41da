"""The figures of the chapter on sparse contextual bigrams that are not explorers; theory is dashed on top."""

from hal.chapters.scb.figures.one_sample import sample
from hal.chapters.scb.figures.predictions import closure, projection, sign_law, signals_over_time
from hal.chapters.scb.figures.training import answers, convergence, final_table, settings_table, softmax, test_loss

__all__ = [
    "answers", "closure", "convergence", "final_table", "projection", "sample", "settings_table", "sign_law",
    "signals_over_time", "softmax", "test_loss",
]  # fmt: skip
