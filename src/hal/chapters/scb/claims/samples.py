"""Claim SCB-41: pieces of the recorded samples on other seeds.

Chapter `scb`. All beyond arXiv 2410.23438, whose Theorem 3.1 gives no powers.
"""

from functools import lru_cache

import numpy as np

from hal.chapters.scb.runs.samples import fewest, first_samples
from hal.claims import Part, Result, claim, result, seed_block

_LENGTHS, _BATCHES = (32, 128), (4, 16)


@lru_cache(maxsize=32)
def _samples(T: int, optimiser: str, attention: str, seeds: range) -> dict[str, float]:
    """Fewest samples for each of the two goals at these batches, with the true sign."""
    found = [first_samples(T, 4, 2, optimiser, attention, batch, seeds) for batch in _BATCHES]
    goals = ("where", "little else")
    return {g: float(fewest([[0, 0, one] for each in found for one in each[g]], True, 0)[0]) for g in goals}


def _power(goal: str, optimiser: str, attention: str, seeds: range) -> float:
    """Exponent in T between the two lengths."""
    few, many = (_samples(T, optimiser, attention, seeds)[goal] for T in _LENGTHS)
    return float(np.log(many / few) / np.log(_LENGTHS[1] / _LENGTHS[0]))


@claim(
    "SCB-41",
    where=r"Beyond the paper; Theorem 3.1 ($\mathrm{poly}(T)$ samples before $\tau_1$), with exponents",
    says="Linear attention that is to look at its positions and at little else needs samples that grow with $T$ to a "
    "power of at least 0.65, by gradient descent and by Adam. To find the positions the power is at most 0.6. A soft "
    "threshold takes the difference away.",
    control={"attention": "softmax"},
    breaks="attention is a softmax, whose useless positions fall silent by themselves",
)
def _check_41(attention: str = "linear", block: int = 0) -> Result:
    """`attention`: linear or softmax."""
    seeds = seed_block(block, 16)
    powers = {name: _power("little else", name, attention, seeds) for name in ("gradient descent", "Adam")}
    plain, soft = (
        _samples(128, name, attention, seeds)["little else"] for name in ("gradient descent", "soft threshold")
    )
    return result(
        *(Part(f"power of T, 32 to 128, little else, {name}", power, 0.65, 0, "at least", 0.1)
          for name, power in powers.items()),
        *(Part(f"power of T, positions alone, {name}", _power("where", name, attention, seeds), 0.6, 0, "at most", 0.1)
          for name in powers),
        Part("samples at T = 128, soft threshold over none", soft / plain, 0.7, 0, "at most", 0.1),
        seeds=seeds,
    )  # fmt: skip
