"""Models of this chapter alone: few scalars in place of the matrices, logistic regression.

Chapter `group_sparse`. The model is `lib.models.group_sparse`.
"""

from hal.chapters.group_sparse.models.linear import (
    Features,
    LogisticRegression,
    Weights,
    attended,
    flattened,
    one_by_one,
)
from hal.chapters.group_sparse.models.pair import Pair, PairTransformer
from hal.chapters.group_sparse.models.six import ORBITS, Reduced, SixParams, SymmetricTransformer, orbits
