"""Claim GS-26: what positional encodings mean to Adam.

Chapter `group_sparse`. Source: beyond arXiv 2504.08638, which takes sines and gradient descent.
"""

import numpy as np

from hal.claims import Part, Result, claim, result, seed_block
from lib import optim
from lib.models import group_sparse as gs
from lib.sampling import generators
from lib.train import GivenBatches, train

_TASK = gs.Task(D=6, d=4)
_RUNS = 8  # of a median


@claim(
    "GS-26",
    where="beyond the paper",
    says=(
        "Gradient descent does not feel which orthogonal positional encodings of one norm it has (GS-3). Adam does: at "
        "0.03 (200 examples of 6 groups of 4, 120 steps) it has at least 0.3 more of its attention on the group with "
        "unit vectors than with sines (medians of eight runs on the same examples)."
    ),
    control={"adam": False},
    breaks="plain gradient descent at 0.3",
)
def _check_26(adam: bool = True, block: int = 0) -> Result:
    seeds = seed_block(block, _RUNS)
    given, rule = _TASK.sample(200, generators(seeds)), optim.adam(0.03) if adam else optim.sgd(0.3)
    found = []
    for positions in (np.sqrt(3.5) * np.eye(6), gs.sine_positions(6)):
        model = gs.GroupTransformer(_TASK, positions)
        params = train(GivenBatches(model, [given]), model.init(_RUNS), rule, 120).params
        found.append(float(np.median(gs.mean_attention(params, model, given.X))))
    unit, sines = found
    return result(
        Part("median attention with unit vectors, less that with sines", unit - sines, 0.3, 0, "at least", drift=0.05),
        seeds=seeds,
    )
