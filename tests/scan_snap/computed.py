"""What the figures of the chapter compute, for the tests of its figures and of its prose."""

import functools

import numpy as np

from hal.chapters.scan_snap.figures import attention
from hal.chapters.scan_snap.runs import adam_text
from hal.figure import Computed, Small
from hal.results import path_of
from hal.results.rows import recorded_rows
from lib.models.scan_snap import textbook
from lib.portable import finish


def drawn(module, **chosen):
    """What a small figure draws, name -> array."""
    return {name: np.array(values) for name, values in Small(module).compute(chosen).theory.items()}


@functools.cache
def endless(**settings):
    """The textbook's training on infinitely long sequences, at the settings of the figure `attention`."""
    chosen = attention.settings(**{**Computed(attention).default, **settings})
    found = finish(textbook, chosen._replace(T=0), 0, attention.probe, attention.at_end)
    return {name: np.array(values) for name, values in found.items()}


def recorded_words():
    """The record of Adam on text by whom and rate: steps (16,), NaN where the loss has not fallen so far; logits of the
    verse's words in alphabetical order, if any run got so far; lost."""
    rows = recorded_rows(path_of("scan_snap", "adam_text"), "the recorded words", adam_text.COMMAND, adam_text.GRID)
    names = ("steps", "logits", "lost")
    return {key: {name: np.array(row[name], float) for name in names if name in row} for key, row in rows.items()}
