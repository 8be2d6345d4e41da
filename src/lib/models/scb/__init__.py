"""The sparse contextual bigram task and its one-layer models (chapter `scb`, arXiv 2410.23438)."""

from lib.models.scb.builders import even_weights, random_task, ring_task, sparse_targets
from lib.models.scb.feedback import Chains
from lib.models.scb.model import Batch, LinearTransformer, Params, loss_and_gradient, sample
from lib.models.scb.related import centred, correlated_signal, stochastic_scale
from lib.models.scb.rounding import best_V, normalised, round_attention
from lib.models.scb.screening import chi_squared, top_cells_are_support
from lib.models.scb.signal import (
    alpha_A,
    alpha_V,
    centred_V,
    delta_A,
    delta_U,
    delta_V,
    distance_A,
    distance_to_flow,
    distance_V,
    irreducible_loss,
    mirrored,
    population_loss,
    similarity_A,
    similarity_V,
    support_recovered,
    unmirror,
)
from lib.models.scb.softmax import SoftmaxParams, SoftmaxTransformer, as_linear
from lib.models.scb.surrogate import GaussianSurrogate
from lib.models.scb.task import Task, mu_inner, mu_inner_rows, mu_norm, mu_norm_rows
from lib.models.scb.transitions import (
    mix,
    random_transition,
    ring_transition,
    skewed_law,
    uniform_random_transition,
)

__all__ = [name for name in dir() if not name.startswith("_")]
