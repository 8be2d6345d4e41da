"""Claim SNAP-52: which words Adam attends to in real text, by an equation without random draws.

Chapter `scan_snap`. Beyond the paper; arXiv 2305.16380, Section 8, Figure 5 has Adam, on synthetic data.
"""

from functools import lru_cache

import numpy as np

from hal.chapters.scan_snap.runs.adam_expected import expected
from hal.chapters.scan_snap.runs.adam_text import BATCH, PLAIN, attended
from hal.claims import Part, Result, claim, result, seed_block

QUERY, STEPS = "unto", 180
RATES = {"none": PLAIN, "both": 0.01, "decoder": 0.01, "attention": 0.032}
MARGIN = {"none": 0.015, "both": 0.015, "decoder": 0.015, "attention": 0.03}  # nats
WHO = {
    "none": "gradient descent",
    "both": "Adam in both layers",
    "decoder": "Adam in the decoder",
    "attention": "Adam in attention",
}


@lru_cache(maxsize=len(WHO))
def _told(who: str) -> float:
    return float(expected(QUERY, who, RATES[who])[1][0])


@claim(
    "SNAP-52",
    where="Section 8; beyond the paper",
    says="Where the loss has fallen by a tenth, the words that unto attends to in the Bible are rarer or more frequent "
    "than those of the window by as many nats as Adam without random draws says, whose steps have the mean gradient "
    "over the root mean square of a minibatch's: with gradient descent, and with Adam at 0.01 in the decoder or in "
    "both layers, or at 0.032 in attention. With Adam in the decoder they are rarer than with gradient descent, in "
    "attention alone more frequent than those of the window.",
    control={"batch": 1024},
    breaks="minibatches are eight times as large, so rare words' gradients have less noise",
)
def _check_52(batch: int = BATCH, block: int = 0) -> Result:
    seeds, parts, rarer = seed_block(block, 8), [], {}
    for who, label in WHO.items():
        run = attended(QUERY, who, RATES[who], seeds, batch, STEPS)
        rarer[who] = float(np.mean(run["at"][0, 0]))
        parts.append(
            Part(f"log frequency of the words attended to, {label}", rarer[who], _told(who), MARGIN[who], drift=0.01)
        )
    return result(
        *parts,
        Part("Adam in both layers, against gradient descent", rarer["both"] - rarer["none"], -0.08, 0, "at most", 0.01),
        Part("Adam in the decoder, against gradient descent", rarer["decoder"] - rarer["none"], 0, 0, "at most", 0.01),
        Part("Adam in attention, against the words of the window", rarer["attention"], 0.03, 0, "at least", 0.01),
        seeds=seeds,
    )
