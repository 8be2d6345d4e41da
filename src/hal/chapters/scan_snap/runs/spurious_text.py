"""Attention trained on a few windows of the Bible: does it go to words that look distinct by coincidence?

Chapter `scan_snap`. Source: ours; arXiv 2305.16380, Section 9, expects that large data sets suppress such tokens. The
windows are those of `adam_text`: a query word, the six words that may follow it, and the 31 words before it. A word is
spurious if one next word only follows it in the windows of a data set, and several in the whole text.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scan_snap.runs.adam_text import NEXTS, Text, windows
from hal.chapters.scan_snap.runs.learning import rates
from hal.chapters.scan_snap.runs.spurious import LR, STEPS, expected
from hal.results import path_of
from hal.results.rows import recorded_rows
from lib import optim
from lib.errors import require
from lib.models import scan_snap as ss
from lib.train import GivenBatches, train

Array = NDArray[np.float64]
COMMAND = "python -m hal.chapters.records scan_snap spurious_text"
RECORD = path_of("scan_snap", "spurious_text")
SEEDS, SIZES, QUERIES = range(8500, 8516), (16, 32, 64, 128, 256, 512), ("the", "unto")
FOLLOWS = ("true", "dealt")  # the next words: as in the text, or dealt out anew
GRID = [{"query": query, "follows": how, "windows": n} for query in QUERIES for how in FOLLOWS for n in SIZES]
PLANTED = 5  # times that a planted word stands in a window


def _by_next(counts: Array, label: NDArray[np.intp]) -> NDArray[np.bool_]:
    """(next words, words): whether the one follows the other somewhere."""
    return np.stack([(counts[label == k] > 0).any(axis=0) for k in range(NEXTS)])


def trained_on_text(
    query: str, follows: str, size: int, seeds: Sequence[int], planted: bool = False
) -> dict[str, Array]:
    """Train a layer on a few windows for each seed.

    Args:
        query: one of `adam_text.QUERIES`.
        follows: "true", the next words of the text, or "dealt", the same ones dealt out anew among the windows.
        size: windows of a data set, 2 or more.
        seeds: R seeds.
        planted: whether the six most frequent words are replaced: each stands five times before one next word of its
            own, and before no other.

    Returns:
        number (R,) of spurious words; before and after (R,), the attention that they get in a window, mean; loss (R,),
        nats; lost (R,), 1 for a run that diverged.

    Raises:
        InputError: if the query or `follows` is unknown, or there are too few or too many windows.
    """
    require(follows in FOLLOWS, "follows", f"one of {', '.join(FOLLOWS)}", repr(follows))
    given, found = windows(query), []
    counts, label = given.drawn.counts[0], given.drawn.label[0]
    require(2 <= size <= len(label), "size", f"2 to {len(label)} windows", size)
    several = _by_next(counts, label).sum(axis=0) > 1
    for seed in seeds:
        rng = np.random.default_rng(seed)
        chosen = rng.choice(len(label), size=size, replace=False)
        seen, after = counts[chosen], label[chosen]
        if follows == "dealt":
            after = rng.permutation(after)
        if planted:
            seen = np.where(np.arange(seen.shape[1]) < NEXTS, 0.0, seen)
            seen[np.arange(size), after] = PLANTED
        judged = several & (_by_next(seen, after).sum(axis=0) == 1)
        judged[:NEXTS] &= not planted
        data = ss.Batch(seen[None], np.zeros((1, size), np.intp), after[None])
        problem = GivenBatches(Text(given), [data])
        run = train(problem, ss.zero_start(given.task), rates(LR, LR, optim.sgd), STEPS, record_at=[0, STEPS])
        shares = []
        for Z in (np.zeros(seen.shape[1]), run.params.Z[0, 0]):
            scores = seen * np.exp(Z - Z.max())
            shares.append((scores[:, judged].sum(axis=1) / scores.sum(axis=1)).mean())
        found.append((judged.sum(), *shares, run["loss"][0, -1], run.diverged_at[0] >= 0))
    return dict(zip(("number", "before", "after", "loss", "lost"), np.array(found, float).T, strict=True))


def expected_in_text(query: str, size: int) -> float:
    """`spurious.expected` number of such words where the next words are dealt out anew; windows of the mean length."""
    given = windows(query)
    nexts = np.bincount(given.drawn.label[0]) / given.drawn.label.size
    return expected(given.p, size, round(given.drawn.counts.sum(axis=-1).mean()), nexts)[0]


def cell(query: str, follows: str, windows: int) -> dict[str, Any]:
    """One setting of the record, from its sixteen seeds."""
    found = trained_on_text(query, follows, windows, SEEDS)
    lost = int(found.pop("lost").sum())
    return {**{name: np.round(values, 5).tolist() for name, values in found.items()}, "lost": lost}


def recorded_text(path: Path | str = RECORD) -> dict[tuple[str, str], dict[str, Array]]:
    """The record by query and next words: number, before, after and loss, each (sizes, seeds); lost (sizes,).

    Raises:
        InputError: if there is no record, or it lacks a setting.
    """
    rows = recorded_rows(path, "the recorded spurious words", COMMAND, GRID)
    names = ("number", "before", "after", "loss", "lost")
    return {
        (query, how): {name: np.array([rows[query, how, n][name] for n in SIZES], float) for name in names}
        for query in QUERIES
        for how in FOLLOWS
    }
