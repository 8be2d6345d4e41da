"""The largest learning rate at which no early step raises the loss, over groups and variables, and in the population.

Chapter `group_sparse`. Source: ours, beyond arXiv 2504.08638. Six scalars with contents, on samples made symmetric.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hal.results import path_of
from hal.results.rows import recorded_rows
from lib.models import group_sparse as gs
from lib.sampling import generators

COMMAND = "python -m hal.chapters.records group_sparse edge"
RECORD = path_of("group_sparse", "edge")
SEEDS, EXAMPLES, STEPS = range(9100, 9116), 512, 8
LEAST, MOST, HALVINGS = 3.0, 48.0, 10  # of eta D
GROUPS, VARIABLES = (2, 3, 4, 6, 8, 12, 16, 24, 32, 64), (2, 8)


class Setting(NamedTuple):
    """A size."""

    D: int  #: groups
    d: int  #: variables in a group


GRID = tuple(Setting(D, d) for D in GROUPS for d in VARIABLES)


def first_rise(problem: Any, params: Any, batch: Any, rates: Sequence[Any], steps: int) -> int:
    """The first step of gradient descent that raises the loss of one run, 0 if none of them does.

    Args:
        problem, batch: with `loss_and_gradient`.
        params: where it begins; a NamedTuple.
        rates: a learning rate for each of its fields.
        steps: how many.
    """
    before = np.inf
    for step in range(steps + 1):
        loss, gradient = problem.loss_and_gradient(params, batch)
        if not loss[0] <= before + 1e-12:
            return step
        before = float(loss[0])
        params = type(params)(*(x - rate * g for x, rate, g in zip(params, rates, gradient, strict=True)))
    return 0


def _edge(D: int, rises: Any) -> tuple[float, int]:
    """eta D between a rate without a rise and one with, and the step that rises there; by halves of the logarithm."""
    low, high, step = LEAST, MOST, 0
    for _ in range(HALVINGS):
        middle = float(np.sqrt(low * high))
        found = rises(middle / D)
        low, high, step = (low, middle, found) if found else (middle, high, step)
    return float(np.sqrt(low * high)), step


def pair_edge(D: int, steps: int = 200) -> tuple[float, int]:
    """The population without contents: the largest eta D at which no step raises the loss, and the step that does."""
    pair = gs.PairTransformer(D)
    ways = pair.rates
    return _edge(D, lambda lr: first_rise(pair, pair.init(), None, [lr * ways["alpha"], lr * ways["b"]], steps))


def six_edge(setting: Setting, seed: int, gap: float = 0.0, examples: int = EXAMPLES) -> tuple[float, int]:
    """The same of six scalars, contents among them, on a sample.

    Args:
        setting: the size.
        seed: of the sample.
        gap: of the logit of the relevant group at first, in nats.
        examples: in the sample.
    """
    D, d = setting
    six, rho = gs.SymmetricTransformer(gs.Task(D=D, d=d)), (D + 1) / 2
    batch = six.sample(examples, generators([seed]))
    sizes = np.array([1, D - 1, D - 1, D - 1, max(1, (D - 1) * (D - 2))])
    start = six.init()
    start.B[:, [0, 2]] = gap
    ways = (1.0, 1.0, 1 / (d - 1), rho**2 / sizes)
    return _edge(D, lambda lr: first_rise(six, start, batch, [lr * way for way in ways], STEPS))


def cell(setting: Setting, seeds: Sequence[int] = SEEDS) -> dict[str, Any]:
    """At one size: edge, eta D of each seed; step, that first raises the loss there; pair, both of the population."""
    found = [six_edge(setting, seed) for seed in seeds]
    edge, step = pair_edge(setting.D)
    return {
        "edge": [round(one, 3) for one, _ in found], "step": [one for _, one in found], "pair": [round(edge, 3), step],
    }  # fmt: skip


def recorded_edge(path: Path | str = RECORD) -> dict[Setting, dict[str, Any]]:
    """The record: what `cell` returned, by setting.

    Raises:
        InputError: if there is no record, or it lacks a setting.
    """
    rows = recorded_rows(path, "the recorded edges", COMMAND, [one._asdict() for one in GRID])
    return {Setting(*key): row for key, row in rows.items()}


def interval(edges: Sequence[float]) -> tuple[float, float, float]:
    """Mean over seeds, and its 95% interval."""
    values: NDArray[np.float64] = np.asarray(edges, float)
    half = 2.131 * values.std(ddof=1) / np.sqrt(len(values))  # Student's t, 15 degrees of freedom
    return float(values.mean()), float(values.mean() - half), float(values.mean() + half)
