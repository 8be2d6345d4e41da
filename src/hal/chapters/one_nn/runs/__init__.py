"""The standard runs of the chapter: what its explorers, figures and claims share."""

from hal.chapters.one_nn.runs.shift import shift_scores
from hal.chapters.one_nn.runs.training import descent, learn, learn_pair, reduced_flow

__all__ = ["descent", "learn", "learn_pair", "reduced_flow", "shift_scores"]
