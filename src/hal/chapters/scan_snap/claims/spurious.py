"""Claims SNAP-48 and SNAP-49: tokens that look distinct by chance, counted, and whether attention goes to them.

Chapter `scan_snap`. Source: our own; arXiv 2305.16380, Section 9, expects that large data sets suppress such tokens.
"""

from hal.chapters.scan_snap.runs import spurious
from hal.claims import Part, Result, claim, result, seed_block

_WHERE = "Section 9 (large data sets suppress spurious tokens), left there to future work"


@claim(
    "SNAP-48",
    where=_WHERE,
    says="A data set of $n$ sequences makes $\\sum_l\\sum_c[(1-q_l+q_lr_c)^n-(1-q_l)^n]$ tokens look distinct that are "
    "not: token $l$ is in a sequence with probability $q_l$, and $c$ comes next with probability $r_c$. The Bible has "
    "as many words that occur before one next word only as its words in random order.",
    control={"times": 2.0},
    breaks="the formula is asked about twice as many sequences",
)
def _check_48(times: float = 1.0, block: int = 0) -> Result:
    """`times`: as many sequences as counted, in the formula."""
    seeds, law, parts = seed_block(block, 8), spurious.language("nothing").P[0], []
    for n in (16, 256):
        task = spurious.language("nothing")
        sets = [spurious.looks_distinct(spurious.drawn(task, n, seed), task).sum() for seed in seeds]
        told = spurious.expected(law, times * n)[0]
        name = f"{n} sequences, a language that says nothing: tokens over their expected number"
        parts.append(Part(name, sum(map(float, sets)) / len(seeds) / told, 1.0, 0.15))
    real, mixed = (spurious.counted(name, 1024, seeds)["number"].mean() for name in spurious.COUNTED)
    told = spurious.expected_words(times * 1024)[0]
    parts.append(Part("1024 windows of the Bible: words over their expected number, shuffled", real / told, 1.0, 0.08))
    parts.append(Part("the same, over those of its words shuffled", real / mixed, 1.0, 0.06))
    return result(*parts, seeds=seeds)


@claim(
    "SNAP-49",
    where=_WHERE,
    says="Training on a data set of 64 sequences in which no token says anything moves attention to the tokens that "
    "look distinct by coincidence, to about twice what they had. Where a third of all tokens is really distinct, "
    "attention leaves them.",
    control={"deal": True},
    breaks="the layer is trained on classes dealt out anew, which make other tokens look distinct",
)
def _check_49(deal: bool = False, block: int = 0) -> Result:
    seeds = seed_block(block, 8)
    nothing, third = (spurious.trained(name, 64, seeds, deal) for name in spurious.TRAINED)
    told = spurious.expected(spurious.language("nothing").P[0], 64)[1]
    return result(
        Part("attention on them before training over its expectation", nothing["before"].mean() / told, 1.0, 0.1),
        Part("after training over before, nothing to find", (nothing["after"] / nothing["before"]).mean(), 1.8, 0,
             "at least", 0.01),
        Part("the same, a third really distinct", (third["after"] / third["before"]).mean(), 0.65, 0, "at most", 0.01),
        seeds=seeds,
    )  # fmt: skip
