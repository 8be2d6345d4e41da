"""The textbook's run by the fast model: in law, or on the textbook's own samples, and then number by number.

Chapter `scb`. The algorithm is that of arXiv 2410.23438, Section 2.3. Settings are refused by name (`InputError`).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scb import models
from hal.chapters.scb.runs.algorithm import Record, learn, signals
from lib.models import scb
from lib.models.scb import textbook
from lib.models.scb.textbook import RECORDS, Ring, Settings


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


def task_of(ring: Ring, T: int) -> scb.Task:
    """A task of the textbook as one of the fast model, with contexts of T tokens."""
    Q = np.zeros((len(ring.mu), T))
    for row, places in zip(Q, ring.s, strict=True):
        row[places] = ring.w
    return scb.Task(np.array(ring.mu), np.array(ring.P).T, Q)


def samples(settings: Settings, seed: int, steps: int) -> list[scb.Batch]:
    """The batches that the textbook draws in its first steps: a second generator of the same seed draws them again."""
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
        batches.append(scb.Batch(draws, cuts, np.array([last]), np.array([label])))
    return batches
