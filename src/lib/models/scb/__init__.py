"""The sparse contextual bigram task and its one-layer models (chapter `scb`, arXiv 2410.23438)."""

from lib.models.scb.fast import (
    Batch,
    LinearTransformer,
    Params,
    SoftmaxParams,
    SoftmaxTransformer,
    Task,
    alpha_A,
    alpha_V,
    as_linear,
    centred_V,
    delta_A,
    delta_U,
    delta_V,
    distance_A,
    distance_V,
    even_weights,
    loss_and_gradient,
    mu_inner,
    mu_inner_rows,
    mu_norm,
    mu_norm_rows,
    ring_task,
    ring_transition,
    sample,
    skewed_law,
    sparse_targets,
)

__all__ = [
    "Batch", "LinearTransformer", "Params", "SoftmaxParams", "SoftmaxTransformer", "Task", "alpha_A", "alpha_V",
    "as_linear", "centred_V", "delta_A", "delta_U", "delta_V", "distance_A", "distance_V", "even_weights",
    "loss_and_gradient", "mu_inner", "mu_inner_rows", "mu_norm", "mu_norm_rows", "ring_task", "ring_transition",
    "sample", "skewed_law", "sparse_targets",
]  # fmt: skip
