"""Tokens that look distinct by chance: how many a data set has, and how much attention a trained layer gives them.

Chapter `scan_snap`. Source: ours; arXiv 2305.16380, Section 9, expects that large data sets suppress such tokens.
Tokens are as frequent as in text, proportional to one over their rank. In the language "nothing" they say nothing about
the next token; in "a third" the distinct tokens of Syn-Small are a third of all. One query, two next tokens, 800 steps
of gradient descent on all the data. The Bible and its shuffled words are only counted.
"""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scan_snap.runs import corpora
from hal.chapters.scan_snap.runs.learning import rates
from hal.results import path_of
from hal.results.rows import recorded_rows
from lib import optim
from lib.errors import require
from lib.models import scan_snap as ss
from lib.train import GivenBatches, train

Array = NDArray[np.float64]
COMMAND = "python -m hal.chapters.records scan_snap spurious"
RECORD = path_of("scan_snap", "spurious")
SEEDS, SIZES = range(8100, 8116), (4, 8, 16, 32, 64, 128, 256, 512, 1024)
TRAINED, COUNTED = ("nothing", "a third"), ("kjv", "kjv shuffled")
TOKENS, LENGTH, K, STEPS, LR = 400, 31, 2, 800, 4.0
OWN, THIRD = 10, 0.355  # distinct tokens a class, and their share, as in Syn-Small
WORDS = 20_000  # more than the text has: every word keeps an id
GRID = [{"language": name, "sequences": n} for name in (*TRAINED, *COUNTED) for n in SIZES]


@lru_cache(maxsize=2)
def language(name: str) -> ss.Task:
    """The law of "nothing" or "a third": 400 tokens that both classes have alike, the most frequent first.

    Raises:
        InputError: if the language has another name.
    """
    require(name in TRAINED, "name", f"one of {', '.join(TRAINED)}", repr(name))
    even, share = 1 / np.arange(1, TOKENS + 1), THIRD * (name != "nothing")
    own = np.kron(np.eye(K), np.linspace(0.1, 1, OWN))
    P = np.hstack([np.tile((1 - share) * even / even.sum(), (K, 1)), share * own / own[0].sum()])
    P = P[:, P.any(axis=0)]
    return ss.Task(P, np.zeros(K, int), P.shape[1] + 1 + K, LENGTH)


def expected(p: Array, sequences: float, L: int = LENGTH, nexts: Array | None = None) -> tuple[float, float]:
    """How many tokens occur with one next token only, by chance, and how much of a data set they are.

    A token of probability p is in a sequence with probability q = 1 - (1 - p)^L. Let r_c be the probability of the next
    token c, independent of the sequence. That all sequences with the token have one next token, and there are some, has
    the probability sum_c ((1 - q + q r_c)^n - (1 - q)^n): k sequences have one with probability sum_c r_c^k. Of all
    occurrences of the token the proportion sum_c r_c (1 - q + q r_c)^(n - 1) is of that kind.

    Args:
        p: (C,) probabilities of the tokens.
        sequences: n.
        L: contextual tokens of a sequence.
        nexts: (c,) probabilities r of the next tokens; None for two equally likely ones.

    Returns:
        The number of tokens, and their share of all contextual tokens; expectations.
    """
    values, many = np.unique(p, return_counts=True)
    r, times = np.unique(np.full(K, 1 / K) if nexts is None else nexts, return_counts=True)
    q = (1 - (1 - values) ** L)[:, None]
    alone, none = 1 - q + q * r, (1 - q) ** sequences
    number = (many * ((alone**sequences - none) @ times)).sum()
    return float(number), float((many * values * ((r * alone ** (sequences - 1)) @ times)).sum())


def drawn(task: ss.Task, sequences: int, seed: int) -> ss.Batch:
    """A data set of one run: a class for each sequence, and its tokens.

    Raises:
        InputError: if there are fewer than 2 sequences.

    Source: arXiv 2305.16380, Section 3.2.
    """
    require(sequences >= 2, "sequences", "at least 2", sequences)
    rng = np.random.default_rng(seed)
    label = rng.integers(task.K, size=sequences)
    counts = rng.multinomial(LENGTH, task.P[label]).astype(np.float64)
    return ss.Batch(counts[None], task.query[label][None], label[None])


