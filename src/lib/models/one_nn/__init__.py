"""The one-nearest-neighbour task in context and its softmax model (chapter `one_nn`, arXiv 2411.10830)."""

from lib.models.one_nn.fast import (
    LABELS,
    Full,
    FullMatrix,
    Pair,
    Prompts,
    ReducedPair,
    Rows,
    Task,
    as_matrix,
    as_pair,
    attention,
    draw_labels,
    draw_products,
    fair_signs,
    loss_and_gradient,
    nearest,
    off_family,
    pair_loss_and_gradient,
    predict,
    products,
    rows_of,
    sample_prompts,
    separate,
    targets,
    walsh_factors,
)

__all__ = [
    "LABELS", "Full", "FullMatrix", "Pair", "Prompts", "ReducedPair", "Rows", "Task", "as_matrix", "as_pair",
    "attention", "draw_labels", "draw_products", "fair_signs", "loss_and_gradient", "nearest", "off_family",
    "pair_loss_and_gradient", "predict", "products", "rows_of", "sample_prompts", "separate", "targets",
    "walsh_factors",
]  # fmt: skip
