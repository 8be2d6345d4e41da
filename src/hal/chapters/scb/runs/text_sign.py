"""How many runs take the true sign when they are trained on text that the task writes itself, at many settings.

Chapter `scb`, beyond the paper (arXiv 2410.23438); the same count on independent contexts is `sign_share`.
"""

from pathlib import Path
from typing import Any

import numpy as np

from hal.chapters.scb.runs.algorithm import learn
from hal.chapters.scb.runs.beyond import Continued, first_reach
from hal.chapters.scb.runs.own_text import some_task, written
from hal.chapters.scb.runs.sign_share import some_settings
from hal.results import path_of
from hal.results.rows import recorded_rows
from lib.models import scb
from lib.sampling import generators
from lib.theory import scb as theory

COMMAND = "python -m hal.chapters.records scb text_sign"
RECORD = path_of("scb", "text_sign")
RUNS, LEVEL = 100, 0.1
RINGS, RANDOMS = 32, 16
GRID = [
    *({"kind": "ring", **chosen} for chosen in some_settings(100)[:RINGS]),
    *({"kind": "random", **chosen, "skew": 0.0} for chosen in some_settings(RANDOMS, 1)),
]


def cell(
    kind: str,
    T: int,
    N: int,
    skew: float,
    c: float,
    lr: float,
    batch: int,
    seeds: range = range(RUNS),
    fresh: bool = False,
) -> dict[str, Any]:
    """Stage 1 on consecutive windows of `batch` texts, Q = 2, counted by the sign of alpha_V at its end.

    Args:
        kind: "ring" or "random"; a random task has its transition from seed 0, and no skew.
        T, N, skew, c, lr, batch: context, vocabulary, Zipf exponent of mu, strength of P, base step, texts.
        seeds: of the runs.
        fresh: independent contexts in place of the texts.

    Returns:
        ratio, G / s^2; law, the share it gives; swing, see there; told, the share that the law gives ratio / swing;
        loop, how noise feeds itself; upright, runs with the true sign; lost, runs that diverged; escape, the median
        step at which both signals reach 0.1, over what theory says.

    Raises:
        InputError: if a setting is out of range.
    """
    ring = scb.ring_task(T, N, c, scb.even_weights(2), skew, rng=0)
    task = ring if kind == "ring" else some_task(kind, T, N, 2, c, 0)
    constants = theory.constants(task.mu, task.P, task.Q)
    d = float(constants.d)
    steps = round(max(1.25 * (np.log(2 * 0.3 / d) if d < 0.6 else 0.0), 2.0) / lr)
    record = {"V": lambda p: scb.alpha_V(p, task), "A": lambda p: scb.alpha_A(p, task)}
    at = np.unique(np.linspace(0, steps, 60).astype(int))
    model = None if fresh else Continued(task, batch, seeds)
    run = learn(task, seeds, lr=lr, batch=batch, steps=steps, record=record, record_at=at, model=model)
    lost = run.diverged_at >= 0
    both = np.minimum(np.abs(run["V"]), np.abs(run["A"]))[~lost]
    said = np.log(2 * LEVEL / d) / lr
    G = theory.control_number(batch, lr, T)
    ratio, widened = float(G / constants.s2), 1.0 if fresh else swing(task)
    found = first_reach(run.steps, both, LEVEL)
    late = np.median(np.where(np.isnan(found), np.inf, found)) if len(found) else np.inf
    return {
        "ratio": ratio,
        "law": float(theory.sign_probability(batch, lr, constants.s2, T)),
        "swing": widened,
        "told": float(theory.sign_probability(batch, lr, constants.s2 * widened, T)),
        "loop": loop(task, float(G)),
        "upright": int(((run["V"][:, -1] > 0) & ~lost).sum()),
        "lost": int(lost.sum()),
        "escape": float(late / said) if np.isfinite(late) and said > 0 else None,
    }


def swing(task: scb.Task, texts: int = 2000, seed: int = 0) -> float:
    """By what factor the token frequencies of a window of text vary more, in mean square and where they make noise in
    the signal, than those of a window of independent tokens.

    The noise of the sign is (e_label - mu) (h - mu)^T along R, h the frequencies in a window: its mean square is
    tr(R^T S R Cov(h)), S = diag(mu) - mu mu^T, where independent tokens have Cov(h) = S / T.

    Args:
        task: one task.
        texts: how many windows, each after five contexts of text.
        seed: of the texts.
    """
    text = written(task, texts, 5 * task.T, generators([seed])[0])[-task.T :]
    C = np.cov(np.stack([(text == n).mean(axis=0) for n in range(task.N)])) * task.T
    S, R = np.diag(task.mu) - np.outer(task.mu, task.mu), task.P - task.mu[:, None]
    M = R.T @ S @ R
    return float(np.trace(M @ C) / np.trace(M @ S))


def loop(task: scb.Task, G: float) -> float:
    """r, how fast noise feeds itself near zero (claim SCB-40), at the control number G."""
    S = np.diag(task.mu) - np.outer(task.mu, task.mu)
    size = np.sqrt((task.N - 2) * np.square(S).sum() / ((task.N - 1) * task.T))
    return float(task.N * size / (2 * task.K_P * task.K_Q * G))


def recorded_signs(path: Path | str = RECORD) -> dict[tuple, dict[str, Any]]:
    """The record: (kind, T, N, skew, c, lr, batch) -> what `cell` returned.

    Raises:
        InputError: if there is no record, or it lacks a row.
    """
    return recorded_rows(path, "the recorded signs", COMMAND, GRID)
