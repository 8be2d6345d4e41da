"""The sparse contextual bigram task and its one-layer models (chapter `scb`, arXiv 2410.23438)."""

from lib.models.scb.builders import (
    centred,
    correlated_signal,
    even_weights,
    mix,
    random_task,
    random_transition,
    ring_task,
    ring_transition,
    skewed_law,
    sparse_targets,
    uniform_random_transition,
)
from lib.models.scb.model import (
    Batch,
    LinearTransformer,
    Params,
    SoftmaxParams,
    SoftmaxTransformer,
    as_linear,
    loss_and_gradient,
    sample,
)
from lib.models.scb.signal import (
    alpha_A,
    alpha_V,
    best_V,
    centred_V,
    chi_squared,
    delta_A,
    delta_U,
    delta_V,
    distance_A,
    distance_to_flow,
    distance_V,
    irreducible_loss,
    mirrored,
    normalised,
    population_loss,
    round_attention,
    similarity_A,
    similarity_V,
    support_recovered,
    top_cells_are_support,
    unmirror,
)
from lib.models.scb.task import Task, mu_inner, mu_inner_rows, mu_norm, mu_norm_rows

__all__ = [
    "Batch", "LinearTransformer", "Params", "SoftmaxParams", "SoftmaxTransformer",
    "Task", "alpha_A", "alpha_V", "as_linear", "best_V", "centred", "centred_V", "chi_squared", "correlated_signal",
    "delta_A", "delta_U", "delta_V", "distance_A", "distance_V", "distance_to_flow", "even_weights", "irreducible_loss",
    "loss_and_gradient", "mirrored", "mix", "mu_inner", "mu_inner_rows", "mu_norm", "mu_norm_rows", "normalised",
    "population_loss", "random_task", "random_transition", "ring_task", "ring_transition", "round_attention", "sample",
    "similarity_A", "similarity_V", "skewed_law", "sparse_targets", "support_recovered",
    "top_cells_are_support", "uniform_random_transition", "unmirror",
]  # fmt: skip
