"""Optimisers as values: `(init, update)` pairs without hidden state, composed by `chain`; for every chapter.

Gradients go in, the increment to add comes out. Arrays carry the runs (settings x seeds, `R`) on their first
axis, and every hyper-parameter may be a number, one number a run `(R,)`, or a schedule of the step. What is not finite
or out of its range is refused by name (`InputError`) when the optimiser is made; what does not fit the parameters, such
as a field that is missing, an axis that reaches the runs' or another number of runs, at `init`; of a schedule or a
function, at the update.
"""

from lib.optim.affine import project_affine, restore_affine
from lib.optim.base import Transform, apply_updates, chain, freeze, identity, per_field
from lib.optim.hyper import constant, cosine, exponential, piecewise_constant
from lib.optim.moments import adam, momentum, scale_by_adam, scale_by_momentum
from lib.optim.scaling import (
    add_decayed_weights,
    clip_by_global_norm,
    precondition,
    scale,
    scale_by_learning_rate,
    sgd,
)
from lib.optim.sparse import prox_l1

__all__ = [
    "Transform", "adam", "add_decayed_weights", "apply_updates", "chain", "clip_by_global_norm", "constant", "cosine",
    "exponential", "freeze", "identity", "momentum", "per_field", "piecewise_constant", "precondition",
    "project_affine", "prox_l1", "restore_affine", "scale", "scale_by_adam", "scale_by_learning_rate",
    "scale_by_momentum", "sgd",
]  # fmt: skip
