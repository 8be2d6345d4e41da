"""Exact, fast sampling: tokens, histograms of tokens, and one generator for each seed."""

from lib.sampling.histograms import HistogramSampler
from lib.sampling.laws import check_distribution, choose
from lib.sampling.raw import raw_words
from lib.sampling.seeds import generators
from lib.sampling.tokens import Rngs, TokenSampler

__all__ = ["HistogramSampler", "Rngs", "TokenSampler", "check_distribution", "choose", "generators", "raw_words"]
