"""Claims SNAP-44 to SNAP-46: three remarks of the paper that it does not try, each tried with a small run.

Chapter `scan_snap`. Source: arXiv 2305.16380, Sections 5, 7 and 9.
"""

import numpy as np

from hal.chapters.scan_snap.runs.dataset import expected_number, falsely_distinct
from hal.chapters.scan_snap.runs.positions import learned_lead
from hal.chapters.scan_snap.runs.prior import threshold, wins
from hal.claims import Part, Result, claim, result, seed_block

_SIZES = (3, 10)  # sequences of each class
_BIAS = 2.56  # nats from the first position to the last: 0.02 a token at 128 tokens


@claim(
    "SNAP-44",
    where="Section 9 (large data sets suppress spurious tokens), left there to future work",
    says=(
        "A common token that a small data set shows in one class only is learned as a distinct one: its logit rises. "
        r"Of $m$ tokens of probability $p$, $2mq(1-q)$ look so in $n$ sequences of each class, with "
        "$q=(1-p)^{nL}$; so their number falls exponentially as the data grow. Being rare, they "
        "gain no attention all the same: frequent distinct tokens gain more."
    ),
    control={"more": 100},
    breaks="a hundred times as much data, in which the same tokens occur in both classes",
)
def _check_44(more: int = 1, block: int = 0) -> Result:
    parts, seeds = [], seed_block(block, 24)
    for n in _SIZES:
        found = falsely_distinct(n, seeds, more)
        name = f"{n} sequences of each class"
        parts += [
            Part(
                f"{name}: falsely distinct tokens over their expected number",
                found.number.mean() / expected_number(n),
                1,
                0.2,
            ),
            Part(f"{name}: fraction of them whose logit rises", float(np.nanmean(found.rise)), 0.99, 0, "at least"),
            Part(
                f"{name}: attention on them after training over before",
                (found.after / found.before).mean(),
                1,
                0.03,
            ),
        ]
    return result(*parts, seeds=seeds)


@claim(
    "SNAP-45",
    where="Section 5 (initial value as prior information); in joint training beyond the paper",
    says=(
        "Initial logits act as a prior. Of two distinct tokens of a class the one with the larger "
        r"$P(l\mid n)\,e^{z_l}$ at initialisation ends ahead, also in joint training: a token that is $r$ times as "
        r"rare needs an initial logit of $\ln r$."
    ),
    control={"known": 0.5},
    breaks="a decoder that knows the frequent token at initialisation: the two tokens differ in more than their logits",
)
def _check_45(known: float = 0.0, block: int = 0) -> Result:
    parts, seeds = [], seed_block(block, 10)
    for rank, ratio in ((1, 5.0), (4, 2.0), (7, 1.25)):
        found = threshold(rank, known=known)
        parts.append(Part(f"threshold over ln r in the joint flow, r = {ratio:g}", found / np.log(ratio), 1, 2e-3))
    for ahead, expected in ((np.log(2) - 0.4, 0.0), (np.log(2) + 0.4, 1.0)):
        word = f"proportion of training runs in which a token half as frequent wins, {ahead - np.log(2):+.1f} nats"
        parts.append(Part(f"{word} from ln 2", wins(4, ahead, seeds).mean(), expected, 0.2))
    return result(*parts, seeds=seeds)


@claim(
    "SNAP-46",
    where="Section 7 (positional encoding), stated there as a remark",
    says=(
        "A linear position bias acts as a prior on tokens. In long sequences the layer learns as if each token were as "
        "frequent as the weights of its positions make it: of two equally frequent tokens the one near the query wins. "
        "Shorter sequences overshoot, by an amount that falls like one over the length."
    ),
    control={"bias": 0.0},
    breaks="no bias: the two tokens count equally, and neither gains on the other",
)
def _check_46(bias: float = _BIAS, block: int = 0) -> Result:
    seeds = seed_block(block, 4)
    limit = float(learned_lead(None, bias, seeds)[0])
    short, long = (float(learned_lead(L, bias, seeds).mean()) for L in (128, 512))
    ratio = (short - limit) / (long - limit)
    return result(
        Part("lead of the near token's logit, infinitely long sequences, nats", limit, 0.2, 0, "at least"),
        Part("the same at 512 tokens, nats", long, 0.373, 0.03),
        Part("what it overshoots at 128 tokens over 512 tokens", ratio, 4, 1.2),
        seeds=seeds,
    )
