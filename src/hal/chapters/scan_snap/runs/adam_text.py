"""Which words Adam attends to in real text, over more than two decades of its learning rate, and in which layer.

Chapter `scan_snap`. Source: ours; the model is that of arXiv 2305.16380, Section 3, on the King James Bible in place of
sequence classes: a query word, the six words that follow it most often, and the 31 words before it, of the 400 most
frequent ones. Learning rates are compared where the held-out loss has fallen as far.
"""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scan_snap.runs import corpora
from hal.results import path_of
from hal.results.rows import recorded_rows
from lib import optim
from lib.errors import require
from lib.models import scan_snap as ss
from lib.sampling import Rngs, generators
from lib.train import train

Array = NDArray[np.float64]
COMMAND = "python -m hal.chapters.records scan_snap adam_text"
RECORD = path_of("scan_snap", "adam_text")
SEEDS, QUERIES = range(8400, 8416), ("the", "of", "unto")
RATES = (0.003, 0.0056, 0.01, 0.018, 0.032, 0.056, 0.1, 0.18, 0.32, 0.56, 1.0)
WHO = ("both", "decoder", "attention")  # whom Adam trains; the other layer has gradient descent
PLAIN, FALLEN, BATCH = 1.0, (0.1, 0.2), 128  # gradient descent's learning rate; of the loss; windows a step
VOCABULARY, NEXTS, LENGTH, HELD = 400, 6, 31, 400  # words; next words; words before the query; windows held out
VERSE, SHOWN = "that the lord spake unto joshua", "the"  # a verse of which the logits are kept, and its query
GRID = [{"query": query, "who": who, "rate": rate} for query in QUERIES for who in WHO for rate in RATES]
GRID += [{"query": query, "who": "none", "rate": PLAIN} for query in QUERIES]
READ = ("frequency", "information", "entropy")


class Windows(NamedTuple):
    """What stands before one query word, and which word follows it."""

    words: tuple[str, ...]  #: (C,) of the context, the most frequent of the text first
    nexts: tuple[str, ...]  #: (K,) that follow, the most frequent first
    drawn: ss.Batch  #: of one run, (1, N, C): windows to train on
    held: ss.Batch  #: windows held out, evenly spaced in the text
    task: ss.Task  #: the sizes, and the law of the context before each next word
    p: Array  #: (C,) frequency in the windows
    information: Array  #: (C,) nats that a word says about which one follows, corrected for few windows


@lru_cache(maxsize=len(QUERIES))
def windows(query: str) -> Windows:
    """Cut the Bible into windows.

    Raises:
        InputError: if there is no record of the query, or the text is not installed.

    Source: the correction is that of Miller, "Note on the bias of information estimates", 1955.
    """
    require(query in QUERIES, "query", f"one of {', '.join(QUERIES)}", repr(query))
    corpus = corpora.load("kjv", VOCABULARY)
    text = corpus.train
    places = np.flatnonzero(text[LENGTH:-1] == corpus.words.index(query)) + LENGTH
    often = np.bincount(text[places + 1], minlength=len(corpus.words))
    often[0] = 0  # id 0 is every other word
    nexts = np.argsort(-often, kind="stable")[:NEXTS]
    places = places[np.isin(text[places + 1], nexts)]
    label = (text[places + 1][:, None] == nexts).argmax(axis=1)
    counts = np.zeros((len(places), VOCABULARY + 1))
    np.add.at(counts, (np.arange(len(places))[:, None], text[places[:, None] - np.arange(1, LENGTH + 1)]), 1)
    counts = counts[:, 1:]
    held = np.zeros(len(places), bool)
    held[np.linspace(0, len(places) - 1, HELD).astype(int)] = True
    drawn, kept = (
        ss.Batch(counts[one][None], np.zeros((1, one.sum()), np.intp), label[one][None]) for one in (~held, held)
    )
    together = np.stack([counts[label == k].sum(axis=0) for k in range(NEXTS)])  # of next word and context word
    seen, prior = together.sum(axis=0), together.sum(axis=1, keepdims=True) / together.sum()
    given = together / seen
    said = (given * np.log(np.where(given > 0, given, 1.0) / prior)).sum(axis=0) - (NEXTS - 1) / (2 * seen)
    task = ss.Task(together / together.sum(axis=1, keepdims=True), np.zeros(NEXTS, int), NEXTS, LENGTH)
    return Windows(corpus.words[1:], tuple(corpus.words[i] for i in nexts), drawn, kept, task, seen / seen.sum(), said)


def verse() -> tuple[tuple[str, ...], str]:
    """The 31 words before the query in the verse whose logits are kept, and the word that follows the query."""
    corpus = corpora.load("kjv", VOCABULARY)
    wanted = [corpus.words.index(word) for word in (*VERSE.split(), SHOWN)]
    found = np.lib.stride_tricks.sliding_window_view(corpus.train, len(wanted))
    at = int(np.flatnonzero((found == wanted).all(axis=1))[0]) + len(wanted) - 1
    return tuple(corpus.words[i] for i in corpus.train[at - LENGTH : at]), corpus.words[corpus.train[at + 1]]


def known_words() -> list[str]:
    """The words of that verse that are among the 400, in alphabetical order."""
    return sorted({*verse()[0]} - {corpora.UNKNOWN})


