"""The one-nearest-neighbour task in context and its softmax model (chapter `one_nn`, arXiv 2411.10830)."""

from lib.models.one_nn.contexts import Contexts, Scores, draw_contexts, score
from lib.models.one_nn.dense import (
    Full,
    FullMatrix,
    as_matrix,
    as_pair,
    attention,
    loss_and_gradient,
    off_family,
    predict,
)
from lib.models.one_nn.pair import Pair, ReducedPair, Rows, draw_products, pair_loss_and_gradient, rows_of
from lib.models.one_nn.population import Population, weighted_rows
from lib.models.one_nn.task import (
    LABELS,
    Prompts,
    Task,
    draw_labels,
    fair_signs,
    nearest,
    products,
    sample_prompts,
    separate,
    targets,
    walsh_factors,
)

__all__ = [
    "LABELS", "Contexts", "Full", "FullMatrix", "Pair", "Population", "Prompts", "ReducedPair", "Rows", "Scores",
    "Task", "as_matrix", "as_pair", "attention", "draw_contexts", "draw_labels", "draw_products",
    "fair_signs", "loss_and_gradient", "nearest", "off_family", "pair_loss_and_gradient", "predict", "products",
    "rows_of", "sample_prompts", "score", "separate", "targets", "walsh_factors", "weighted_rows",
]  # fmt: skip
