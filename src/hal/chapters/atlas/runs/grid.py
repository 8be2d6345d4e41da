"""The recorded grid: four optimisers on every row of `rows`, over learning rates of both layers, sixteen seeds each.

Chapter `atlas`. Source: our own. A call of `lib.sweep` trains rates and seeds side by side. Rows, optimisers and rates
that the record lacks are refused with `InputError`.
"""

from pathlib import Path
from typing import Any

import numpy as np

from hal.chapters.atlas.runs.rates import Array
from hal.chapters.atlas.runs.rows import ROWS
from hal.chapters.atlas.runs.tasks import Rule
from hal.results import path_of
from hal.results.rows import recorded_rows
from lib import optim
from lib.errors import require
from lib.models.experiments import column
from lib.sampling import generators
from lib.sweep import sweep, vectorised
from lib.sweep.vectorise import Point, Results
from lib.train import record_points, train

__all__ = ["ATTENTION", "COMMAND", "GRID", "OPTIMISERS", "SEEDS", "cell", "recorded_grid", "run"]

COMMAND = "python -m hal.chapters.records atlas grid"
RECORD = path_of("atlas", "grid")
SEEDS, ATTENTION = range(4000, 4016), (0.25, 1.0, 4.0)  # times attention's learning rate
FOUND = 0.5  # what is selected where the place is found


def _descent(rate: Any, keep: int | None, *before: optim.Transform) -> optim.Transform:
    """Gradient descent that keeps sums along an axis, if one is named."""
    kept = () if keep is None else (optim.project_affine(keep),)
    return optim.chain(*before, optim.sgd(rate), *kept)


def _rule(optimiser: str, times: Array) -> Rule:
    """What a layer is trained by: its rates times `times`, (R,)."""

    def made(rate: Any, adam: float, length: float, scale: float = 1.0, keep: int | None = None) -> optim.Transform:
        own = rate * times
        if optimiser == "Adam":
            return optim.adam(adam * times)
        if optimiser == "sign descent":
            return optim.adam(adam * times, 0.0, 0.0, 0.0)
        if optimiser == "momentum":
            return _descent(own, keep, optim.scale_by_momentum(0.9), optim.scale(0.1))
        return _descent(own, keep)

    return made


OPTIMISERS = ("gradient descent", "momentum", "Adam", "sign descent")


@vectorised(
    *("row", "optimiser", "steps"),
    defaults={"row": "Places", "optimiser": "gradient descent", "steps": 100, "readout": 1.0, "attention": 1.0},
)
def run(points: list[Point]) -> list[Results]:
    """Train a row of the grid; runs of one call differ in the rates' factors and in the seed.

    Returns:
        Of each run what is selected at the end, NaN if it diverged; lost, whether it diverged.
    """
    first, seeds = points[0], [point["seed"] for point in points]
    row, name, steps = first["row"], first["optimiser"], first["steps"]
    require(row in ROWS, "row", f"one of {', '.join(ROWS)}", repr(row))
    require(name in OPTIMISERS, "optimiser", f"one of {', '.join(OPTIMISERS)}", repr(name))
    made = ROWS[row].make(seeds, np.ones(len(points)))
    rule = made.rule(_rule(name, column(points, "readout")), _rule(name, column(points, "attention")))
    path = train(made.problem, made.start, rule, steps, made.batch, generators(seeds) if made.batch else None,
                 {"selected": made.selected}, record_points(steps, log=True))  # fmt: skip
    seen, lost = path["selected"], path.diverged_at >= 0
    return [{"selected": seen[r, -1], "lost": lost[r]} for r in range(len(points))]


def cell(row: str, optimiser: str, steps: int, seeds: Any = SEEDS, cache: str | None = None, jobs: int = 1) -> Any:
    """A row under one optimiser: tables of attention's rates by the read-out's.

    Args:
        row, optimiser: names among `ROWS` and `OPTIMISERS`.
        steps: of each run.
        seeds: of the samples.
        cache, jobs: see `lib.sweep.sweep`.

    Returns:
        readout, the factors of its learning rate; found, the number of runs whose selected share is above one half at
        the end; lost, of those that diverged.
    """
    rates = ROWS[row].readout
    points = [{"row": row, "optimiser": optimiser, "steps": steps, "readout": out, "attention": seen}
              for seen in ATTENTION for out in rates]  # fmt: skip
    told = sweep(run, points, seeds, cache, jobs, chunk=3 * len(seeds))
    if told.failed:
        raise RuntimeError(f"runs failed: {told.failures}")
    shape = (len(ATTENTION), len(rates), len(seeds))
    found, lost = (one.reshape(shape).sum(axis=-1).tolist() for one in (told["selected"] > FOUND, told["lost"]))
    return {"readout": list(rates), "found": found, "lost": lost}


#: What the record has a row for: the settings of each.
GRID = [
    {"row": row, "optimiser": optimiser, "steps": one.steps} for row, one in ROWS.items() for optimiser in OPTIMISERS
]  # fmt: skip


def recorded_grid(path: Path | str = RECORD) -> dict[tuple[str, str], dict[str, Any]]:
    """The record: row and optimiser -> what `cell` returned, with "steps"."""
    found = recorded_rows(path, "the recorded grid", COMMAND, GRID)
    return {(row, optimiser): {"steps": steps, **kept} for (row, optimiser, steps), kept in found.items()}