class Text:
    """Windows with the model, in the form that `lib.train.train` asks for.

    Args:
        given: to draw from.
    """

    def __init__(self, given: Windows) -> None:
        self.given = given

    def init(self, runs: int = 1, rngs: Rngs = ()) -> ss.Params:
        """All zeros."""
        return ss.zero_start(self.given.task, runs)

    def sample(self, batch: int, rngs: Rngs, step: int = 0) -> ss.Batch:
        """Windows drawn with replacement, run r from rngs[r] alone."""
        i = np.stack([rng.integers(self.given.drawn.label.size, size=batch) for rng in rngs])
        return ss.Batch(*(x[0, i] for x in self.given.drawn))

    def loss_and_gradient(self, params: ss.Params, batch: ss.Batch) -> tuple[Array, ss.Params]:
        """Minibatch loss in nats and its gradient."""
        return ss.loss_and_gradient(params, batch, self.given.task)


def steps_of(who: str, rate: float) -> int:
    """Enough for the loss to fall, where it does, by a fifth."""
    return 1500 if who in ("attention", "none") else round(300 + 3 / rate)


def read(Z: Array, given: Windows) -> Array:
    """Of attention logits (R, C), (3, R): by how many nats the words attended to are more frequent, and say more of
    what follows, than the words of the window, means over held-out windows; the entropy of attention, nats."""
    counts = given.held.counts
    scores = counts * np.exp(Z - Z.max(axis=-1, keepdims=True))[:, None]
    c, even = (x / x.sum(axis=-1, keepdims=True) for x in (scores, counts))
    moved = (c - even).mean(axis=1)
    each = c / np.where(counts > 0, counts, 1.0)  # of each place
    entropy = -(c * np.log(np.where(each > 0, each, 1.0))).sum(axis=-1).mean(axis=-1)
    return np.stack([moved @ np.log(given.p), moved @ given.information, entropy])


def attended(
    query: str, who: str, rate: float, seeds: Sequence[int], batch: int = BATCH, steps: int | None = None
) -> dict[str, Array]:
    """Train with Adam in one layer, in both or in none.

    Args:
        query: one of `QUERIES`.
        who: "both", "decoder", "attention" or "none".
        rate: of Adam.
        seeds: R seeds.
        batch: windows of a step.
        steps: how many; None for `steps_of`.

    Returns:
        steps (2, R), at which the held-out loss is a tenth and a fifth lower than that of a layer that knows only how
        often each word follows, NaN if it never is; at (2, 3, R), there, what `read` returns; Z (2, R, C), the logits
        there; lost (R,), 1 for a run that diverged.

    Raises:
        InputError: if the query or `who` is unknown.
    """
    require(who in (*WHO, "none"), "who", f"one of {', '.join(WHO)}, none", repr(who))
    given, steps = windows(query), steps_of(who, rate) if steps is None else steps
    adam, plain = optim.adam(rate), optim.sgd(PLAIN)
    rule = optim.per_field(
        Y=adam if who in ("both", "decoder") else plain, Z=adam if who in ("both", "attention") else plain
    )
    problem, when = Text(given), np.unique(np.geomspace(1, steps + 1, 200).astype(int)) - 1
    record = {"Z": lambda p: p.Z[:, 0], "held": lambda p: problem.loss_and_gradient(p, given.held)[0]}
    run = train(problem, problem.init(len(seeds)), rule, steps, batch, generators(seeds), record, record_at=when)
    often = np.bincount(given.drawn.label[0]) / given.drawn.label.size
    start, levels = -np.log(often[given.held.label[0]]).mean(), len(FALLEN)
    step, Z = np.full((levels, len(seeds)), np.nan), np.full((levels, len(seeds), len(given.p)), np.nan)
    at = np.full((levels, len(READ), len(seeds)), np.nan)
    for level, r in np.ndindex(step.shape):
        there = np.flatnonzero(run["held"][r] < (1 - FALLEN[level]) * start)
        if there.size:
            step[level, r], Z[level, r] = when[there[0]], run["Z"][r, there[0]]
            at[level, :, r] = read(Z[level, r][None], given)[:, 0]
    return {"steps": step, "at": at, "Z": Z, "lost": (run.diverged_at >= 0).astype(float)}


def cell(query: str, who: str, rate: float) -> dict[str, Any]:
    """One setting of the record; None for a run whose loss has not fallen so far. Of the verse's query the logits of
    the verse's words at the second level, means over the runs that reach it, the largest 0."""
    found = attended(query, who, rate, SEEDS)
    kept: dict[str, Any] = {"steps": [_numbers(row, 0) for row in found["steps"]]}
    kept |= {name: [_numbers(row, 4) for row in found["at"][:, i]] for i, name in enumerate(READ)}
    reached = np.isfinite(found["steps"][1])
    if query == SHOWN and reached.any():
        z = found["Z"][1, reached].mean(axis=0)[[windows(query).words.index(word) for word in known_words()]]
        kept["logits"] = _numbers(z - z.max(), 2)
    return kept | {"lost": int(found["lost"].sum())}


def _numbers(values: Array, digits: int) -> list[float | None]:
    return [round(float(x), digits) if np.isfinite(x) else None for x in values]


def recorded_words(path: Path | str = RECORD) -> dict[tuple[str, str, float], dict[str, Any]]:
    """The record by query, whom and rate: steps, frequency, information and entropy (2, 16), NaN where the loss has not
    fallen so far; lost; of "the" the logits of the verse's words in alphabetical order, if any run got so far.

    Raises:
        InputError: if there is no record, or it lacks a setting.
    """
    rows = recorded_rows(path, "the recorded words", COMMAND, GRID)
    names = ("steps", *READ, "logits", "lost")
    return {key: {name: np.array(row[name], float) for name in names if name in row} for key, row in rows.items()}