def looks_distinct(data: ss.Batch, task: ss.Task) -> NDArray[np.bool_]:
    """(C,) common tokens that occur in sequences of one class only in this data set of one run."""
    seen = [(data.counts[0][data.label[0] == n] > 0).any(axis=0) for n in range(task.K)]
    return np.asarray((np.sum(seen, axis=0) == 1) & task.common)


def trained(
    name: str, sequences: int, seeds: Sequence[int], deal: bool = False, steps: int = STEPS
) -> dict[str, Array]:
    """Train a layer on a data set for each seed.

    Args:
        name: "nothing" or "a third".
        sequences: in a data set, at least 2.
        seeds: R seeds.
        deal: train on other classes than those that say which tokens look distinct: the same ones, dealt out anew.
        steps: of gradient descent, both learning rates 4.

    Returns:
        number (R,) of tokens that look distinct; before and after (R,), the attention that they get in a sequence of
        the data, mean; loss (R,), nats; lost (R,), 1 for a run that diverged.

    Raises:
        InputError: if the language is unknown, or there are fewer than 2 sequences.
    """
    task, found = language(name), []
    for seed in seeds:
        data = drawn(task, sequences, seed)
        judged = looks_distinct(data, task)
        if deal:
            data = data._replace(label=np.random.default_rng([seed, 1]).permutation(data.label, axis=1))
        problem = GivenBatches(ss.Transformer(task), [data])
        run = train(problem, None, rates(LR, LR, optim.sgd), steps, record_at=[0, steps])
        shares = []
        for Z in (np.zeros(task.C), run.params.Z[0, 0]):
            scores = data.counts[0] * np.exp(Z - Z.max())
            shares.append((scores[:, judged].sum(axis=1) / scores.sum(axis=1)).mean())
        found.append((judged.sum(), *shares, run["loss"][0, -1], run.diverged_at[0] >= 0))
    return dict(zip(("number", "before", "after", "loss", "lost"), np.array(found, float).T, strict=True))


@lru_cache(maxsize=1)
def _bible() -> corpora.Corpus:
    return corpora.load("kjv", vocabulary=WORDS)


def counted(name: str, sequences: int, seeds: Sequence[int]) -> dict[str, Array]:
    """Words of windows of the Bible, or of its words in random order, that occur before one next word only.

    Args:
        name: "kjv" or "kjv shuffled".
        sequences: windows of 31 words, each with the word that comes next.
        seeds: R seeds.

    Returns:
        number (R,) of such words; before (R,), their share of the words of the windows.
    """
    text, found = _bible().train, []
    for seed in seeds:
        rng = np.random.default_rng(seed)
        words = rng.permutation(text) if name.endswith("shuffled") else text
        rows = words[rng.integers(0, len(words) - LENGTH, size=sequences)[:, None] + np.arange(LENGTH + 1)]
        pairs = np.unique(rows[:, :LENGTH] * (WORDS + 2) + rows[:, LENGTH:])
        kinds, nexts = np.unique(pairs // (WORDS + 2), return_counts=True)
        lone = kinds[nexts == 1]
        found.append((len(lone), np.isin(rows[:, :LENGTH], lone).mean()))
    return dict(zip(("number", "before"), np.array(found, float).T, strict=True))


def expected_words(sequences: float) -> tuple[float, float]:
    """`expected` of the Bible's words in random order."""
    p = np.bincount(_bible().train) / len(_bible().train)
    return expected(p[p > 0], sequences, nexts=p[p > 0])


def cell(language: str, sequences: int) -> dict[str, Any]:
    """One setting of the record, from its sixteen seeds."""
    found = (trained if language in TRAINED else counted)(language, sequences, SEEDS)
    lost = int(found.pop("lost", np.zeros(1)).sum())
    return {**{name: np.round(values, 6).tolist() for name, values in found.items()}, "lost": lost}


def recorded_tokens(path: Path | str = RECORD) -> dict[str, dict[str, Array]]:
    """The record by language: number, before, and of trained ones after and loss, each (sizes, seeds); lost (sizes,).

    Raises:
        InputError: if there is no record, or it lacks a setting.
    """
    rows = recorded_rows(path, "the recorded spurious tokens", COMMAND, GRID)
    kept = {"number", "before", "after", "loss", "lost"}
    return {
        name: {key: np.array([rows[name, n][key] for n in SIZES], float) for key in kept & set(rows[name, SIZES[0]])}
        for name in (*TRAINED, *COUNTED)
    }
