"""The standard runs of group-sparse classification (arXiv 2504.08638): what claims and figures share."""

from hal.chapters.group_sparse.runs.downstream import (
    Downstream,
    error_curves,
    pretrained,
    samples_needed,
)
from hal.chapters.group_sparse.runs.learning import Learned, fast_runs, learn, learn_measured, learn_pair, learn_six

__all__ = [
    "Downstream", "Learned", "error_curves", "fast_runs", "learn", "learn_measured", "learn_pair", "learn_six",
    "pretrained", "samples_needed",
]  # fmt: skip
