"""How many samples until attention knows where to look: four optimisers, linear and softmax attention.

Chapter `scb`, beyond the paper (arXiv 2410.23438, Theorem 3.1 asks for poly(T) samples in Stage 1). A name that is not
among those below, a size out of range and a record that is not whole are refused (`InputError`).
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scb import models
from hal.chapters.scb.models.softmax import SoftmaxTransformer, as_linear
from hal.chapters.scb.runs.algorithm import output_step, preconditioned, stages
from hal.results import path_of
from hal.results.rows import recorded_rows
from lib import optim
from lib.errors import require
from lib.models import scb
from lib.sampling import generators
from lib.theory import scb as theory
from lib.train import record_points, train

COMMAND = "python -m hal.chapters.records scb samples"
RECORD = path_of("scb", "samples")
SEEDS, MOST_STEPS, RECORDS = range(6000, 6016), 1000, 150
COSINE = 0.7  # between A - 1/T and Q - 1/T: attention looks at its positions and at little else
LEVEL = 0.1  # the signal at which the soft threshold comes on
OPTIMISERS = ("gradient descent", "soft threshold", "Adam", "sign descent")

#: Learning rates of V and of attention; with the threshold a third number, it over attention's rate. Gradient descent
#: takes them over the strengths of the signals, and the logits' rate as it is.
RATES: dict[tuple[str, str], list[tuple[float, ...]]] = {
    ("gradient descent", "linear"): [(0.02, 0.02), (0.08, 0.08), (0.08, 0.02), (0.02, 0.08)],
    ("soft threshold", "linear"): [(eta, eta, level) for eta in (0.02, 0.08) for level in (0.05, 0.2)],
    ("Adam", "linear"): [(0.016, 0.0016), (0.064, 0.00128), (0.064, 0.0064), (0.004, 0.0004)],
    ("sign descent", "linear"): [(0.004, 0.002), (0.016, 0.008), (0.001, 0.0005), (0.016, 0.0016)],
    ("gradient descent", "softmax"): [(0.02, w) for w in (6.0, 24.0, 96.0, 384.0)],
    ("soft threshold", "softmax"): [(0.02, w, level) for w in (24.0, 96.0) for level in (0.05, 0.2)],
    ("Adam", "softmax"): [(0.01, w) for w in (0.01, 0.02, 0.04, 0.08)],
}
BATCHES = (2, 4, 8, 16, 32, 64)
SLOW = ("sign descent", "linear")  # takes three times as many samples as all others

LENGTHS = (32, 64, 128, 256, 512, 1024)  # contexts, with N = 4 and Q = 2; the dearest comes last
GRID = [{"T": T, "N": 4, "Q": 2, "optimiser": optimiser, "attention": "linear"}
        for T in LENGTHS for optimiser in OPTIMISERS]  # fmt: skip


def _rule(task: scb.Task, optimiser: str, attention: str, rates: NDArray[np.float64]) -> optim.Transform:
    """The update of R runs, whose rates are the columns of `rates`."""
    out, move, soft = rates[0], rates[1], attention == "softmax"
    if optimiser in ("Adam", "sign descent"):
        b = (0.9, 0.999, 1e-8) if optimiser == "Adam" else (0.0, 0.0, 0.0)
        if soft:
            return optim.per_field(V=optim.adam(out, *b), w=optim.adam(move, *b))
        return optim.per_field(V=optim.adam(out, *b), A=optim.chain(optim.project_affine(-1), optim.adam(move, *b)))
    level = None
    if optimiser == "soft threshold":
        begin = np.ceil(theory.escape_time(LEVEL, out, task.K_Q, task.T))
        unit = move * task.N / task.T if soft else move  # logits move by 1/T of what attention moves by
        level = stages(begin, np.zeros(len(out)), rates[2] * unit)
    if not soft:
        return preconditioned(task, out / task.K_Q, move / task.K_P, level)
    w = [optim.precondition(1 / task.mu[:, None]), optim.scale_by_learning_rate(move)]
    w += [] if level is None else [optim.prox_l1(level)]
    return optim.per_field(V=output_step(task, out / task.K_Q), w=optim.chain(*w))


def first_samples(
    T: int, N: int, Q: int, optimiser: str, attention: str, batch: int, seeds: Sequence[int]
) -> dict[str, NDArray]:
    """Train at four pairs of rates, from the paper's start, for at most 1000 steps and some 16 T samples.

    Optimiser and attention are a pair among `RATES`; there are R seeds of the samples.

    Returns:
        "where": samples until the Q positions with the largest |A - 1/T| are the true ones in every row, (4, R),
        negative if the signal then has the wrong sign; "little else": until the cosine of A is at least `COSINE`; 0
        where it is not so until the end. "lost", (4, R): whether the run diverged.
    """
    require((optimiser, attention) in RATES, "optimiser, attention", f"among {list(RATES)}", (optimiser, attention))
    task, pairs = scb.ring_task(T, N, weights=scb.even_weights(Q), rng=0), RATES[optimiser, attention]
    trained = SoftmaxTransformer(task) if attention == "softmax" else scb.LinearTransformer(task)
    rates = np.repeat(np.array(pairs).T, len(seeds), axis=1)
    most = (16 * T + 600) * max(1, N / 4) * max(1, Q / 2) * (3 if (optimiser, attention) == SLOW else 1)
    steps = min(MOST_STEPS, int(most) // batch)

    def weights(params: Any) -> scb.Params:
        return as_linear(params) if attention == "softmax" else params

    record = {
        "where": lambda p: models.support_recovered(weights(p), task),
        "cosine": lambda p: models.similarity_A(weights(p), task) >= COSINE,
        "sign": lambda p: scb.alpha_V(weights(p), task),
    }
    rule, rngs = _rule(task, optimiser, attention, rates), generators([seed for _ in pairs for seed in seeds])
    points = record_points(steps, RECORDS, log=True)
    run = train(trained, trained.init(rates.shape[1]), rule, steps, batch, rngs, record, points)
    shape, each = (len(pairs), len(seeds)), np.arange(rates.shape[1])
    at, sign = np.asarray(run.steps) * batch, np.where(run["sign"] < 0, -1, 1)
    found = {}
    for goal, name in (("where", "where"), ("little else", "cosine")):
        hit = np.nan_to_num(run[name]) > 0
        first = hit.argmax(axis=1)
        found[goal] = np.where(hit.any(axis=1), at[first] * sign[each, first], 0).reshape(shape)
    return {**found, "lost": (run.diverged_at >= 0).reshape(shape)}


def cell(T: int, N: int, Q: int, optimiser: str, attention: str, seeds: Sequence[int] = SEEDS) -> dict[str, Any]:
    """A setting at all rates and batches.

    Returns:
        For each goal, "where" and "little else", the rows [number of the pair of rates, batch, samples of each seed] in
        which at least one half of the runs arrive and the median is at most three times the best; "lost", how many of
        all runs diverged; "runs", how many there are.
    """
    rows: dict[str, list[list[Any]]] = {"where": [], "little else": []}
    lost = 0
    for batch in BATCHES:
        found = first_samples(T, N, Q, optimiser, attention, batch, seeds)
        lost += int(found["lost"].sum())
        for goal, kept in rows.items():
            kept.extend([i, batch, each.tolist()] for i, each in enumerate(found[goal]))
    told = {goal: _near(kept) for goal, kept in rows.items()}
    return {**told, "lost": lost, "runs": len(BATCHES) * len(RATES[optimiser, attention]) * len(seeds)}


def _near(rows: list[list[Any]]) -> list[list[Any]]:
    middle = np.array([np.median(arrived(np.array(each))) for _, _, each in rows])
    return [row for row, m in zip(rows, middle, strict=True) if np.isfinite(m) and m <= 3 * middle.min()]


def arrived(samples: NDArray, signed: bool = False) -> NDArray[np.float64]:
    """Samples until a goal; infinite for a run that does not arrive, or, if `signed`, arrives with the wrong sign."""
    return np.where(samples > 0 if signed else samples != 0, np.abs(samples), np.inf)


def fewest(rows: list[list[Any]], signed: bool, draws: int = 400, seed: int = 0) -> NDArray[np.float64]:
    """Fewest samples over rates and batches with which three of four runs arrive.

    Returns:
        (1 + draws,): of the seeds, then of `draws` resamplings of them (bootstrap); infinite where none does.
    """
    if not rows:
        return np.full(1 + draws, np.inf)
    runs = np.stack([arrived(np.array(each), signed) for _, _, each in rows])  # (rows, seeds)
    count = runs.shape[1]
    drawn = np.random.default_rng(seed).integers(count, size=(draws, count))
    some = np.sort(runs[:, np.concatenate([np.arange(count)[None], drawn])], axis=-1)  # (rows, 1 + draws, seeds)
    best: NDArray[np.float64] = some[..., -(-3 * count // 4) - 1].min(axis=0)
    return best


def exponent(sizes: Sequence[float], samples: NDArray) -> NDArray[np.float64]:
    """Slope of log samples (sizes, draws) against the logarithm of the sizes, (draws,); of those sizes that arrive.

    NaN where fewer than three do.
    """
    x, slopes = np.log(np.asarray(sizes, float)), np.full(samples.shape[1], np.nan)
    for b, column in enumerate(samples.T):
        there = np.isfinite(column)
        if there.sum() >= 3:
            slopes[b] = np.polyfit(x[there], np.log(column[there]), 1)[0]
    return slopes


def silenced(optimiser: str) -> NDArray[np.float64]:
    """Of the record: samples until attention looks at little else, with the true sign, (lengths, 1 + draws)."""
    record = recorded_samples()
    rows = [record[T, 4, 2, optimiser, "linear"]["little else"] for T in LENGTHS]
    return np.stack([fewest(row, True, seed=i) for i, row in enumerate(rows)])


def interval(draws: NDArray[np.float64]) -> tuple[float, float, float]:
    """The first of the draws, which is the seeds' own, and the limits of the middle 95% of the others."""
    low, high = (
        np.nanquantile(draws[1:], [0.025, 0.975], method="nearest") if np.isfinite(draws[0]) else (np.nan, np.nan)
    )
    return float(draws[0]), float(low), float(high)


def recorded_samples(path: Path | str = RECORD) -> dict[tuple, dict[str, Any]]:
    """The record: (T, N, Q, optimiser, attention) -> what `cell` returned."""
    return recorded_rows(path, "the recorded samples", COMMAND, GRID)
