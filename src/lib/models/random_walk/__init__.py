"""The walk on a circle and the one-layer transformer that predicts it (chapter `random_walk`, arXiv 2511.23239)."""

from lib.models.random_walk.circulant import Circulant, CirculantTransformer, Turns, turns
from lib.models.random_walk.dense import Dense, DenseTransformer, sine_positions
from lib.models.random_walk.measures import (
    accuracy,
    attended_lag,
    direction_distance,
    divergence,
    odd_lags,
    predicted,
    turned_accuracy,
)
from lib.models.random_walk.minimal import LOSSES, SUMS, Layer, Minimal, MinimalTransformer, loss_of
from lib.models.random_walk.variants import GraphWalk, path_steps
from lib.models.random_walk.walks import WORDS, Walk, Walks, most_frequent, preferred

__all__ = [
    "LOSSES", "SUMS", "WORDS", "Circulant", "CirculantTransformer", "Dense", "DenseTransformer", "GraphWalk",
    "Layer", "Minimal", "MinimalTransformer", "Turns",
    "Walk", "Walks", "accuracy", "attended_lag", "direction_distance", "divergence", "loss_of", "most_frequent",
    "odd_lags", "path_steps", "predicted", "preferred", "sine_positions", "turned_accuracy", "turns",
]  # fmt: skip
