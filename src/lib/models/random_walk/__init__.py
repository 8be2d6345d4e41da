"""The walk on a circle and the one-layer transformer that predicts it (chapter `random_walk`, arXiv 2511.23239)."""

from lib.models.random_walk.circulant import Circulant, CirculantTransformer, Turns, turns
from lib.models.random_walk.dense import Dense, DenseTransformer, sine_positions
from lib.models.random_walk.graphs import GraphWalk, path_steps, regular_steps, uneven
from lib.models.random_walk.heads import HeadedTransformer, Heads
from lib.models.random_walk.losses import LOSSES, loss_of
from lib.models.random_walk.measures import (
    accuracy,
    attended_lag,
    direction_distance,
    divergence,
    predicted,
    turned_accuracy,
)
from lib.models.random_walk.minimal import SUMS, Layer, Minimal, MinimalTransformer
from lib.models.random_walk.positions import Placed, PlacedTransformer
from lib.models.random_walk.questions import WORDS, most_frequent, preferred
from lib.models.random_walk.walks import Walk, Walks

__all__ = [
    "LOSSES", "SUMS", "WORDS", "Circulant", "CirculantTransformer", "Dense", "DenseTransformer", "GraphWalk",
    "HeadedTransformer", "Heads", "Layer", "Minimal", "MinimalTransformer", "Placed", "PlacedTransformer", "Turns",
    "Walk", "Walks", "accuracy", "attended_lag", "direction_distance", "divergence", "loss_of", "most_frequent",
    "path_steps", "predicted", "preferred", "regular_steps", "sine_positions", "turned_accuracy", "turns", "uneven",
]  # fmt: skip
