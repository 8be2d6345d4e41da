"""Claim RW-30: how long random starts of all sizes stay on the knife edge, on three sizes of circle and walk.

Chapter `random_walk`. Source: ours, beyond arXiv 2511.23239.
"""

import numpy as np

from hal.chapters.random_walk.runs import escape
from hal.claims import Part, Result, claim, result, seed_block

_SIZES = ((8, 33), (6, 97), (8, 129))
_LARGE, _SMALL = 1e-3, 1e-8


@claim(
    "RW-30",
    where="random initialisation, p = 1; beyond the paper",
    says=(
        r"On three sizes of circle and walk the logarithms of the growth along the drifting edge, added up until "
        r"attention moves, rise one for one with $\log(1/\sigma)$, and those until the first right answers, with half "
        r"the logarithm of the output, half as fast. With no number fitted they tell the step at which attention moves "
        r"at $\sigma=10^{-8}$."
    ),
    control={"loss": "square"},
    breaks="the square loss, whose slope vanishes on the ridge",
)
def _check_30(loss: str = "log", block: int = 0) -> Result:
    seeds, parts = seed_block(block, 16), []
    for K, N in _SIZES:
        starts, size = [escape.Setting(K, N, sigma, "in order") for sigma in (_LARGE, _SMALL)], f"K = {K}, N = {N}"
        found = [escape.escapes(one, seeds, loss) for one in starts]
        for what, expected, said in (("moved", 1.0, "attention moves"), ("right", 0.5, "all answers are right")):
            large, small = (
                np.mean(escape.clocks(one, each[what], what)) for one, each in zip(starts, found, strict=True)
            )
            rise = float((small - large) / np.log(_LARGE / _SMALL))
            parts.append(Part(f"clock until {said} per log of the start, {size}", rise, expected, 0.015))
        late = float(np.mean(np.array(found[1]["moved"], float)))
        name = f"mean step at which attention moves, sigma = {_SMALL:g}, {size}"
        parts.append(Part(name, late, escape.told(starts[1]), 0.08, "relative"))
    return result(*parts, seeds=seeds)
