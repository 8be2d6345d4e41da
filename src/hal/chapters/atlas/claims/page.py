"""Claim ATL-11: the program that the page runs is the library's training.

Chapter `atlas`, our own code.
"""

from typing import Any

import numpy as np

from hal.chapters.atlas.models import textbook
from hal.chapters.atlas.runs import fan
from hal.claims import Part, Result, claim, result, seed_block
from lib.portable import finish

_SMALL: dict[str, Any] = {"T": 24, "N": 2, "batch": 16, "lr_V": 0.04, "lr_A": 0.04}
_STEPS = 260


@claim(
    "ATL-11",
    where="our own code",
    says="The program that the page runs and the library's model have attention half-way at the same steps and "
    "readings of the clock, up to what the samples of different seeds do.",
    control={"optimiser": "momentum"},
    breaks="the library's model is trained with momentum",
)
def _check_11(optimiser: str = "gradient descent", block: int = 0) -> Result:
    """Medians over seeds, of the middle run and of the fastest."""
    seeds = seed_block(block, 16)
    settings = textbook.Settings(steps=_STEPS, **_SMALL)
    mine = [finish(textbook, settings, seed) for seed in seeds]
    theirs = fan(seeds, optimiser, steps=_STEPS, late=0, **_SMALL)
    parts = []
    for i, name in ((2, "middle"), (4, "fastest")):
        step = np.median([run["half_step"][i] for run in mine])
        parts.append(Part(f"step at half-way, {name} run", step, float(np.median(theirs.step[:, i])), 0.14, "relative",
                          drift=3.0))  # fmt: skip
    clock = np.median([run["half_clock"][2] for run in mine])
    parts.append(Part("clock at half-way, middle run", clock, float(np.median(theirs.clock[:, 2])), 0.14, "relative",
                      drift=1.0))  # fmt: skip
    return result(*parts, seeds=seeds)
