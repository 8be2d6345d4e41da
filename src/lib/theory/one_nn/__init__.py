"""What theory predicts in the chapter `one_nn`; it knows nothing of models and training."""

from lib.theory.one_nn.beyond import slope_off_family, triple_share
from lib.theory.one_nn.ends import (
    GAP_INTEGRAL,
    late_loss,
    late_xi1,
    start_loss,
    start_slope,
    time_to_loss,
    typical_distance,
)
from lib.theory.one_nn.reduced import ReducedPath, flow, reduced_gradient, reduced_loss
from lib.theory.one_nn.shift import prediction_bound, separated_loss, separated_slope
from lib.theory.one_nn.signs import wrong_sign
from lib.theory.one_nn.sphere import cdf, gap_density, nearest_mean, quantile

__all__ = [
    "GAP_INTEGRAL", "ReducedPath", "cdf", "flow", "gap_density", "late_loss", "late_xi1", "nearest_mean",
    "prediction_bound", "quantile", "reduced_gradient", "reduced_loss", "separated_loss", "separated_slope",
    "slope_off_family", "start_loss", "start_slope", "time_to_loss", "triple_share", "typical_distance", "wrong_sign",
]  # fmt: skip
