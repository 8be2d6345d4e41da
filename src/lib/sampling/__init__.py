"""Exact, fast sampling: tokens, histograms of tokens, and one generator for each seed.

Laws that are no distribution, or have a probability below what a raw draw resolves, are refused by name (`InputError`).
"""

from lib.sampling.draws import check_distribution, choose, generators, raw_words
from lib.sampling.histograms import HistogramSampler
from lib.sampling.tokens import Rngs, TokenSampler

__all__ = ["HistogramSampler", "Rngs", "TokenSampler", "check_distribution", "choose", "generators", "raw_words"]
