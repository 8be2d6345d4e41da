"""Claim SNAP-51: what the paper's statements on the fates of tokens have to do with its bound on correlations.

Chapter `scan_snap`. Source: arXiv 2305.16380, Assumption 2, Theorems 2 and 3, tried in joint training.
"""

import numpy as np

from hal.chapters.scan_snap.runs import weak
from hal.chapters.scan_snap.runs.learning import learn, rates
from hal.claims import Part, Result, claim, result, seed_block
from lib import optim

_INSIDE, _OUTSIDE = 0.5, 6.0


@claim(
    "SNAP-51",
    where="Assumption 2, Theorems 2 and 3; in joint training, beyond the paper",
    says="The bound of Assumption 2 on the correlation of classes does not mark where joint training leaves the "
    "theorems. With one common token, of a different frequency in each of five classes, it loses attention, but so "
    "does about a quarter of the distinct tokens at half of the bound, and half of them at six times the bound. In the "
    "reference dynamics all distinct tokens gain, and the more frequent ones gain more, at both.",
    control={"kind": "equal"},
    breaks="ten common tokens that are equally frequent in all classes, which differ in the names of tokens only",
)
def _check_51(kind: str = "one", block: int = 0) -> Result:
    seeds = seed_block(block, 8)
    near, far = (weak.statements(kind, strength, seeds) for strength in (_INSIDE, _OUTSIDE))
    obeying = near["distinct"][near["obeys"] == 1]
    both = {name: np.concatenate([near[name], far[name]]) for name in weak.READ}
    task = weak.language(kind, _OUTSIDE, seeds[0])
    steps = round(weak.LATE * weak.K * np.log(weak.M))
    plain = learn(task, [0], rates(1.0, 1.0, optim.sgd), steps, record_at=[0, steps])
    counted = weak.held(task, plain.params.Z[0, 0])[0]
    return result(
        Part("fraction of the languages that obey Assumption 2, at half of the bound", near["obeys"].mean(), 0.5, 0,
             "at least", drift=0.01),
        Part("the same at six times the bound", far["obeys"].mean(), 0.0),
        Part("distinct tokens that gain, joint flow, in those that obey it", obeying.mean(), 0.77, 0.13,
             drift=0.03),
        Part("the same at six times the bound", far["distinct"].mean(), 0.5, 0.15, drift=0.03),
        Part("the same of one language, over gradient descent in steps", far["distinct"][0] / counted, 1.0),
        Part("common tokens that lose, joint flow, least of all runs", both["common"].min(), 1.0),
        Part("distinct tokens that gain, reference dynamics, least", both["reference distinct"].min(), 1.0),
        Part("the more frequent one gains more, reference dynamics, least", both["reference order"].min(), 1.0),
        seeds=seeds,
    )  # fmt: skip
