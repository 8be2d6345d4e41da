"""What the figures of the chapter compute, for the tests of its figures and of its prose."""

import functools

import numpy as np

from hal.chapters.scan_snap.figures import attention
from hal.figure import Computed
from lib.models.scan_snap import textbook
from lib.portable import finish


@functools.cache
def computed(module, **settings):
    """Theory, readings and facts of one run of a figure."""
    result = Computed(module).compute(settings, runs=1)
    return {name: np.array(values) for name, values in {**result.theory, **result.runs[0]}.items()}, result.facts


@functools.cache
def endless(**settings):
    """The textbook's training on infinitely long sequences, at the settings of the figure `attention`."""
    chosen = attention.settings(**{**Computed(attention).default, **settings})
    found = finish(textbook, chosen._replace(T=0), 0, attention.probe, attention.at_end)
    return {name: np.array(values) for name, values in found.items()}
