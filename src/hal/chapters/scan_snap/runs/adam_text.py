"""Where Adam makes "the" look in real text, and in which layer.

Chapter `scan_snap`. Source: ours; the model is that of arXiv 2305.16380, Section 3, on the King James Bible in place of
sequence classes: the query "the", the six words that follow it most often, and the 31 words before it, of the 400 most
frequent ones. Runs are compared where the held-out loss has fallen by a fifth. `joshua` draws the record.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scan_snap.runs import corpora
from lib import optim
from lib.errors import require
from lib.models import scan_snap as ss
from lib.sampling import Rngs, generators
from lib.train import train

Array = NDArray[np.float64]
COMMAND = "python -m hal.chapters.records scan_snap adam_text"
SEEDS, QUERY = range(8400, 8416), "the"
RATE = 0.1
WHO = ("both", "attention")  # whom Adam trains; the other layer has gradient descent
PLAIN, FALLEN, BATCH = 1.0, 0.2, 128  # gradient descent's learning rate; of the loss; windows a step
VOCABULARY, NEXTS, LENGTH, HELD = 400, 6, 31, 400  # words; next words; words before the query; windows held out
VERSE = "that the lord spake unto joshua"  # of which the logits are kept, and the query follows
GRID = [{"who": who, "rate": RATE} for who in WHO] + [{"who": "none", "rate": PLAIN}]


class Windows(NamedTuple):
    """What stands before the query, and which word follows it."""

    words: tuple[str, ...]  #: (C,) of the context, the most frequent of the text first
    nexts: tuple[str, ...]  #: (K,) that follow, the most frequent first
    drawn: ss.Batch  #: of one run, (1, N, C): windows to train on
    held: ss.Batch  #: windows held out, evenly spaced in the text
    task: ss.Task  #: the sizes, and the law of the context before each next word


@cache
def windows() -> Windows:
    """Cut the Bible into windows; an `InputError` where the text is not installed."""
    corpus = corpora.load(VOCABULARY)
    text = corpus.train
    places = np.flatnonzero(text[LENGTH:-1] == corpus.words.index(QUERY)) + LENGTH
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
    task = ss.Task(together / together.sum(axis=1, keepdims=True), np.zeros(NEXTS, int), NEXTS, LENGTH)
    return Windows(corpus.words[1:], tuple(corpus.words[i] for i in nexts), drawn, kept, task)


def verse() -> tuple[tuple[str, ...], str]:
    """The 31 words before the query in the verse whose logits are kept, and the word that follows the query."""
    corpus = corpora.load(VOCABULARY)
    wanted = [corpus.words.index(word) for word in (*VERSE.split(), QUERY)]
    found = np.lib.stride_tricks.sliding_window_view(corpus.train, len(wanted))
    at = int(np.flatnonzero((found == wanted).all(axis=1))[0]) + len(wanted) - 1
    return tuple(corpus.words[i] for i in corpus.train[at - LENGTH : at]), corpus.words[corpus.train[at + 1]]


def known_words() -> list[str]:
    """The words of that verse that are among the 400, in alphabetical order."""
    return sorted({*verse()[0]} - {corpora.UNKNOWN})


class Text:
    """Windows with the model, in the form that `lib.train.train` asks for."""

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


def attended(
    who: str, rate: float, seeds: Sequence[int], steps: int | None = None
) -> tuple[Array, Array, NDArray[np.bool_]]:
    """Train with Adam at a rate in attention, in both or in none ("both", "attention", "none").

    Args:
        who, rate: see above.
        seeds: R seeds.
        steps: how many; None for enough for the loss to fall, where it does, by a fifth.

    Returns:
        (R,) the step at which the held-out loss is a fifth lower than that of a layer that knows only how often each
        word follows, NaN if it never is; (R, C) the attention logits there; (R,) whether a run diverged.
    """
    require(who in (*WHO, "none"), "who", f"one of {', '.join(WHO)}, none", repr(who))
    given = windows()
    if steps is None:
        steps = 1500 if who in ("attention", "none") else round(300 + 3 / rate)
    adam, plain = optim.adam(rate), optim.sgd(PLAIN)
    rule = optim.per_field(Y=adam if who == "both" else plain, Z=adam if who in WHO else plain)
    problem, when = Text(given), np.unique(np.geomspace(1, steps + 1, 200).astype(int)) - 1
    record = {"Z": lambda p: p.Z[:, 0], "held": lambda p: problem.loss_and_gradient(p, given.held)[0]}
    run = train(problem, problem.init(len(seeds)), rule, steps, BATCH, generators(seeds), record, record_at=when)
    often = np.bincount(given.drawn.label[0]) / given.drawn.label.size
    below = run["held"] < (1 - FALLEN) * -np.log(often[given.held.label[0]]).mean()
    step, Z = np.full(len(seeds), np.nan), np.full((len(seeds), len(given.words)), np.nan)
    for r in np.flatnonzero(below.any(axis=1)):
        at = int(below[r].argmax())
        step[r], Z[r] = when[at], run["Z"][r, at]
    return step, Z, run.diverged_at >= 0


def cell(who: str, rate: float) -> dict[str, Any]:
    """One setting of the record: steps of the runs, None for one whose loss has not fallen so far; logits of the
    verse's words, means over the runs that got there, the largest 0; how many diverged."""
    steps, Z, lost = attended(who, rate, SEEDS)
    kept: dict[str, Any] = {"steps": [float(step) if np.isfinite(step) else None for step in steps]}
    if np.isfinite(steps).any():
        z = Z[np.isfinite(steps)].mean(axis=0)[[windows().words.index(word) for word in known_words()]]
        kept["logits"] = [round(float(x), 2) for x in z - z.max()]
    return kept | {"lost": int(lost.sum())}
