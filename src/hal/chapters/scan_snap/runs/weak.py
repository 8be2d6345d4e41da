"""What becomes of the paper's statements where classes correlate more than its Assumption 2 allows.

Chapter `scan_snap`. Source: ours; arXiv 2305.16380, Assumption 2, Theorems 2 and 3. Five classes under one query, five
distinct tokens each, and common tokens whose frequency sets how strongly the classes correlate: the largest eigenvalue
of E over its bound 1/K. The joint flow and the reference dynamics start from zero and are read at ten times t0'.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scan_snap.runs.dynamics import both, start_inputs
from hal.results import path_of
from hal.results.rows import recorded_rows
from lib.errors import require
from lib.models import scan_snap as ss
from lib.theory import scan_snap as theory

Array = NDArray[np.float64]
COMMAND = "python -m hal.chapters.records scan_snap weak"
RECORD = path_of("scan_snap", "weak")
SEEDS, STRENGTHS = range(8400, 8416), (0.25, 0.5, 0.9, 1.5, 3.0, 6.0, 12.0)
KINDS = {"equal": 10, "one": 1, "ten": 10}  # common tokens
K, OWN, M, SPREAD, LATE = 5, 5, 10**7, 0.5, 10.0  # M large enough for a weak correlation to obey the lower bound
GRID = [{"kind": kind, "strength": strength} for kind in KINDS for strength in STRENGTHS]
STATEMENTS = ("distinct", "order", "common")
READ = (*STATEMENTS, *(f"reference {name}" for name in STATEMENTS), "early", "obeys", "shared", "moved")


def strength_of(task: ss.Task) -> float:
    """K times the largest |eigenvalue| of E at the start: Assumption 2 asks for less than 1."""
    return float(task.K * np.abs(np.linalg.eigvalsh(theory.correlations(start_inputs(task)))).max())


def language(kind: str, strength: float, seed: int) -> ss.Task:
    """A random law whose classes correlate this strongly; the common tokens stand first.

    Args:
        kind: "one" or "ten" common tokens, of other frequencies in each class, as the distinct ones; "equal" has ten
            of the same frequencies in all classes, and distinct tokens alike but for their names.
        strength: K times the largest |eigenvalue| of E, positive.
        seed: of the frequencies.

    Raises:
        InputError: if the kind is unknown, or no frequency of the common tokens gives this strength.
    """
    require(kind in KINDS, "kind", f"one of {', '.join(KINDS)}", repr(kind))
    rng, rows = np.random.default_rng([seed, KINDS[kind]]), 1 if kind == "equal" else K
    own = np.kron(np.eye(K), np.ones(OWN)) * np.tile(rng.uniform(0.2, 1, (rows, OWN)), K)
    commons = np.exp(SPREAD * rng.normal(size=(rows, KINDS[kind]))) * np.ones((K, 1))

    def law(scale: float) -> ss.Task:
        weights = np.hstack([scale * commons, own])
        return ss.Task(weights / weights.sum(axis=1, keepdims=True), np.zeros(K, int), M, None)

    low, high = 1e-4, 1e4
    most = strength_of(law(high))
    require(0 < strength < most, "strength", f"above 0 and below {most:.3g}", strength)
    for _ in range(60):
        middle = np.sqrt(low * high)
        low, high = (middle, high) if strength_of(law(middle)) < strength else (low, middle)
    return law(low)


def held(task: ss.Task, z: Array) -> tuple[float, float, float]:
    """How far the statements hold of logits (C,) that were 0: the share of distinct tokens that gained; of neighbours
    in frequency among the distinct tokens of a class, how often the more frequent one gained more; the share of common
    tokens that lost. Source: arXiv 2305.16380, Theorem 2 and Theorem 3."""
    right: list[Array] = []
    for law, mine in zip(task.P, task.distinct, strict=True):
        right.append(np.diff(z[mine][np.argsort(law[mine])]) > 0)
    return (
        float((z[task.distinct.any(axis=0)] > 0).mean()),
        float(np.concatenate(right).mean()),
        float((z[task.common] < 0).mean()),
    )


def statements(kind: str, strength: float, seeds: Sequence[int]) -> dict[str, Array]:
    """Train a law for each seed and read at ten times t0' = K ln M / lr_Y, both rates 1.

    Args:
        kind, strength: as for `language`.
        seeds: R seeds.

    Returns:
        (R,) each: what `held` returns, of the joint flow and of the reference dynamics; early, the first of it at t0'
        in the joint flow; obeys, 1 where the law obeys Assumption 2 at the start; shared, the probability of common
        tokens, mean of the classes; moved, the largest |logit| of the joint flow, nats.

    Raises:
        InputError: as `language`.
    """
    found = []
    for seed in seeds:
        task = language(kind, strength, seed)
        run = both(task, 1.0, 1.0, K * np.log(M) * np.array([1.0, LATE]))
        joint, reference, early = run.joint[1, 0], run.reference[1, 0], held(task, run.joint[0, 0])[0]
        obeys = theory.assumption_2(theory.correlations(start_inputs(task)), M).holds
        shared = task.P[:, task.common].sum(axis=1).mean()
        found.append((*held(task, joint), *held(task, reference), early, float(obeys), shared, np.abs(joint).max()))
    return dict(zip(READ, np.array(found).T, strict=True))


def cell(kind: str, strength: float) -> dict[str, Any]:
    """One setting of the record, from its sixteen seeds."""
    return {
        name: [float(f"{value:.4g}") for value in values] for name, values in statements(kind, strength, SEEDS).items()
    }


def interval(runs: Array) -> tuple[Array, Array, Array]:
    """Mean of the seeds, the last axis, and its 95% interval, seeds resampled."""
    drawn = runs[..., np.random.default_rng(0).integers(runs.shape[-1], size=(1000, runs.shape[-1]))].mean(axis=-1)
    low, high = np.quantile(drawn, [0.025, 0.975], axis=-1)
    return runs.mean(axis=-1), low, high


def recorded_statements(path: Path | str = RECORD) -> dict[str, dict[str, Array]]:
    """The record by kind: what `statements` returns, (strengths, seeds) each.

    Raises:
        InputError: if there is no record, or it lacks a setting.
    """
    rows = recorded_rows(path, "the recorded statements", COMMAND, GRID)
    return {
        kind: {name: np.array([rows[kind, strength][name] for strength in STRENGTHS], float) for name in READ}
        for kind in KINDS
    }
