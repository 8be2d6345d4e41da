"""The walk on a circle and the one-layer transformer that predicts it (chapter `random_walk`, arXiv 2511.23239)."""

from lib.models.random_walk.fast import (
    LOSSES,
    SUMS,
    Circulant,
    CirculantTransformer,
    Layer,
    Minimal,
    MinimalTransformer,
    Turns,
    Walk,
    Walks,
    accuracy,
    attended_lag,
    direction_distance,
    divergence,
    loss_of,
    predicted,
    turned_accuracy,
    turns,
)

__all__ = [
    "LOSSES", "SUMS", "Circulant", "CirculantTransformer", "Layer", "Minimal", "MinimalTransformer", "Turns", "Walk",
    "Walks", "accuracy", "attended_lag", "direction_distance", "divergence", "loss_of", "predicted", "turned_accuracy",
    "turns",
]  # fmt: skip
