"""Scan and Snap (arXiv 2305.16380): next-token prediction by one attention layer without positions.

A sequence is its token histogram. `Task` is the data, `Transformer` the task with the model as `lib.train.train` takes
it, `loss_and_gradient` the exact gradient, `attention` and `entropy` what a run is measured by.
"""

from lib.models.scan_snap.fast import (
    Batch,
    Params,
    Task,
    Transformer,
    attention,
    base_task,
    entropy,
    entropy_of,
    loss_and_gradient,
    mass_on,
    output_weights,
    population,
    random_start,
    sample,
    zero_start,
)

__all__ = [
    "Batch", "Params", "Task", "Transformer", "attention", "base_task", "entropy", "entropy_of", "loss_and_gradient",
    "mass_on", "output_weights", "population", "random_start", "sample", "zero_start",
]  # fmt: skip
