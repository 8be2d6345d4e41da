"""How often tokens occur in text that the task writes itself: every label is appended and the oldest token dropped.

Chapter `scb`, beyond the paper (arXiv 2410.23438 names the extension in Sections 2.1 and 6).
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hal.results import path_of
from hal.results.rows import recorded_rows
from lib.errors import require
from lib.models import scb
from lib.sampling import choose, generators

COMMAND = "python -m hal.chapters.records scb own_text"
RECORD = path_of("scb", "own_text")
SEEDS, CHAINS, KEPT, WAIT = range(8000, 8016), 2000, 2048, 4  # texts, tokens of each; contexts that pass before
KINDS = ("random", "ring")

#: One of them moves, the others stay.
STANDARD = {"kind": "random", "T": 32, "N": 4, "Q": 2, "c": 1.0}
SWEPT: dict[str, list[Any]] = {
    "T": [8, 16, 32, 64, 128, 256, 512],
    "Q": [1, 2, 3, 4, 6, 8],
    "c": [0.25, 0.5, 0.75, 1.0],
    "N": [2, 3, 4, 6, 8],
}
RING = [8, 16, 32, 64, 128]
GRID = [
    *({**STANDARD, "T": T} for T in SWEPT["T"]),
    *({**STANDARD, axis: x} for axis in "QcN" for x in SWEPT[axis] if x != STANDARD[axis]),
    *({**STANDARD, "kind": "ring", "T": T} for T in RING),
    *({**STANDARD, "kind": "ring", "c": c} for c in SWEPT["c"] if c != STANDARD["c"]),
    {**STANDARD, "kind": "ring", "T": 8, "c": 0.75},
]


def some_task(kind: str, T: int, N: int, Q: int, c: float, seed: int) -> scb.Task:
    """A task of that kind, its positions and, if random, its transition and weights from the seed.

    Args:
        kind: "ring" or "random" (Gamma entries of shape 0.3), mu uniform.
        T, N, Q: context, vocabulary, positions that matter.
        c: strength of the transition: P = mu 1^T + c times what is above it.
        seed: of the task.

    Raises:
        InputError: if there is no such kind, or a size or the strength is out of range.
    """
    require(kind in KINDS, "kind", f"one of {', '.join(KINDS)}", repr(kind))
    rng = generators([seed], 1)[0]
    if kind == "ring":
        return scb.ring_task(T, N, c, scb.even_weights(Q), rng=rng)
    task = scb.random_task(T, N, Q, 0.3, rng=rng)
    return scb.Task(task.mu, scb.mix(task.P, task.mu, c), task.Q)


def written(task: scb.Task, chains: int, tokens: int, rng: np.random.Generator, fresh: bool = False) -> NDArray:
    """Texts that the task writes, token by token, each from a context of independent tokens.

    Args:
        task: one task.
        chains: how many texts.
        tokens: length of each, without the context that it begins with.
        rng: source of randomness.
        fresh: append a token drawn from mu in place of the label, so that nothing is fed back.

    Returns:
        (tokens, chains) token numbers.

    Raises:
        InputError: if chains or tokens is below 1.
    """
    require(min(chains, tokens) >= 1, "chains, tokens", "at least 1 each", (chains, tokens))
    T, (positions, weights), each = task.T, task.support, np.arange(chains)
    text = np.empty((T + 1 + tokens, chains), np.uint8)
    text[: T + 1] = choose(task.cumulative_mu, rng.random((T + 1, chains)))
    for n in range(T + 1, T + 1 + tokens):
        u = rng.random((2, chains))
        last = text[n - 1]
        if fresh:
            text[n] = choose(task.cumulative_mu, u[1])
            continue
        found = text[n - 1 - T + positions[last, choose(weights[last], u[0])], each]
        text[n] = choose(task.cumulative_P[found], u[1])
    return text[T + 1 :]


def moved(task: scb.Task, rng: np.random.Generator, chains: int = CHAINS, fresh: bool = False) -> tuple[float, ...]:
    """How far the frequencies of tokens are from mu, after `WAIT` contexts of text.

    Returns:
        The L1 distance of all texts' frequencies from mu; what chance adds to it, from two halves of the texts; and by
        what factor the frequencies of single texts vary more, in mean square, than those of independent tokens.

    Raises:
        InputError: if there are fewer than two texts.
    """
    require(chains >= 2, "chains", "at least 2 texts", chains)
    text = written(task, chains, WAIT * task.T + KEPT, rng, fresh)[WAIT * task.T :]
    own = np.stack([(text == n).mean(axis=0) for n in range(task.N)])  # (N, chains)
    halves = np.stack([half.mean(axis=1) for half in np.array_split(own, 2, axis=1)])
    swing = own.var(axis=1).sum() * KEPT / (1 - np.square(task.mu).sum())
    distance = np.abs(own.mean(axis=1) - task.mu).sum()
    return float(distance), float(np.abs(halves[0] - halves[1]).sum() / 2), float(swing)


def cell(kind: str, T: int, N: int, Q: int, c: float, seeds: Sequence[int] = SEEDS) -> dict[str, Any]:
    """`moved` of one task a seed: "distance", "chance" and "swing", a list each."""
    tasks = [some_task(kind, T, N, Q, c, seed) for seed in seeds]
    found = [moved(task, rng) for task, rng in zip(tasks, generators(seeds), strict=True)]
    names = ("distance", "chance", "swing")
    return {name: [round(x, 5) for x in column] for name, column in zip(names, zip(*found, strict=True), strict=True)}


def recorded_text(path: Path | str = RECORD) -> dict[tuple, dict[str, Any]]:
    """The record: (kind, T, N, Q, c) -> what `cell` returned.

    Raises:
        InputError: if there is no record, or it lacks a row.
    """
    return recorded_rows(path, "the recorded frequencies", COMMAND, GRID)


def without_chance(kept: dict[str, Any], draws: int = 400, seed: int = 0) -> NDArray[np.float64]:
    """Median over the tasks of the L1 distance, less what chance adds to it; (1 + draws,), then of resampled tasks.

    Args:
        kept: "distance" and "chance" of each task, as `cell` has them.
        draws, seed: of the bootstrap.
    """
    square = np.square(kept["distance"]) - np.square(kept["chance"])
    own = np.sqrt(np.maximum(square, 1e-12))
    drawn = np.random.default_rng(seed).integers(len(own), size=(draws, len(own)))
    return np.concatenate([[np.median(own)], np.median(own[drawn], axis=1)])
