"""The textbook's run by the fast model: in law, or on the textbook's own samples, and then number by number.

Chapter `scb`. The algorithm is that of arXiv 2410.23438, Section 2.3. Settings are refused by name (`InputError`).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scb import models
from hal.chapters.scb.runs.algorithm import Record, finish, learn, signals
from lib.models import scb
from lib.models.scb import textbook
from lib.models.scb.textbook import RECORDS, Ring, Settings
from lib.train import GivenBatches


def fast_runs(settings: Settings, seeds: Sequence[int]) -> dict[str, NDArray[np.float64]]:
    """Readings of the fast model at the settings of the hero.

    Random numbers are others, so runs agree in law, not one by one; tests hold the two together.

    Returns:
        alpha_V, alpha_A, loss (a fraction of the start's) and on_true, each (seeds, K), at the textbook's records; NaN
        from where a run diverged.
    """
    mu = np.array(settings.mu)
    targets = scb.sparse_targets(settings.T, scb.even_weights(settings.Q), len(mu), np.random.default_rng(0))
    task = scb.Task(mu, scb.ring_transition(mu, settings.c), targets)
    least = models.population_loss(scb.Params(task.P[None], task.Q[None]), task)
    record: Record = {
        "alpha_V": signals(task)["alpha_V"],
        "alpha_A": signals(task)["alpha_A"],
        "excess_loss": lambda p: models.population_loss(p, task) - least,
        "on_true": lambda p: np.where(task.Q > 0, p.A, 0).sum(axis=-1) @ mu,
    }
    at = [-(-i * settings.stage1 // RECORDS) for i in range(RECORDS + 1)]  # of short runs some twice
    found = learn(
        task, list(seeds), lr=settings.lr, ratio=settings.ratio, batch=settings.batch, steps=settings.stage1,
        record=record, record_at=sorted(set(at)),
    )  # fmt: skip
    arrays = {name: found[name][:, np.searchsorted(sorted(set(at)), at)] for name in record}
    excess = arrays.pop("excess_loss")
    return {**arrays, "loss": excess / excess[:, :1]}


class Replayed(NamedTuple):
    """The fast model's run on the samples of a textbook run."""

    params: scb.Params  #: one run, at its end
    arrays: dict[str, NDArray[np.float64]]  #: what was recorded, each (K,)


def task_of(ring: Ring, T: int) -> scb.Task:
    """A task of the textbook as one of the fast model, with contexts of T tokens."""
    Q = np.zeros((len(ring.mu), T))
    for row, places in zip(Q, ring.s, strict=True):
        row[places] = ring.w
    return scb.Task(np.array(ring.mu), np.array(ring.P).T, Q)


def samples(settings: Settings, seed: int, steps: int, late: int = 0) -> list[scb.Batch]:
    """The batches that the textbook draws in its first steps: a second generator of the same seed draws them again.

    `late` gives each sample the label that came so many samples before.
    """
    shadow = textbook.start(settings, seed)
    cuts = np.arange(1, len(settings.mu), dtype=np.uint8)[None]
    batches = []
    for _ in range(steps):
        tokens, last, label = [], [], []
        for _ in range(settings.batch):
            k, drawn = textbook.draw_sample(shadow)
            tokens.append(list(shadow.X))
            last.append(k)
            label.append(drawn)
        draws = np.array(tokens, dtype=np.uint8)[None]
        batches.append(scb.Batch(draws, cuts, np.array([last]), np.roll(np.array([label]), late, axis=-1)))
    return batches


def replay(settings: Settings, seed: int, steps: NDArray[np.int64], late: int = 0, keep_mean: bool = False) -> Replayed:
    """Algorithm 1 by the fast model on the textbook's samples of a seed; V mu = mu is kept in Stages 1 and 2 if asked.

    Args:
        settings, seed, late: as in `samples`.
        steps: increasing steps at which both are looked at, from 0 to the end; in Stage 3 after its first step.
        keep_mean: keep V mu = mu in Stages 1 and 2.

    Returns:
        The records of `signals`.
    """
    task = task_of(textbook.start(settings, seed).task, settings.T)
    first = settings.stage1 + settings.stage2
    batches = samples(settings, seed, first + settings.stage3, late)
    model = scb.LinearTransformer(task, np.float64)
    record = signals(task)
    run = learn(
        task,
        [seed],
        lr=settings.lr,
        ratio=settings.ratio,
        batch=settings.batch,
        steps=first,
        switch=settings.stage1,
        threshold=settings.threshold,
        keep_mean=keep_mean,
        record=record,
        record_at=np.union1d(steps[steps <= first], [0, first]),
        model=GivenBatches(model, batches[:first]),
    )
    found = {name: run[name][0][np.isin(run.steps, steps)] for name in record}
    if settings.stage3:
        last = finish(
            task,
            run.params,
            [seed],
            lr=settings.lr,
            batch=settings.batch,
            steps=settings.stage3,
            record=record,
            record_at=np.union1d(steps[steps > first] - first, [0, settings.stage3]),
            model=GivenBatches(model, batches[first:]),
        )
        wanted = (last.steps > 0) & np.isin(last.steps, steps - first)
        found = {name: np.concatenate([found[name], last[name][0][wanted]]) for name in record}
        run = last
    return Replayed(run.params, found)
