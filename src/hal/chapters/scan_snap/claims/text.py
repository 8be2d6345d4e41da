"""Claim SNAP-25: on real text a larger learning rate leaves sparser attention, and how far that goes.

Chapter `scan_snap`. Source: arXiv 2305.16380, Section 8 and Appendix G (Figures 7 and 10), on texts of our own choice;
the control with shuffled words is ours.
"""

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scan_snap.models.text import uniform_entropy
from hal.chapters.scan_snap.runs.text import WINDOW, short_run
from hal.claims import Part, Result, claim, result

_ONE, _THREE = 300, 250  # steps, with one layer and with three
# A run takes seconds, so these claims have one seed and no blocks. Falls of seeds 0, 1, 2 on the text, with which the
# tolerances were set: 0.195, 0.149, 0.193 nats with one layer, 0.56, 0.58, 0.45 with three. Seeds 3, 4, 5, tried once:
# 0.142, 0.176, 0.128 and 0.61, 0.36, 0.51. Rounding that differs is another seed: 0.140 for seed 0 on another machine.
_START = uniform_entropy(WINDOW)


def _entropy(etas: tuple[float, ...], layers: int, steps: int, seed: int, shuffle: bool) -> NDArray[np.float64]:
    """Validation attention entropy after training on the Bible, (rates, layers) in nats."""
    common = {"corpus": "kjv", "layers": layers, "shuffle": shuffle, "steps": steps, "records": 1, "seed": seed}
    return np.stack([run["entropy"][-1] for run in short_run.many([{**common, "eta": eta} for eta in etas])])


@claim(
    "SNAP-25",
    where="Section 8 and Appendix G, Figure 10",
    says=(
        "On real text, with one layer and one rate for all parameters, a larger learning rate leaves sparser "
        f"attention: after {_ONE} steps of SGD on the King James Bible entropy has not left its start at rate 1 and "
        "has fallen at rate 3."
    ),
    control={"shuffle": True},
    breaks="the words are shuffled: there is nothing left to look for, and attention stays uniform",
    verdict="holds in a regime",
    regime=(
        "Early in training, and not at the largest rates. At rate 5, and later at rate 2 (after about 1200 steps), "
        "attention collapses on shuffled words too, as the recorded longer runs show: there the noise of large steps "
        "is enough, and a fall says little about the text."
    ),
)
def _check_25(shuffle: bool = False, seed: int = 0) -> Result:
    one, three = _entropy((1.0, 3.0), 1, _ONE, seed, shuffle)[:, 0]
    return result(
        Part(f"entropy at rate 1, nats (uniform is {_START:.3f})", one, _START, 0.005, drift=0.005),
        Part("fall from rate 1 to 3, nats, recorded", one - three, 0.18, 0.09, drift=0.09),
        seeds=[seed],
    )
