"""The standard runs of the chapter: what its explorers, figures and claims share."""

from hal.chapters.one_nn.runs.training import descent, fast_runs, learn, learn_pair, reduced_flow, shift_scores

__all__ = ["descent", "fast_runs", "learn", "learn_pair", "reduced_flow", "shift_scores"]
