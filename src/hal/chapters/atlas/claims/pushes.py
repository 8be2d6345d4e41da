"""Claim ATL-23: two pushes on attention in Sentences, added up along the path of each run, are its clock without a fit.

Chapter `atlas`. Source: our own.
"""

import numpy as np

from hal.chapters.atlas.runs.pushes import VERSIONS, asked, clocks
from hal.claims import Part, Result, claim, result, seed_block
from lib.models import scan_snap as ss

_TIMES = (0.25, 1.0, 4.0)  # of the decoder's learning rate


@claim(
    "ATL-23",
    where="our own",
    says="In Sentences attention is half-way when two pushes, the contrast's less that of what the decoder says alike "
    "of both classes, have added up to what the log-odds of the level ask for, at learning rates of the read-out "
    "sixteen times apart and with no fitted number. It takes the shapes that the decoder really has and sequences of "
    "the real length: pushes that know attention alone spread as much as the step.",
    control={"alike": 0.5},
    breaks="half of the push by what the decoder says alike of both classes",
)
def _check_23(alike: float = 1.0, block: int = 0) -> Result:
    seeds, told = seed_block(block, 4), asked(ss.base_task())
    found = np.stack([clocks(seeds, times, alike, steps=100) for times in _TIMES])  # (times, 1 + versions, seeds)
    spread = np.log(found).std(axis=0).mean(axis=-1)
    known = {version: 1 + k for k, version in enumerate(VERSIONS)}
    whole, attention = known["decoder", "finite"], known["attention", "infinite"]
    parts = [
        Part(f"clock at half-way over what is asked, {times:g} times the learning rate", row[whole].mean() / told, 1.0,
             0.04, drift=0.01)
        for times, row in zip(_TIMES, found, strict=True)
    ]  # fmt: skip
    return result(
        *parts,
        Part("spread of the clock, standard deviation of its logarithm", spread[whole], 0.04, kind="at most",
             drift=0.005),
        Part("spread of the clock of attention alone over that of the step", spread[attention] / spread[0], 0.9,
             kind="at least", drift=0.02),
        seeds=seeds,
    )  # fmt: skip
