"""Claim SCB-44: where the best threshold lies, a piece of the recorded thresholds on other seeds.

Chapter `scb`. Beyond arXiv 2410.23438, whose Section 3.3 asks for a suitable threshold.
"""

from hal.chapters.scb.claims._measure import WholePopulation
from hal.chapters.scb.runs import threshold
from hal.claims import Part, Result, claim, result, seed_block
from lib.models import scb

_LEVELS = threshold.LEVELS[2:13]  # over the base step, 0.008 to 0.256


def _best(T: int, B: int, seeds: range, noise: bool) -> float:
    """The threshold over the base step with the smallest |V - P|."""
    model = None if noise else WholePopulation(scb.ring_task(T, rng=0))
    ends = threshold.ends(T, B, _LEVELS, seeds, model=model)
    return float(threshold.best(threshold.errors(ends, "V", 0, skip=0), _LEVELS)[0, 0])


@claim(
    "SCB-44",
    where="beyond the paper (Section 3.3 asks for a suitable threshold)",
    says="The threshold that ends nearest to $P$ is the one at which noise and threshold cancel along the valley: "
    r"$\lambda/\eta$ is the squared noise that it leaves in all useless entries together. So it grows with the "
    "context, falls with the batch, and is far below what one step adds to an entry at random.",
    control={"noise": False},
    breaks="no noise: the smallest threshold is the best",
)
def _check_44(noise: bool = True, block: int = 0) -> Result:
    """`noise`: whether batches are finite."""
    seeds = seed_block(block, 8)
    found = {(T, B): _best(T, B, seeds, noise) for T, B in ((64, 64), (256, 16), (256, 64))}
    one_step = found[256, 64] / threshold.noise_level(256, 64)
    return result(
        *(Part(f"best threshold over the one that cancels, T = {T}, batch {B}", best / threshold.balanced(T, B), 1.0,
               0.2) for (T, B), best in found.items()),
        Part("best threshold over the noise of one step, T = 256, batch 64", one_step, 0.25, 0, "at most"),
        seeds=seeds if noise else (),
    )  # fmt: skip
