"""Claim SNAP-53: attention trained on a few windows of text goes to words that look distinct by coincidence.

Chapter `scan_snap`. Source: our own; arXiv 2305.16380, Section 9, expects that large data sets suppress such tokens.
"""

from hal.chapters.scan_snap.runs.spurious_text import FOLLOWS, QUERIES, expected_in_text, trained_on_text
from hal.claims import Part, Result, claim, result, seed_block

WINDOWS = 64


@claim(
    "SNAP-53",
    where="Section 9 (large data sets suppress spurious tokens), left there to future work",
    says="In 64 windows of the Bible training doubles the attention on words that only one next word follows there, "
    "and several in all the text, nearly as it does where next words are dealt out anew: then these words are as many "
    "as SNAP-48 says.",
    control={"planted": True},
    breaks="six words stand in the windows that tell the next word without fail",
)
def _check_53(planted: bool = False, block: int = 0) -> Result:
    seeds, parts = seed_block(block, 8), []
    for query in QUERIES:
        true, dealt = (trained_on_text(query, how, WINDOWS, seeds, planted) for how in FOLLOWS)
        grown, other = ((runs["after"] / runs["before"]).mean() for runs in (true, dealt))
        parts += [
            Part(f"attention on them after training over before, {query}", grown, 2.05, 0.4, drift=0.01),
            Part(f"the same, over that with next words dealt out anew, {query}", grown / other, 0.9, 0.2, drift=0.01),
            Part(f"their number over the expected one, dealt out anew, {query}",
                 float(dealt["number"].mean()) / expected_in_text(query, WINDOWS), 1.0, 0.16),
        ]  # fmt: skip
    return result(*parts, seeds=seeds)
