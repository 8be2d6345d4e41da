"""Claim SNAP-25: on real text a larger learning rate leaves sparser attention, and how far that goes.

Chapter `scan_snap`. Source: arXiv 2305.16380, Section 8 and Appendix G (Figures 7 and 10), on texts of our own choice;
the control with shuffled words is ours.
"""

from hal.chapters.scan_snap.models.text import uniform_entropy
from hal.chapters.scan_snap.runs.text import WINDOW, short_run
from hal.claims import Part, Result, claim, result

_STEPS = 300
# A run takes seconds, so this claim has one seed and no blocks. Falls of seeds 0, 1, 2, with which tolerances were set:
# 0.195, 0.149, 0.193 nats. Seeds 3, 4, 5, tried once: 0.142, 0.176, 0.128. Rounding that differs is another seed: 0.140
# for seed 0 on another machine.
_START = uniform_entropy(WINDOW)


@claim(
    "SNAP-25",
    where="Section 8 and Appendix G, Figure 10",
    says=(
        "On real text, with one layer and one rate for all parameters, a larger learning rate leaves sparser "
        f"attention: after {_STEPS} steps of SGD on the King James Bible entropy has not left its start at rate 1 and "
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
    common = {"shuffle": shuffle, "steps": _STEPS, "records": 1, "seed": seed}
    one, three = (run["entropy"][-1] for run in short_run.many([{**common, "eta": eta} for eta in (1.0, 3.0)]))
    return result(
        Part(f"entropy at rate 1, nats (uniform is {_START:.3f})", one, _START, 0.005, drift=0.005),
        Part("fall from rate 1 to 3, nats, recorded", one - three, 0.18, 0.09, drift=0.09),
        seeds=[seed],
    )
