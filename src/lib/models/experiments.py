"""What the ready experiments of all chapters share: `lib.models.SLUG.experiment.learn`, vectorised for `lib.sweep`.

Points of one shape train side by side, runs on the first axis; each is bit for bit what it is alone.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lib.sweep.vectorise import Point, Results
from lib.train import Trajectory

__all__ = ["column", "curves"]


def column(points: list[Point], name: str) -> NDArray[np.float64]:
    """A setting of each point, (R,), for what may differ between runs."""
    return np.array([point[name] for point in points], dtype=np.float64)


def curves(run: Trajectory) -> list[Results]:
    """A trajectory of R runs as R results: steps (K,), every record (K, ...), and diverged_at, -1 for a run alive."""
    return [_one(run, r) for r in range(run.n_runs)]


def _one(run: Trajectory, r: int) -> dict[str, Any]:
    records = {name: values[r] for name, values in run.arrays.items()}
    return {"steps": run.steps, **records, "diverged_at": run.diverged_at[r]}
