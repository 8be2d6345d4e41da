"""What a new task costs: examples until 5% are wrong, over sizes, margins and what pretraining left.

Chapter `group_sparse`. Source: arXiv 2504.08638, Section 4, has the orders; the sweep is ours. Learning rates are 3.2
over the squared norm of what is read, d + (D + 1)/2 and d D, so that no learner has the better one.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hal.chapters.group_sparse.runs.downstream import looking, pretrained, samples_needed
from hal.results import path_of
from hal.results.rows import recorded_rows
from lib import optim
from lib.models import group_sparse as gs
from lib.sampling import generators
from lib.theory.group_sparse import portable_downstream as theory
from lib.train import GivenBatches, train

Array = NDArray[np.float64]
COMMAND = "python -m hal.chapters.records group_sparse cost"
RECORD = path_of("group_sparse", "cost")
SEEDS, TESTS, LEVEL, RATE, COUNTS = range(9000, 9032), 500, 0.05, 3.2, 26
LEARNERS = ("tuned", "frozen", "linear")
SIZES = ((2, 4), (2, 16), (4, 4), (4, 8), (4, 16), (8, 4), (8, 8), (8, 16), (16, 4), (16, 8))  # (d, D)
MARGINS = (0.05, 0.1, 0.2, 0.4)


class Setting(NamedTuple):
    """A size, a margin and a pretrained layer."""

    D: int  #: groups
    d: int  #: variables in a group
    gamma: float  #: margin of the new task
    attention: float  #: on the group, the same for every input; 0 for a layer that was trained
    steps: int  #: of pretraining on 500 examples, at half of the largest stable learning rate; 0 for none


GRID = (
    *(Setting(D, d, gamma, 0.9, 0) for d, D in SIZES for gamma in MARGINS),
    *(Setting(D, d, gamma, s, 0) for d, D in ((4, 4), (4, 16), (8, 8), (16, 4))
      for gamma in (0.1, 0.4) for s in (0.8, 0.98)),
    *(Setting(D, d, gamma, 0.0, steps) for d, D in ((4, 4), (4, 8))
      for gamma in (0.1, 0.4) for steps in (100, 300)),
)  # fmt: skip


def read(setting: Setting) -> dict[str, float]:
    """The squared norm of what the layer reads and of what logistic regression does."""
    return {"layer": setting.d + (setting.D + 1) / 2, "linear": float(setting.d * setting.D)}


def predicted(setting: Setting, attention: float) -> dict[str, float]:
    """Examples by the closed laws of a layer whose attention stands, and of logistic regression."""
    norm = read(setting)
    layer = theory.layer_of(setting.D, setting.d, attention, RATE / norm["layer"])
    linear = theory.regression_of(setting.D * setting.d, RATE / norm["linear"])
    return {name: _single_steps(one, setting.gamma, 40 + int(40 * norm[name]))
            for name, one in (("layer", layer), ("linear", linear))}  # fmt: skip


def _single_steps(learner: theory.Learner, gamma: float, most: int) -> float:
    """What `examples_until` of the page says, one example a step."""
    about, at = theory.examples_until(learner, gamma, LEVEL, most), [2]
    if not np.isfinite(about):
        return about
    while at[-1] < 1.2 * about + 4:
        at.append(max(at[-1] + 1, at[-1] * 7 // 6))
    wrong = [0.5, *theory.error_path(learner, gamma, [float(n) for n in at])]
    i = int(np.argmax(np.array(wrong) <= LEVEL))
    last = [0, *at][i - 1]
    return last + float(np.log(wrong[i - 1] / LEVEL) / np.log(wrong[i - 1] / wrong[i])) * (at[i - 1] - last)


@lru_cache(maxsize=2)
def _trained(D: int, d: int, steps: int, seeds: tuple[int, ...], group: int) -> gs.Params:
    return pretrained(gs.Task(D=D, d=d, j_star=group), seeds, 500, 8 / (D * (D + 1)), steps)


def _errors(problem: Any, params: Any, given: Any, fresh: Any, rate: float, at: NDArray[np.int64]) -> tuple[Array, int]:
    """Test errors (R, K) of online SGD after each of the counts `at` (K,), and how many runs diverged."""
    record = {"error": lambda p: 1 - gs.accuracy(problem.output(p, fresh[0]), fresh[1])}
    stream, points = GivenBatches(problem, list(gs.one_by_one(given))), np.concatenate([[0], at])
    run = train(stream, params, optim.sgd(rate), int(at[-1]), record=record, record_at=points)
    return run["error"][:, 1:], int((run.diverged_at >= 0).sum())


def cell(setting: Setting, seeds: Sequence[int] = SEEDS, group: int = 2) -> dict[str, Any]:
    """Learn the new task three ways from R streams.

    Args:
        setting: the size, the margin, the layer.
        seeds: R of them.
        group: where pretraining looked; the new task is on group 2.

    Returns:
        tuned (value and attention), frozen (the value alone), linear (logistic regression): each 1 + R numbers of
        examples until 5% are wrong in the mean over all runs, and without each of them; None where that takes more than
        were drawn. attention, its mean at first; law, the two predictions; lost, runs that diverged.
    """
    task = gs.Task(D=setting.D, d=setting.d)
    if setting.steps:
        start = _trained(setting.D, setting.d, setting.steps, tuple(seeds), group)
    else:
        start = looking(gs.Task(D=setting.D, d=setting.d, j_star=group), setting.attention, len(seeds))
    model, norm = gs.GroupTransformer(task), read(setting)
    fresh = gs.downstream(task, TESTS, generators(seeds, 3), gamma=setting.gamma)
    own = float(gs.mean_attention(start, model, fresh.X).mean())
    law = predicted(setting, own)
    known = {name: count if np.isfinite(count) else 20 * norm[name] for name, count in law.items()}
    most = {"layer": int(2.5 * known["layer"]), "linear": int(1.6 * known["linear"])}
    given = gs.downstream(task, max(most.values()), generators(seeds, 2), gamma=setting.gamma)
    few = gs.Examples(given.X[:, : most["layer"]], given.y[:, : most["layer"]])
    slow, fast = RATE / norm["layer"] / setting.D**2, RATE / norm["linear"]
    attended = [gs.attended(model, start, one) for one in (few, fresh)]
    flat = [gs.flattened(one) for one in (given, fresh)]
    value, whole = gs.LogisticRegression(setting.d + setting.D), gs.LogisticRegression(setting.d * setting.D)
    runs: dict[str, tuple[Any, Any, Any, Any, float]] = {
        "tuned": (model, start, few, fresh, slow),
        "frozen": (value, value.init(len(seeds)), attended[0], attended[1], slow),
        "linear": (whole, whole.init(len(seeds)), flat[0], flat[1], fast),
    }
    found: dict[str, Any] = {
        "attention": round(own, 4),
        "law": {name: round(one, 1) for name, one in law.items()},
        "lost": 0,
    }
    for name, run in runs.items():
        at = np.unique(np.round(np.geomspace(4, most["linear" if name == "linear" else "layer"], COUNTS)).astype(int))
        errors, lost = _errors(*run, at)
        found[name] = _needed(np.where(np.isfinite(errors), errors, 0.5), at)
        found["lost"] += lost
    return found


def _needed(errors: Array, at: NDArray[np.int64]) -> list[float | None]:
    """Examples needed by all runs together, then without each of them."""
    parts = [errors, *(np.delete(errors, r, axis=0) for r in range(len(errors)))]
    needed = [samples_needed(part, at, LEVEL) for part in parts]
    return [round(one, 2) if np.isfinite(one) else None for one in needed]


def recorded_cost(path: Path | str = RECORD) -> dict[Setting, dict[str, Any]]:
    """The record: what `cell` returned, by setting.

    Raises:
        InputError: if there is no record, or it lacks a setting.
    """
    rows = recorded_rows(path, "the recorded costs", COMMAND, [one._asdict() for one in GRID])
    return {Setting(*key): row for key, row in rows.items()}


def exponents(
    found: Mapping[Setting, Mapping[str, Any]], learner: str, draws: int = 1000
) -> dict[str, tuple[float, float, float]]:
    """Powers in the examples needed: of size (d + rho, or d D) and of the margin, by least squares of logarithms.

    Args:
        found: of `recorded_cost`; the settings with attention 0.9 are fitted.
        learner: one of `LEARNERS`, or "law layer" or "law linear", which fit the predictions.
        draws: settings are drawn with replacement so many times.

    Returns:
        size and margin, each with its 95% interval.
    """
    kept = [(one, row) for one, row in found.items() if one.attention == 0.9]
    which = learner.removeprefix("law ")
    counted = [row["law"][which] if which != learner else row[which][0] for _, row in kept]
    side = "linear" if which == "linear" else "layer"
    X = np.array([[1.0, np.log(read(one)[side]), np.log(one.gamma)] for one, _ in kept])
    y, rng = np.log(np.array(counted, float)), np.random.default_rng(0)
    fits = [np.linalg.lstsq(X, y, rcond=None)[0]]
    for _ in range(draws):
        rows = rng.integers(len(y), size=len(y))
        fits.append(np.linalg.lstsq(X[rows], y[rows], rcond=None)[0])
    low, high = np.quantile(fits[1:], [0.025, 0.975], axis=0)
    return {name: (float(fits[0][k]), float(low[k]), float(high[k])) for k, name in ((1, "size"), (2, "margin"))}


def ratios(found: Mapping[Setting, Mapping[str, Any]], learner: str, trained: bool = False) -> Array:
    """Examples counted over those predicted at every setting, (settings,), of layers that were trained or not."""
    side = "linear" if learner == "linear" else "layer"
    rows = [row for one, row in found.items() if (one.steps > 0) == trained and row[learner][0] is not None]
    return np.array([row[learner][0] / row["law"][side] for row in rows])
