"""Layers that learn from each other: the first reads text of the task, each later one what the layer before it writes.

Chapter `scb`, beyond the paper (arXiv 2410.23438 names the extension in Sections 2.1 and 6).
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scb.runs.algorithm import finish, learn, stack
from hal.chapters.scb.runs.beyond import first_reach
from hal.chapters.scb.runs.own_text import some_task
from hal.results import path_of
from hal.results.rows import recorded_rows
from lib.errors import require
from lib.models import scb
from lib.sampling import Rngs, choose, generators
from lib.theory import scb as theory

COMMAND = "python -m hal.chapters.records scb generations"
RECORD = path_of("scb", "generations")
SEEDS, GENERATIONS = range(8100, 8116), 6
METHODS = ("gradient descent", "soft threshold", "three stages")
LR, BATCH, SHRINK, AFTER, LEVEL = 0.02, 64, 0.05, 400, 0.1  # SHRINK: the threshold over LR; AFTER: steps of each stage
LENGTHS = (32, 64, 128)
GRID = [
    {"kind": kind, "T": T, "method": method}
    for kind, lengths in (("random", LENGTHS), ("ring", (64,))) for T in lengths for method in METHODS
]  # fmt: skip


class Reader(scb.LinearTransformer):
    """The model on consecutive windows of texts that another layer writes, in the form that `lib.train.train` asks for.

    The writer's output V X a^(k) is made a law: what is below zero is left out, and the rest divided by its sum.
    Steps are asked for in their order; step 0 begins anew.

    Args:
        task: R tasks, for the first windows and for what is measured.
        writer: R layers.
        chains: texts a run; the batch size must equal it.
        seeds: R seeds of the first windows.
    """

    def __init__(self, task: scb.Task, writer: scb.Params, chains: int, seeds: Sequence[int]) -> None:
        super().__init__(task)
        self.writer, self._chains, self._seeds = writer, chains, list(seeds)
        self.counts = np.zeros(task.mu.shape)  #: (R, N) labels written, from the second context on

    def sample(self, batch: int, rngs: Rngs, step: int = 0) -> scb.Batch:
        """The windows of this step with the labels that the writer gives them; then every text grows by one token.

        Raises:
            InputError: if the batch is not the number of texts.
        """
        task, (V, A) = self.task, self.writer
        require(batch == self._chains, "batch", f"the number of texts, {self._chains}", batch)
        if step == 0:
            uniform = np.stack([rng.random((batch, task.T + 1)) for rng in generators(self._seeds, 6)])
            self._window = choose(task.cumulative_mu[:, None, None], uniform).astype(np.uint8)
        context, last = self._window[..., :-1].copy(), self._window[..., -1].astype(np.intp)
        looks = A.astype(np.float32)[np.arange(len(A))[:, None], last]  # (R, B, T)
        h = np.stack([np.einsum("rbt,rbt->rb", looks, context == n, optimize=False) for n in range(task.N)], axis=-1)
        law = np.maximum(np.matmul(h, V.swapaxes(-1, -2)), 0.0)
        law /= law.sum(axis=-1, keepdims=True)
        label = choose(law.cumsum(axis=-1), np.stack([rng.random(batch) for rng in rngs]))
        if step >= task.T:
            self.counts += np.stack([np.bincount(row, minlength=task.N) for row in label])
        self._window[..., :-1] = self._window[..., 1:]
        self._window[..., -1] = label
        cuts = np.repeat(np.arange(1, task.N, dtype=np.uint8)[None], len(A), axis=0)  # tokens are their own draws
        return scb.Batch(context, cuts, last, label)


def train_reader(
    task: scb.Task, writer: scb.Params | None, method: str, seeds: Sequence[int], chains: int = BATCH
) -> tuple[scb.Params, dict[str, NDArray]]:
    """One generation: R layers from the paper's start, each on what its writer writes.

    Args:
        task: R tasks, those of the first generation.
        writer: R layers, or `truth`; None for independent contexts in place of text.
        method: a name among `METHODS`.
        seeds: R seeds.
        chains: texts a step.

    Returns:
        The layers at the end, upright; and per layer "support", whether it looks at the true positions; "upright",
        whether it had the true sign; "V" and "A", distances to P and Q; "signal", alpha_V alpha_A; "frequency", the L1
        distance from mu of what it read; "escape", steps until both signals were 0.1 (NaN: never); "lost".

    Raises:
        InputError: if there is no such method.
    """
    require(method in METHODS, "method", f"one of {', '.join(METHODS)}", repr(method))
    model = scb.LinearTransformer(task) if writer is None else Reader(task, writer, chains, seeds)
    switch = np.ceil(1.2 * theory.escape_time(0.2, LR, task.K_Q, task.T)).astype(int)
    plain, steps = method == METHODS[0], int(switch.max()) + AFTER
    record = {"V": lambda p: scb.alpha_V(p, task), "A": lambda p: scb.alpha_A(p, task)}
    at = np.unique(np.linspace(0, steps, 120).astype(int))
    run = learn(task, seeds, lr=LR, batch=chains, steps=steps, switch=None if plain else switch, record=record,
                threshold=0.0 if plain else SHRINK * LR, record_at=at, model=model)  # fmt: skip
    lost = run.diverged_at >= 0
    begun = scb.LinearTransformer(task).init(len(seeds))
    found = scb.Params(*(np.where(lost[:, None, None], a, b) for a, b in zip(begun, run.params, strict=True)))
    upright, support = scb.alpha_V(found, task) > 0, scb.support_recovered(found, task)
    if method == METHODS[2]:
        found = finish(task, found, seeds, lr=LR, batch=chains, steps=AFTER, record={}, model=model).params
    found = scb.unmirror(found, task)
    counts = model.counts if isinstance(model, Reader) else task.mu
    frequency = counts / counts.sum(axis=-1, keepdims=True)
    told = {
        "support": support, "upright": upright, "V": scb.distance_V(found, task), "A": scb.distance_A(found, task),
        "signal": scb.alpha_V(found, task) * scb.alpha_A(found, task),
        "frequency": np.abs(frequency - task.mu).sum(axis=-1), "lost": lost,
        "escape": first_reach(run.steps, np.minimum(np.abs(run["V"]), np.abs(run["A"])), LEVEL),
    }  # fmt: skip
    return found, told


def truth(task: scb.Task) -> scb.Params:
    """The writer of the first generation: V = P, A = Q, whose labels are those of the task."""
    return scb.Params(task.P, task.Q)


def cell(
    kind: str, T: int, method: str, seeds: Sequence[int] = SEEDS, generations: int = GENERATIONS
) -> dict[str, Any]:
    """Generations of layers, each reading what the one before wrote; every seed has a task of its own, N = 3, Q = 2.

    Returns:
        Name of `train_reader` -> rows, one a generation, with a value for each seed, before them one of layers that
        read no text but independent contexts; "tau", steps of theory until 0.1.
    """
    task = stack([some_task(kind, T, 3, 2, 1.0 if kind == "random" else 0.75, seed) for seed in seeds])
    writer, rows = truth(task), [train_reader(task, None, method, seeds)[1]]
    for g in range(generations):
        writer, told = train_reader(task, writer, method, [seed + 1000 * g for seed in seeds])
        rows.append(told)
    kept = {name: [[_plain(x) for x in row[name]] for row in rows] for name in rows[0]}
    return {**kept, "tau": [round(float(t), 1) for t in theory.escape_time(LEVEL, LR, task.K_Q, T)]}


def _plain(x: Any) -> Any:
    return int(x) if isinstance(x, np.bool_) else None if np.isnan(x) else round(float(x), 4)


def recorded_generations(path: Path | str = RECORD) -> dict[tuple, dict[str, Any]]:
    """The record: (kind, T, method) -> what `cell` returned.

    Raises:
        InputError: if there is no record, or it lacks a row.
    """
    return recorded_rows(path, "the recorded generations", COMMAND, GRID)
