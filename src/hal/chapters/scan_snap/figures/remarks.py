"""The picture of three remarks of the paper that it does not try: small data sets, initial logits, a position bias."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

import hal.plots as plots
from hal.chapters.scan_snap.runs.dataset import expected_number, falsely_distinct
from hal.chapters.scan_snap.runs.positions import learned_lead
from hal.chapters.scan_snap.runs.prior import end_ratio
from hal.palette import IDEAS
from hal.plots import finished


def asked(
    sizes: Sequence[int] = (1, 3, 10, 30, 100),
    ahead: Sequence[float] = (0.0, 0.2, 0.4, 0.6, 0.69, 0.8, 1.0, 1.2, 1.4),
    bias: Sequence[float] = (0.0, 0.64, 1.28, 2.56, 3.84, 5.12),
    seeds: Sequence[int] = range(6),
) -> Figure:
    """Falsely distinct tokens over the size of the data, who wins over the initial logit, who leads over the bias.

    Args:
        sizes: sequences of each class.
        ahead: initial logits in nats of a token half as frequent as the most frequent distinct one.
        bias: nats from the first position to the last.
        seeds: one for each run.
    """
    with plots.style():
        fig, (left, middle, right) = plt.subplots(1, 3, figsize=(10, 3.2))
        for n in sizes:
            number = falsely_distinct(n, seeds).number
            left.plot(np.full(len(number), n), number, "o", color=IDEAS["distinct"], ms=4, alpha=0.6)
        many = np.unique(np.geomspace(sizes[0], sizes[-1], 60).round().astype(int))
        plots.theory(left, many, [expected_number(int(each)) for each in many], "expected")
        left.set_xscale("log")
        left.legend(loc="best")
        plots.label_axes(
            left,
            "sequences of each class (number)",
            "falsely distinct tokens (number)",
            "Holds: 100 sequences leave none",
        )
        middle.plot(ahead, [end_ratio(4, float(each)) for each in ahead], "o-", color=IDEAS["attention"], ms=4)
        middle.axhline(1, color=plots.INK, lw=0.8)
        middle.axvline(np.log(2), color=IDEAS["theory"], ls="--", lw=1.2)
        plots.label_axes(
            middle,
            "initial logit of the rarer token (nats)",
            "its attention over the other's (1)",
            "Holds: it wins above ln 2",
        )
        for L, shade in ((128, 0.45), (512, 1.0)):
            lead = [learned_lead(L, float(each), list(seeds[:2])).mean() for each in bias]
            right.plot(bias, lead, "o-", color=IDEAS["attention"], alpha=shade, ms=4, label=f"L = {L}")
        plots.theory(right, bias, [learned_lead(None, float(each), [0])[0] for each in bias], "L infinite")
        right.legend(loc="best")
        plots.label_axes(
            right,
            "bias from first to last position (nats)",
            "lead of the near token (nats)",
            "Holds: the near token leads",
        )
        return finished(fig)
