"""What only chapter `scb` trains and measures (arXiv 2410.23438); the model itself is in `lib.models.scb`."""

from hal.chapters.scb.models.builders import (
    centred,
    correlated_signal,
    mix,
    random_task,
    random_transition,
    uniform_random_transition,
)
from hal.chapters.scb.models.measures import (
    best_V,
    chi_squared,
    distance_to_flow,
    irreducible_loss,
    mirrored,
    normalised,
    population_loss,
    round_attention,
    similarity_A,
    support_recovered,
    top_cells_are_support,
    unmirror,
)
from hal.chapters.scb.models.surrogate import GaussianSurrogate
